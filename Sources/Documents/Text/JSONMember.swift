/// A member of an object, with the places of its parts in the text.
package struct JSONMember: Sendable {
    /// `nil` if it has half a surrogate pair.
    package let key: String?
    package let kind: JSONNode.Kind
    /// The whole member, from the quote of its key to the end of its value.
    package let range: Range<Int>
    package let valueRange: Range<Int>
    /// Whether the value is a string without half a surrogate pair.
    package let isText: Bool
    private let value: Int

    /// The members of a document, in the order of its text; `nil` if it is no object.
    package static func all(of json: JSON) -> [JSONMember]? {
        guard json.kind(JSON.root) == .object else { return nil }
        return json.members(of: JSON.root).map { key, value in
            JSONMember(
                key: text(key, in: json),
                kind: json.kind(value),
                range: json.range(of: key).lowerBound..<json.range(of: value).upperBound,
                valueRange: json.range(of: value),
                isText: isText(value, in: json),
                value: value
            )
        }
    }

    /// The strings of a document that is an array of strings; `nil` for any other.
    package static func strings(of json: JSON) -> [String]? {
        guard json.kind(JSON.root) == .array else { return nil }
        var strings: [String] = []
        for element in json.elements(of: JSON.root) {
            guard let string = text(element, in: json) else { return nil }
            strings.append(string)
        }
        return strings
    }

    /// The string of the value in its document; `nil` if it is no string, or has half a surrogate pair.
    package func text(in json: JSON) -> String? { Self.text(value, in: json) }

    private static func text(_ node: Int, in json: JSON) -> String? {
        isText(node, in: json) ? String(decoding: json.string(node), as: UTF8.self) : nil
    }

    private static func isText(_ node: Int, in json: JSON) -> Bool {
        json.kind(node) == .string && !json.nodes[node].traits.contains(.loneSurrogate)
    }
}

extension JSONNode.Kind {
    /// The kind of a document's top level.
    package init(of json: JSON) { self = json.kind(JSON.root) }
}
