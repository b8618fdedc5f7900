/// A line-by-line comparison of two documents for a person. Documents are indented, and otherwise
/// unchanged.
package struct TextDiff: Sendable {
    package struct Line: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case same, gone, come
        }
        package var kind: Kind
        package var text: String
    }

    /// All lines; removed lines come before the lines that replace them.
    package let lines: [Line]

    package init(from old: JSON?, to new: JSON?) {
        let mine = old?.indentedLines ?? []
        let its = new?.indentedLines ?? []
        let matches = Alignment.matches(mine.map(Self.digest), its.map(Self.digest))
        var lines: [Line] = []
        var places = (0, 0)
        for match in matches + [Alignment.Match(first: mine.count, second: its.count)] {
            lines += mine[places.0..<match.first].map { Line(kind: .gone, text: name($0)) }
            lines += its[places.1..<match.second].map { Line(kind: .come, text: name($0)) }
            if match.first < mine.count {
                let isSame = mine[match.first] == its[match.second]
                // Two different lines may have the same digest, though that is rare.
                if !isSame { lines.append(Line(kind: .gone, text: name(mine[match.first]))) }
                lines.append(Line(kind: isSame ? .same : .come, text: name(its[match.second])))
            }
            places = (match.first + 1, match.second + 1)
        }
        self.lines = lines
    }

    private static func digest(_ line: [UInt8]) -> UInt64 { hashBytes(line, 0..<line.count) }

    /// The changed lines with `context` lines around them; an empty list marks an omission.
    package func hunks(context: Int) -> [[Line]] {
        var isShown = [Bool](repeating: false, count: lines.count)
        for (index, line) in lines.enumerated() where line.kind != .same {
            for near in max(0, index - context)...min(lines.count - 1, index + context) {
                isShown[near] = true
            }
        }
        var hunks: [[Line]] = []
        for (index, line) in lines.enumerated() where isShown[index] {
            if index == 0 || !isShown[index - 1] { hunks.append([]) }
            hunks[hunks.count - 1].append(line)
        }
        return hunks
    }
}

extension JSON {
    /// The document with one line for each member and element, indented. Numbers, strings and the order
    /// stay unchanged.
    package var indented: [UInt8] {
        Array(indentedLines.joined(separator: [0x0A])) + [0x0A]
    }

    /// The lines without their line feeds.
    var indentedLines: [[UInt8]] {
        var lines: [[UInt8]] = []
        var frames: [(next: Int, end: Int, isObject: Bool)] = []
        var line: [UInt8] = []
        func indentation() -> [UInt8] { [UInt8](repeating: 0x20, count: frames.count * 2) }
        func endLine() {
            if let frame = frames.last, frame.next < frame.end { line.append(UInt8(ascii: ",")) }
            lines.append(line)
        }
        func add(_ node: Int) {
            let isObject = kind(node) == .object
            guard isObject || kind(node) == .array else {
                line += slice(node)
                return endLine()
            }
            line += isObject ? [UInt8(ascii: "{")] : [UInt8(ascii: "[")]
            guard firstItem(of: node) != nil else {
                line += isObject ? [UInt8(ascii: "}")] : [UInt8(ascii: "]")]
                return endLine()
            }
            lines.append(line)
            frames.append((node + 1, Int(nodes[node].after), isObject))
        }
        add(JSON.root)
        while let frame = frames.last {
            guard frame.next < frame.end else {
                frames.removeLast()
                line = indentation() + [frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")]
                endLine()
                continue
            }
            line = indentation()
            let value = frame.isObject ? frame.next + 1 : frame.next
            if frame.isObject { line += slice(frame.next) + Array(": ".utf8) }
            frames[frames.count - 1].next = Int(nodes[value].after)
            add(value)
        }
        return lines
    }
}
