import Yams

/// A value of a profile's or a configuration's YAML, which knows where it stands.
///
/// Scalars are taken as text: `no` is a word, and a number keeps its digits.
package struct YAMLField {
    package let file: String
    /// The way to it, its parts parted by dots; empty for the root.
    let key: String
    private let node: Node

    /// Bytes of a profile, and of a value in it: aliases may stand for much more than they take.
    private static let mostBytes = 1 << 20
    /// Levels of nesting. What reads YAML calls itself for each.
    private static let mostDepth = 200

    package static func root(of yaml: String, file: String) throws(ProfileError) -> YAMLField {
        if let line = lineTooDeep(yaml) {
            throw ProfileError(file: file, line: line, column: 1, key: "", reason: "too large or too deep")
        }
        do {
            guard let node = try Yams.compose(yaml: yaml) else {
                throw ProfileError(file: file, line: 1, column: 1, key: "", reason: "the file is empty")
            }
            return YAMLField(file: file, key: "", node: node)
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(error, file: file)
        }
    }

    /// The line where the text may go in too deep, or is too long.
    private static func lineTooDeep(_ yaml: String) -> Int? {
        guard yaml.utf8.count <= mostBytes else { return 1 }
        var line = 1
        var brackets = 0
        // Every level of a block takes a column before its text.
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

    package func fail(_ reason: String) -> ProfileError {
        ProfileError(
            file: file,
            line: node.mark?.line ?? 1,
            column: node.mark?.column ?? 1,
            key: key,
            reason: reason
        )
    }

    /// The same about something inside, as near to it as there is a place.
    func fail(at pointer: JSONPointer, _ reason: String) -> ProfileError {
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

    package var isMapping: Bool { node.mapping != nil }
    package var isList: Bool { node.sequence != nil }

    package func text() throws(ProfileError) -> String {
        guard let scalar = node.scalar else { throw fail("expected text, found \(words)") }
        return scalar.string
    }

    func bytes() throws(ProfileError) -> [UInt8] { Array(try text().utf8) }

    /// A whole number from 0.
    package func count() throws(ProfileError) -> Int {
        let text = try text()
        guard let number = Int(text), number >= 0, String(number) == text else {
            throw fail("expected a whole number, found `\(text)`")
        }
        return number
    }

    func pointer() throws(ProfileError) -> JSONPointer {
        let text = try text()
        guard let pointer = JSONPointer(text) else {
            throw fail("expected a JSON Pointer such as `/data/limit`, found `\(text)`")
        }
        return pointer
    }

    package func list() throws(ProfileError) -> [YAMLField] {
        guard let sequence = node.sequence else { throw fail("expected a list, found \(words)") }
        return sequence.enumerated().map { child("\($0.offset)", $0.element) }
    }

    /// The members of a mapping, in their order.
    package func members() throws(ProfileError) -> [(name: String, value: YAMLField)] {
        guard let mapping = node.mapping else { throw fail("expected a mapping, found \(words)") }
        var members: [(name: String, value: YAMLField)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw child("?", key).fail("expected a name") }
            members.append((name, child(name, value)))
        }
        return members
    }

    /// The members of a mapping by name; a name that is not in `known` is refused.
    package func fields(_ known: [String]) throws(ProfileError) -> [String: YAMLField] {
        guard let mapping = node.mapping else { throw fail("expected a mapping, found \(words)") }
        var fields: [String: YAMLField] = [:]
        for (key, value) in mapping {
            let name = key.scalar?.string ?? "?"
            guard known.contains(name) else {
                throw child(name, key).fail("unknown key; known here: \(known.joined(separator: ", "))")
            }
            fields[name] = child(name, value)
        }
        return fields
    }

    private func child(_ name: String, _ node: Node) -> YAMLField {
        YAMLField(file: file, key: key.isEmpty ? name : "\(key).\(name)", node: node)
    }

    private var words: String {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "`\(scalar.string)`"
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }
}

extension YAMLField {
    /// The value as JSON: plain scalars that JSON knows are what they are there, the rest is text.
    func json() throws(ProfileError) -> [UInt8] {
        if let scalar = node.scalar {
            let text = Array(scalar.string.utf8)
            let isPlain = scalar.style == .plain || scalar.style == .any
            if isPlain, let value = try? JSON(parsing: text), value.kind(JSON.root) != .string,
                text == value.slice(JSON.root)
            {
                return text
            }
            return escaped(text)
        }
        var parts: [[UInt8]] = []
        var size = 0
        func add(_ part: [UInt8]) throws(ProfileError) {
            size += part.count
            guard size < Self.mostBytes else { throw fail("is too large") }
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

extension ProfileError {
    /// From what Yams throws.
    fileprivate init(_ error: any Error, file: String) {
        var place = (line: 1, column: 1)
        var reason = "\(error)"
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            place = (mark.line, mark.column)
            reason = problem
        case .duplicatedKeysInMapping(let keys, let context):
            place = (context.mark.line, context.mark.column)
            reason = "a key stands twice: \(keys.joined(separator: ", "))"
        default: break
        }
        self.init(file: file, line: place.line, column: place.column, key: "", reason: reason)
    }
}
