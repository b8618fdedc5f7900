import Model

/// Parses the watching program's lines into hints. Pure; the bytes may arrive in any pieces.
package struct WatcherLines {
    private var rest: [UInt8] = []
    /// Inside a line that is too long, up to its end.
    private var isSkipping = false
    /// Errors from the watching program, and invalid lines, for the log.
    private var complaints: [String] = []

    /// The longest path with every byte escaped, and the words before it.
    package static let longestLine = 4 * 4096 + 64

    package init() {}

    package mutating func feed(_ bytes: some Collection<UInt8>) -> [Hint] {
        var hints: [Hint] = []
        var remaining = bytes[...]
        while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
            rest += remaining[..<end]
            remaining = remaining[remaining.index(after: end)...]
            if isSkipping || rest.count > Self.longestLine {
                if !isSkipping { hints += lost("a line that is too long") }
                isSkipping = false
            } else {
                hints += hintsOfLine(rest[...])
            }
            rest.removeAll(keepingCapacity: true)
        }
        if !isSkipping { rest += remaining }
        if rest.count > Self.longestLine {
            hints += lost("a line that is too long")
            rest.removeAll()
            isSkipping = true
        }
        return hints
    }

    package mutating func takeComplaints() -> [String] {
        defer { complaints.removeAll() }
        return complaints
    }

    // MARK: One line

    private mutating func hintsOfLine(_ line: ArraySlice<UInt8>) -> [Hint] {
        let (word, operands) = Self.cut(line)
        switch word {
        case "ready" where operands.isEmpty: return [.ready]
        case "alive" where operands.isEmpty: return []
        case "token":
            guard let token = UInt64(Self.text(operands)) else { break }
            return [.token(token)]
        case "error":
            complaints.append(Self.text(operands))
            return []
        case "all":
            let (number, reason) = Self.cut(operands)
            guard let side = Self.side(number),
                let reason = RescanReason(helperSays: Self.text(reason))
            else { break }
            return [.everything(side, reason: reason)]
        case "look":
            let (number, escaped) = Self.cut(operands)
            guard let side = Self.side(number), let hint = Self.look(side, escaped) else { break }
            return [hint]
        default:
            let (number, escaped) = Self.cut(operands)
            guard let evidence = AccessEvent(rawValue: word), let side = Self.side(number) else { break }
            // Access to something that is not a document does not matter.
            return Self.path(escaped).map { [.evidence(evidence, side, $0)] } ?? []
        }
        return lost("an invalid line: `\(Self.text(line.prefix(80)))`")
    }

    /// An invalid line may have been a hint, so everything is read.
    private mutating func lost(_ what: String) -> [Hint] {
        complaints.append("\(HelperProgram.name) sent \(what)")
        return Side.allCases.map { .everything($0, reason: .garbled) }
    }

    private static func look(_ side: Side, _ escaped: ArraySlice<UInt8>) -> Hint? {
        guard !escaped.isEmpty else { return nil }
        guard escaped.last == UInt8(ascii: "/") else {
            return path(escaped).map { .look(side, $0) } ?? .unnamable(side, escaped: text(escaped))
        }
        let directory = escaped.dropLast()
        if directory.elementsEqual(".".utf8) { return .beneath(side, nil) }
        return path(directory).map { .beneath(side, $0) } ?? .unnamable(side, escaped: text(directory))
    }

    private static func path(_ escaped: ArraySlice<UInt8>) -> RelativePath? {
        guard let bytes = unescape(escaped), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        return RelativePath(text)
    }

    private static func unescape(_ escaped: ArraySlice<UInt8>) -> [UInt8]? {
        guard escaped.contains(UInt8(ascii: "\\")) else { return Array(escaped) }
        var bytes: [UInt8] = []
        var rest = escaped
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "x"), let high = digit(rest.popFirst()),
                let low = digit(rest.popFirst())
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        return Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    private static func side(_ number: String) -> Side? {
        switch number {
        case "0": .app
        case "1": .group
        default: nil
        }
    }

    /// The first word, and the rest after the space.
    private static func cut(_ line: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>) {
        let end = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
        return (text(line[..<end]), end < line.endIndex ? line[(end + 1)...] : [])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
