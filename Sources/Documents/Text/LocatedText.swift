/// A text about a document, with a position in the document kept separately, so that it can be shown
/// together with the file's name.
package struct LocatedText: Sendable, Hashable, Codable {
    private var before: String
    package private(set) var position: JSONPosition?
    private var after: String

    /// The keys in which an agent sends it.
    private enum CodingKeys: String, CodingKey { case before, position, after }

    package init(_ text: String, at position: JSONPosition? = nil) {
        before = ""
        self.position = position
        after = text
    }

    /// The same text after `words`.
    package func behind(_ words: String) -> LocatedText {
        var text = self
        text.before = words + before
        return text
    }

    /// One line, with the position.
    package var text: String { before + (position.map { "\($0.text): " } ?? "") + after }

    package var withoutPosition: String { before + after }
}

extension LocatedText: ExpressibleByStringInterpolation {
    /// A text without a position.
    package init(stringLiteral text: String) { self.init(text) }
}
