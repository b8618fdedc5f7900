package import Model

/// The name under which a new content waits to be published, and under which the displaced one comes out.
///
/// `.widgetbridge-DOCUMENT-CONTENT-EXPECTED-SOURCE-N`: the first 64 bits of the SHA-256 of the document's own
/// name, of the content that was written, of the content that is to come out, and of the other side's content
/// that it was carried from; `0` where there is none. So recovery knows without any journal whose it is, and
/// what it found: the new content, unpublished; the old one, which had been agreed on; or something else,
/// which may be the only copy of a save. And it knows whether what stands at the name was brought there.
///
/// The number only keeps names apart, so it is taken as text: a second name is one digit longer than the
/// first, and that may be more than an integer holds.
package struct TemporaryName: Hashable, Sendable {
    package static let prefix = ".widgetbridge-"

    package let document: String
    package let content: String
    package let expected: String
    package let source: String
    private let number: String

    package init(
        of target: RelativePath,
        content: Digest?,
        expected: Digest?,
        source: Digest? = nil,
        number: UInt64
    ) {
        document = Self.mark(of: target)
        self.content = Self.mark(content)
        self.expected = Self.mark(expected)
        self.source = Self.mark(source)
        self.number = String(number, radix: 36)
    }

    package init?(_ name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        let parts = name.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].utf8.count == 16, parts[1...3].allSatisfy(Self.isMark),
            Self.isNumber(parts[4])
        else { return nil }
        document = String(parts[0])
        content = String(parts[1])
        expected = String(parts[2])
        source = String(parts[3])
        number = String(parts[4])
    }

    package var text: String { "\(Self.prefix)\(document)-\(content)-\(expected)-\(source)-\(number)" }

    package func belongs(to document: RelativePath) -> Bool { self.document == Self.mark(of: document) }

    /// What was written to it, or what was to come out of its document: nothing is lost with it.
    package func isKnown(_ digest: Digest) -> Bool {
        let mark = Self.mark(digest)
        return mark == content || mark == expected
    }

    /// What was to come out, of which everything else that came out was made.
    package func isExpected(_ digest: Digest) -> Bool { Self.mark(digest) == expected }

    package func isContent(_ digest: Digest) -> Bool { Self.mark(digest) == content }

    package func isSource(_ digest: Digest) -> Bool { Self.mark(digest) == source }

    /// How many publications after that one its content was: one over it, or over what came over it. `nil`:
    /// nothing tells.
    package func steps(from digest: Digest, through others: [TemporaryName]) -> Int64? {
        var step = self
        for count in 1...Int64(others.count + 1) {
            if step.isExpected(digest) { return count }
            guard let before = others.first(where: { $0.document == document && $0.content == step.expected })
            else { return nil }
            step = before
        }
        return nil
    }

    /// It was carried from the other side as that had it.
    package var isCarried: Bool { source != Self.mark(nil) }

    private static func mark(of path: RelativePath) -> String { mark(Digest(of: Array(path.name.utf8))) }

    private static func mark(_ digest: Digest?) -> String { digest?.shortHex ?? "0" }

    private static func isMark(_ text: Substring) -> Bool { text == "0" || text.utf8.count == 16 }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
