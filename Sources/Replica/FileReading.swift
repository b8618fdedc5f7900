package import Model

/// What a document's file holds.
package struct FileContent: Sendable, Hashable {
    package var bytes: [UInt8]
    package var digest: Digest
    package var signature: Signature
    /// The bridge of the same pair of containers has published it, and nobody has changed it since.
    package var mark: PublicationMark?

    package init(
        bytes: [UInt8],
        digest: Digest,
        signature: Signature,
        mark: PublicationMark? = nil
    ) {
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
        self.mark = mark
    }
}

/// What reading a document found.
package enum FileReading: Sendable, Hashable {
    case absent
    /// It holds what was expected.
    case same(Signature)
    case content(FileContent)
}

/// Why a document cannot be read. It is never absent for that.
package enum ReadObstacle: Error, Sendable, Hashable {
    case notRegular(FileKind)
    /// Another file system is mounted over it, or over a directory above it.
    case mountPoint
    case tooLarge(Int64)
    /// It changed while it was read.
    case changing
    /// It is not what was expected, and a program has it open for writing.
    case beingWritten
    case unreadable(FileError)
}
