/// Words about a document, with the place in it that they speak of kept apart. Where the file is named, too,
/// the place stands with its name.
package struct LocatedText: Sendable, Hashable, Codable {
    private var before: String
    package private(set) var position: JSONPosition?
    private var after: String

    /// As they go over an agent's socket.
    private enum CodingKeys: String, CodingKey { case before, position, after }

    package init(_ text: String, at position: JSONPosition? = nil) {
        before = ""
        self.position = position
        after = text
    }

    /// The same, behind these words.
    package func behind(_ words: String) -> LocatedText {
        var text = self
        text.before = words + before
        return text
    }

    /// In one line, with the place.
    package var text: String { before + (position.map { "\($0.text): " } ?? "") + after }

    package var withoutPosition: String { before + after }
}

extension LocatedText: ExpressibleByStringInterpolation {
    /// Words about no place.
    package init(stringLiteral text: String) { self.init(text) }
}
