package import Model

/// The announced creation of a document on one side. With it, the next run can tell whether the creation took
/// place.
package struct CreationIntent: Sendable, Hashable {
    package var document: RelativePath
    /// The side that the document is created on.
    package var side: Side
    /// The digests of the created content and of the other side's content.
    package var digests: BothSides<Digest>
    package var versions: BothSides<Int?>
    /// The version of the base.
    package var version: Int?
    /// The base after the creation; `nil` if both sides have the same bytes.
    package var content: BaseContent?
    /// The boot ID of the machine: after a power cut, a temporary file may be missing.
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
