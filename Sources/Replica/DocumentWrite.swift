package import Model

/// A content that is to take a document's name.
package struct DocumentWrite: Sendable {
    package var document: RelativePath
    package var bytes: [UInt8]
    package var digest: Digest
    /// What it is to replace; `nil` where nothing is there.
    package var expected: Digest?
    /// The file whose mode, owner and attributes it takes.
    package var model: Location?
    /// What the other side holds, if that is all that it says.
    package var source: Digest?
    /// Keeps the names of temporaries apart.
    package var number: UInt64
    package var isSynced: Bool
    /// Without the right to write.
    package var isReadOnly: Bool
    /// By which it is known for what it is.
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
