import Yams

/// A value in the YAML of a profile or configuration, with its position.
///
/// Scalars are text: `no` is a word, and a number keeps its digits.
package struct YAMLField {
    package let file: String
    /// The path of the key, its parts separated by dots; empty for the root.
    let key: String
    private let node: Node

    /// The largest size of a profile, and of a value in it, in bytes: aliases may expand to much more than
    /// they take.
    package static let mostBytes = 1 << 20
    /// The most levels of nesting, because the YAML library recurses for each.
    private static let mostDepth = 200

    /// - Parameter mostBytes: more for a file that a program wrote.
    package static func root(
        of yaml: String,
        file: String,
        mostBytes: Int = Self.mostBytes
    ) throws(ProfileError) -> YAMLField {
        // The library refuses a byte order mark before a text of several lines.
        let hasMark = yaml.unicodeScalars.first == "\u{FEFF}"
        let yaml = hasMark ? String(yaml.unicodeScalars.dropFirst()) : yaml
        if let line = yaml.utf8.count > mostBytes ? 1 : lineTooDeep(yaml) {
            throw ProfileError(file: file, line: line, column: 1, key: "", reason: .tooLargeOrDeep)
        }
        do {
            guard let node = try Yams.compose(yaml: yaml) else {
                throw ProfileError(file: file, line: 1, column: 1, key: "", reason: .emptyFile)
            }
            return YAMLField(file: file, key: "", node: node)
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(error, file: file, yaml)
        }
    }

    /// The line in which the text may nest too deeply.
    private static func lineTooDeep(_ yaml: String) -> Int? {
        var line = 1
        var brackets = 0
        // Each level of a block takes at least one column before its text.
        var leading = 0
        var isLeading = true
        for byte in yaml.utf8 {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                leading = 0
                isLeading = true
                continue
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "?"): leading += isLeading ? 1 : 0
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets += 1
                isLeading = false
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                brackets = max(0, brackets - 1)
                isLeading = false
            default: isLeading = false
            }
            if leading > mostDepth || brackets > mostDepth { return line }
        }
        return nil
    }

    /// An error of a reader of another file, whose facts this module does not know.
    package func fail(_ text: String) -> ProfileError { fail(.told(text)) }

    package func fail(_ reason: ProfileError.Reason) -> ProfileError {
        ProfileError(
            file: file,
            line: line,
            column: column,
            key: key,
            reason: reason
        )
    }

    /// An error about a value inside, at the nearest position that is known.
    func fail(at pointer: JSONPointer, _ reason: ProfileError.Reason) -> ProfileError {
        var field = self
        for token in pointer.tokens {
            let name = String(decoding: token, as: UTF8.self)
            if let index = arrayIndex(token), let list = try? field.list(), index < list.count {
                field = list[index]
            } else if let member = try? field.members().first(where: { $0.name == name }) {
                field = member.value
            } else {
                break
            }
        }
        return field.fail(reason)
    }

    package var line: Int { node.mark?.line ?? 1 }
    private var column: Int { node.mark?.column ?? 1 }
    /// `FILE:LINE:COLUMN`, as in errors.
    package var position: String { "\(file):\(line):\(column)" }
    package var isMapping: Bool { node.mapping != nil }
    package var isList: Bool { node.sequence != nil }

    /// `expected` says what the text must be, for the error.
    package func text(_ expected: ProfileError.Expected? = nil) throws(ProfileError) -> String {
        guard let scalar = node.scalar else { throw fail(.expected(.text, found)) }
        if isPlain(scalar), scalar.string.isEmpty || scalar.string == "~" {
            throw fail(expected.map { .expected($0, found) } ?? .blank(found))
        }
        return scalar.string
    }

    func bytes() throws(ProfileError) -> [UInt8] { Array(try text().utf8) }

    /// A whole number from 0.
    package func count() throws(ProfileError) -> Int {
        let text = try text()
        guard let number = Int(text), number >= 0, String(number) == text else {
            throw fail(.expected(.wholeNumber, .text(text)))
        }
        return number
    }

    /// The number of a version.
    func version() throws(ProfileError) -> Int {
        let text = try text()
        guard let number = VersionRule.number(text) else { throw fail(.versions(.unordered(text))) }
        return number
    }

    func pointer() throws(ProfileError) -> JSONPointer {
        let text = try text()
        guard let pointer = JSONPointer(text) else {
            throw fail(.expected(.pointer, .text(text)))
        }
        return pointer
    }

    package func list() throws(ProfileError) -> [YAMLField] {
        guard let sequence = node.sequence else { throw fail(.expected(.list, found)) }
        return sequence.enumerated().map { child("\($0.offset)", $0.element) }
    }

    /// The members of a mapping, in order.
    package func members() throws(ProfileError) -> [(name: String, value: YAMLField)] {
        guard let mapping = node.mapping else { throw fail(.expected(.mapping, found)) }
        var members: [(name: String, value: YAMLField)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw child("?", key).fail(.expected(.name)) }
            members.append((name, child(name, value)))
        }
        return members
    }

    /// The members of a mapping by name. A name that is not in `known` is refused.
    package func fields(_ known: [String]) throws(ProfileError) -> [String: YAMLField] {
        var mistakes: [ProfileError] = []
        let fields = fields(known) { mistakes.append($0) }
        if let first = mistakes.first { throw first }
        return fields
    }

    /// The same, but goes on after a mistake, which `refuse` gets.
    package func fields(_ known: [String], refuse: (ProfileError) -> Void) -> [String: YAMLField] {
        guard let mapping = node.mapping else {
            refuse(fail(.expected(.mapping, found)))
            return [:]
        }
        var fields: [String: YAMLField] = [:]
        for (key, value) in mapping {
            let name = key.scalar?.string ?? "?"
            if known.contains(name) {
                fields[name] = child(name, value)
            } else {
                refuse(child(name, key).fail(.unknownKey(name, known: known)))
            }
        }
        return fields
    }

    private func child(_ name: String, _ node: Node) -> YAMLField {
        YAMLField(file: file, key: key.isEmpty ? name : "\(key).\(name)", node: node)
    }

    private var found: ProfileError.Found {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? .nothing : .text(scalar.string)
        case .mapping: .mapping
        case .sequence: .list
        case .alias: .alias
        }
    }
}

extension YAMLField {
    private func isPlain(_ scalar: Node.Scalar) -> Bool { scalar.style == .plain || scalar.style == .any }

    /// The value as JSON. Plain scalars have the meaning of YAML 1.2's core schema, with every digit;
    /// numbers that it writes differently from JSON are refused, since YAML parsers disagree about them.
    func json() throws(ProfileError) -> [UInt8] {
        if let scalar = node.scalar { return try json(scalar) }
        var parts: [[UInt8]] = []
        var size = 0
        func add(_ part: [UInt8]) throws(ProfileError) {
            size += part.count
            guard size < Self.mostBytes else { throw fail(.tooLarge) }
            parts.append(part)
        }
        if isList {
            for element in try list() { try add(try element.json()) }
            return [UInt8(ascii: "[")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        }
        for (name, value) in try members() {
            try add(escaped(name.utf8) + [UInt8(ascii: ":")] + (try value.json()))
        }
        return [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }
}

extension YAMLField {
    private func json(_ scalar: Node.Scalar) throws(ProfileError) -> [UInt8] {
        let text = Array(scalar.string.utf8)
        switch scalar.tag.description {
        case "" where isPlain(scalar): break
        case "", "!", "tag:yaml.org,2002:str": return escaped(text)
        case let tag: throw fail(.unsupportedTag(tag))
        }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return Array("null".utf8)
        case "true", "True", "TRUE": return Array("true".utf8)
        case "false", "False", "FALSE": return Array("false".utf8)
        default: break
        }
        guard YAMLNumber(text) != nil else { return escaped(text) }
        guard let value = try? JSON(parsing: text), text == value.slice(JSON.root) else {
            throw fail(.number(scalar.string))
        }
        return text
    }
}

/// A plain scalar that is a number in YAML 1.2's core schema.
private struct YAMLNumber {
    init?(_ text: [UInt8]) {
        let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
        let rest = text.dropFirst(isSigned ? 1 : 0)
        let word = String(decoding: rest, as: UTF8.self)
        if [".inf", ".Inf", ".INF"].contains(word) { return }
        if !isSigned, [".nan", ".NaN", ".NAN"].contains(word) { return }
        if !isSigned, text.count > 2, text[0] == UInt8(ascii: "0") {
            let digits = text.dropFirst(2)
            if text[1] == UInt8(ascii: "o"), digits.allSatisfy({ (0x30...0x37).contains($0) }) { return }
            if text[1] == UInt8(ascii: "x"), digits.allSatisfy({ hexValue($0) != nil }) { return }
        }
        guard Self.isDecimal(rest) else { return nil }
    }

    /// Digits with an optional point, and an optional exponent.
    private static func isDecimal(_ text: ArraySlice<UInt8>) -> Bool {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
        else { return false }
        if mantissa.endIndex == text.endIndex { return true }
        let exponent = text[(mantissa.endIndex + 1)...]
        let isSigned = exponent.first == UInt8(ascii: "-") || exponent.first == UInt8(ascii: "+")
        let digits = exponent.dropFirst(isSigned ? 1 : 0)
        return !digits.isEmpty && digits.allSatisfy(\.isDigit)
    }
}

extension ProfileError {
    /// From an error of the YAML library.
    fileprivate init(_ error: any Error, file: String, _ yaml: String) {
        var place = (line: 1, column: 1)
        var reason = ProfileError.Reason.syntax("\(error)")
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            place = (mark.line, mark.column)
            reason = .syntax(problem)
        case .reader(let problem, let offset, _, let text):
            let before = text.utf8.prefix(offset ?? 0).split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            place = (max(1, before.count), (before.last?.count ?? 0) + 1)
            reason = .syntax(problem)
        case .duplicatedKeysInMapping(let keys, let context):
            let first = (line: context.mark.line, column: context.mark.column)
            place = RepeatedKey(keys.first ?? "", first: first, in: yaml).second ?? first
            reason = .repeatedKeys(keys)
        default: break
        }
        self.init(file: file, line: place.line, column: place.column, key: "", reason: reason)
    }
}
