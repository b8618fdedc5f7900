package import Model

/// A content in the trash that was never a base, so no event identifies it: a save that was merged, a content
/// that a person replaced, or one that lost a conflict.
package struct OverwrittenContent: Sendable, Hashable {
    package var digest: Digest
    package var document: RelativePath
    package var side: Side
    package var reason: OverwriteReason
    /// Milliseconds since 1970.
    package var at: Int64

    package init(
        digest: Digest,
        document: RelativePath,
        side: Side,
        reason: OverwriteReason,
        at: Int64
    ) {
        self.digest = digest
        self.document = document
        self.side = side
        self.reason = reason
        self.at = at
    }
}
