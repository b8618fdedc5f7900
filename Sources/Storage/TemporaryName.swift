package import Reconciliation

/// The name under which a new content waits to be published, and under which the displaced one comes out.
///
/// `.widgetbridge-DOCUMENT-CONTENT-N`: the first 64 bits of the SHA-256 of the document's own name and of the
/// content that was written. So recovery knows, without any journal, whose it is, and whether it is still the
/// new content (then nothing is lost with it) or something that came out of an exchange (then it may be the
/// only copy of a save).
package struct TemporaryName: Hashable, Sendable {
    package static let prefix = ".widgetbridge-"

    package let document: String
    package let content: String
    package let number: UInt64

    package init(of target: RelativePath, content digest: Digest, number: UInt64) {
        document = Self.mark(of: target)
        content = String(digest.hex.prefix(16))
        self.number = number
    }

    package init?(_ name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        let parts = name.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 16, parts[1].utf8.count == 16,
            let number = UInt64(parts[2], radix: 36)
        else { return nil }
        document = String(parts[0])
        content = String(parts[1])
        self.number = number
    }

    package var text: String { "\(Self.prefix)\(document)-\(content)-\(String(number, radix: 36))" }

    package func belongs(to document: RelativePath) -> Bool { self.document == Self.mark(of: document) }

    package func isContent(_ digest: Digest) -> Bool { digest.hex.hasPrefix(content) }

    private static func mark(of path: RelativePath) -> String {
        String(Digest(of: Array(path.name.utf8)).hex.prefix(16))
    }
}
