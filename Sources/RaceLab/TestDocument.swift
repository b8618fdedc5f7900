/// A document of the simulated programs: some keys, each with the ID of the edit that set it.
///
/// The programs parse and print it with separate code, so that a bug of the bridge is not hidden by the same
/// bug here.
package struct TestDocument: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var key: String
        /// JSON.
        package var value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }
    }

    /// The version of a versioned document.
    package var version: Int?
    package var fields: [Field]

    package init(version: Int?, fields: [Field] = []) {
        self.version = version
        self.fields = fields
    }

    /// A field that only version 2 has.
    package static let newestOnly = "expenseCount"

    package mutating func set(_ key: String, to id: Int) { set(key, toText: "\"i\(id)\"") }

    package mutating func set(_ key: String, toText text: String) {
        let field = Field(key: key, value: text)
        if let index = fields.firstIndex(where: { $0.key == key }) {
            fields[index] = field
        } else {
            fields.append(field)
        }
    }

    /// `false` if the key was absent.
    package mutating func remove(_ key: String) -> Bool {
        let count = fields.count
        fields.removeAll { $0.key == key }
        return fields.count < count
    }

    package func text(of key: String) -> String? { fields.first { $0.key == key }?.value }

    package func ids(of key: String) -> Set<Int> {
        fields.reduce(into: []) { ids, field in
            if field.key == key { ids.formUnion(Ids.found(in: Array(field.value.utf8))) }
        }
    }
}

// MARK: - Text

/// How a program formats what it saves.
package enum Spelling: Int, CaseIterable, Sendable {
    case tight, spaced, lines, reversed
}

extension TestDocument {
    package func bytes(_ spelling: Spelling) -> [UInt8] {
        let inner = object(spelling == .reversed ? fields.reversed() : fields, spelling)
        guard version == 2 else { return Array(inner.utf8) }
        let parts = ["\"version\"" + colon(spelling) + "2", "\"data\"" + colon(spelling) + inner]
        return Array("{\(parts.joined(separator: comma(spelling)))}".utf8)
    }

    private func object(_ fields: [Field], _ spelling: Spelling) -> String {
        let parts = fields.map { "\"\($0.key)\"" + colon(spelling) + $0.value }
        return "{" + parts.joined(separator: comma(spelling)) + "}"
    }

    private func colon(_ spelling: Spelling) -> String { spelling == .tight ? ":" : ": " }

    private func comma(_ spelling: Spelling) -> String {
        switch spelling {
        case .tight, .reversed: ","
        case .spaced: ", "
        case .lines: ",\n  "
        }
    }

    /// `nil` if no program could parse it.
    package init?(_ bytes: [UInt8], isVersioned: Bool) {
        var reader = FlatReader(bytes)
        guard let members = reader.document() else { return nil }
        var flat: [Field] = []
        var inner: [Field]?
        var version: Int?
        for member in members {
            switch member.value {
            case .scalar(let text) where isVersioned && member.key == "version": version = Int(text)
            case .scalar(let text): flat.append(Field(key: member.key, value: text))
            case .object(let fields): inner = fields
            }
        }
        guard isVersioned else {
            self.init(version: nil, fields: flat)
            return
        }
        if let inner, version == 2 {
            self.init(version: 2, fields: inner)
        } else {
            self.init(version: 1, fields: flat)
        }
    }
}

/// Parses an object of scalars, or of such objects.
private struct FlatReader {
    enum Value {
        case scalar(String)
        case object([TestDocument.Field])
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> [(key: String, value: Value)]? {
        guard let members = object(depth: 0) else { return nil }
        skipSpace()
        return offset == bytes.count ? members : nil
    }

    private mutating func object(depth: Int) -> [(key: String, value: Value)]? {
        guard take("{") else { return nil }
        var members: [(key: String, value: Value)] = []
        if take("}") { return members }
        repeat {
            guard let key = string(), take(":"), let value = value(depth: depth) else { return nil }
            members.append((key, value))
        } while take(",")
        return take("}") ? members : nil
    }

    private mutating func value(depth: Int) -> Value? {
        skipSpace()
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "{") {
            guard depth == 0, let members = object(depth: 1) else { return nil }
            var fields: [TestDocument.Field] = []
            for member in members {
                guard case .scalar(let text) = member.value else { return nil }
                fields.append(TestDocument.Field(key: member.key, value: text))
            }
            return .object(fields)
        }
        if bytes[offset] == UInt8(ascii: "[") { return list().map { .scalar($0) } }
        return scalar().map { .scalar($0) }
    }

    private mutating func scalar() -> String? {
        skipSpace()
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "\"") { return string().map { "\"\($0)\"" } }
        let start = offset
        while offset < bytes.count, !Array(",}] \n\t".utf8).contains(bytes[offset]) { offset += 1 }
        return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }

    /// A list of scalars, printed without spaces.
    private mutating func list() -> String? {
        guard take("[") else { return nil }
        if take("]") { return "[]" }
        var elements: [String] = []
        repeat {
            guard let element = scalar() else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? "[\(elements.joined(separator: ","))]" : nil
    }

    /// Without escapes, which do not occur.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        defer { offset = end + 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while offset < bytes.count, bytes[offset] == 32 || bytes[offset] == 10 || bytes[offset] == 9 {
            offset += 1
        }
    }
}

/// Finds the IDs of edits, `"i17"`, anywhere in a text.
package enum Ids {
    package static func found(in bytes: [UInt8]) -> Set<Int> {
        var ids: Set<Int> = []
        var index = 0
        while index + 2 < bytes.count {
            guard bytes[index] == UInt8(ascii: "\""), bytes[index + 1] == UInt8(ascii: "i") else {
                index += 1
                continue
            }
            var number = 0
            var end = index + 2
            while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) {
                number = number * 10 + Int(bytes[end] - UInt8(ascii: "0"))
                end += 1
            }
            if end > index + 2, end < bytes.count, bytes[end] == UInt8(ascii: "\"") { ids.insert(number) }
            index = end
        }
        return ids
    }
}
