package import Model

/// The name of a temporary file: of a new content before publication, and of the displaced one afterwards.
///
/// `.widgetbridge-DOCUMENT-CONTENT-EXPECTED-SOURCE-N`: the first 64 bits of the SHA-256 of the document's
/// name, of the new content, of the content to be displaced, and of the other side's content if the new one
/// is a copy of it; `0` for none. With these, recovery can classify a leftover file without the journal: the
/// new content, unpublished; the old base; or another content, which may be the only copy of a save. It can
/// also tell whether the bridge published the document's current content.
///
/// The number only makes names unique, so it is handled as text: a second name is one digit longer than the
/// first, and may exceed the range of an integer.
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

    package init(of write: DocumentWrite) {
        self.init(
            of: write.document,
            content: write.digest,
            expected: write.expected,
            source: write.source,
            number: write.number
        )
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

    /// The content that was written, or was to be displaced: deleting it loses nothing.
    package func isKnown(_ digest: Digest) -> Bool {
        let mark = Self.mark(digest)
        return mark == content || mark == expected
    }

    /// The content that was to be displaced; every other displaced content was based on it.
    package func isExpected(_ digest: Digest) -> Bool { Self.mark(digest) == expected }

    package func isContent(_ digest: Digest) -> Bool { Self.mark(digest) == content }

    package func isSource(_ digest: Digest) -> Bool { Self.mark(digest) == source }

    /// How many publications lie between this one and the content: one per file that replaced it, or its
    /// successors. `nil`: unknown.
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

    /// A copy of the other side's content.
    package var isCarried: Bool { source != Self.mark(nil) }

    private static func mark(of path: RelativePath) -> String { mark(Digest(of: Array(path.name.utf8))) }

    private static func mark(_ digest: Digest?) -> String { digest?.shortHex ?? "0" }

    private static func isMark(_ text: Substring) -> Bool { text == "0" || text.utf8.count == 16 }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
