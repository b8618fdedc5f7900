package import Model

/// A document that is about to be created on one side, so that the next run can tell whether this one still
/// did it.
package struct CreationIntent: Sendable, Hashable {
    package var document: RelativePath
    /// Where it is created.
    package var side: Side
    /// Of what is created there, and of what the other side holds.
    package var digests: BothSides<Digest>
    package var versions: BothSides<Int?>
    /// That of the agreed text.
    package var version: Int?
    /// What is agreed on with that; `nil` where both sides hold the very same bytes.
    package var content: BaseContent?
    /// Which start of the machine it was: after a power cut a temporary may be gone by itself.
    package var boot: String

    package init(
        document: RelativePath,
        side: Side,
        digests: BothSides<Digest>,
        versions: BothSides<Int?>,
        version: Int?,
        content: BaseContent?,
        boot: String
    ) {
        self.document = document
        self.side = side
        self.digests = digests
        self.versions = versions
        self.version = version
        self.content = content
        self.boot = boot
    }
}
