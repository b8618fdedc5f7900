package import Model

/// A content to write to a document.
package struct DocumentWrite: Sendable {
    package var document: RelativePath
    package var bytes: [UInt8]
    package var digest: Digest
    /// The content to replace; `nil` if the document must be absent.
    package var expected: Digest?
    /// The file whose mode, owner and attributes the new one gets.
    package var model: Location?
    /// Without a model: the mode of any program's new file, and not access for the bridge's user only.
    package var hasDefaultMode = false
    /// The other side's content, if this one is only a copy of it.
    package var source: Digest?
    /// Makes the names of temporary files unique.
    package var number: UInt64
    package var isSynced: Bool
    /// Without write permission.
    package var isReadOnly: Bool
    /// The publication mark that identifies it as the bridge's.
    package var mark: PublicationMark?

    package init(
        _ document: RelativePath,
        bytes: [UInt8],
        digest: Digest,
        over expected: Digest?,
        like model: Location?,
        source: Digest? = nil,
        number: UInt64,
        isSynced: Bool,
        isReadOnly: Bool = false,
        mark: PublicationMark? = nil
    ) {
        (self.document, self.bytes, self.digest, self.expected) = (document, bytes, digest, expected)
        (self.model, self.source, self.number) = (model, source, number)
        (self.isSynced, self.isReadOnly, self.mark) = (isSynced, isReadOnly, mark)
    }
}
