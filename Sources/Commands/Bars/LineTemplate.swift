import Documents
import Model

/// A text with fields of a document: `{data.spent} of {data.limit}`.
///
/// A field is the keys and indexes on the way to it, with dots between them, or a JSON Pointer; `#` in front
/// of it counts its elements or members. `{{` and `}}` stand for braces.
struct LineTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case value(JSONPointer)
        case count(JSONPointer)
    }

    let parts: [Part]

    init(parsing text: String) throws(BarError) {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if rest.first == character, character == "{" || character == "}" {
                plain.append(character)
                rest.removeFirst()
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw .openBrace(text) }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(try Self.field(rest[..<end], in: text))
                rest = rest[rest.index(after: end)...]
            } else if character == "}" {
                throw .openBrace(text)
            } else {
                plain.append(character)
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    private static func field(_ name: Substring, in text: String) throws(BarError) -> Part {
        let isCount = name.first == "#"
        let path = isCount ? name.dropFirst() : name
        let pointer =
            path.first == "/"
            ? JSONPointer(String(path))
            : JSONPointer(
                tokens: path.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
            )
        guard let pointer, !pointer.tokens.contains([]) else { throw .noField(String(name), in: text) }
        return isCount ? .count(pointer) : .value(pointer)
    }

    /// With the places of its fields in the template.
    private var fields: [JSONPointer] {
        parts.compactMap { part in
            switch part {
            case .text: nil
            case .value(let pointer), .count(let pointer): pointer
            }
        }
    }

    /// Throws if documents of this rule cannot have one of the fields.
    func check(_ rule: DocumentRule) throws(BarError) {
        for field in fields where !field.isPossible(in: rule) {
            throw .unknownField(field.description, document: rule.path)
        }
        for case .count(let field) in parts where !field.isCountable(in: rule) {
            throw .notCountable(field.description, document: rule.path)
        }
    }

    /// A missing value is empty: the document may have it at another time.
    func text(of document: JSON) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .value(let pointer): ((try? pointer.value(in: document)) ?? nil)?.shown ?? ""
            case .count(let pointer): ((try? pointer.value(in: document)) ?? nil).map { "\($0.count)" } ?? ""
            }
        }.joined()
    }
}

extension JSONValue {
    /// A string without its quotes, a number as it is written.
    fileprivate var shown: String {
        switch self {
        case .null: ""
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        default: String(decoding: bytes, as: UTF8.self)
        }
    }

    fileprivate var count: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 1
        }
    }
}
