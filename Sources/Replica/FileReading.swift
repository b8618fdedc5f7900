package import Model
package import Stores

/// The content of a document's file.
package struct FileContent: Sendable, Hashable {
    package var bytes: [UInt8]
    package var digest: Digest
    package var signature: Signature
    /// Set if the bridge of this pair of containers published it, and no program changed it since.
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

/// The result of reading a document.
package enum FileReading: Sendable, Hashable {
    case absent
    /// The content is the expected one.
    case same(Signature)
    case content(FileContent)
}

/// Why a document cannot be read. It does not count as absent then.
package enum ReadObstacle: Error, Sendable, Hashable {
    case notRegular(FileKind)
    /// Another file system is mounted over it, or over a directory above it.
    case mountPoint
    case tooLarge(Int64)
    /// It changed during the read.
    case changing
    /// It is not the expected content, and a program has it open for writing.
    case beingWritten
    /// Its store has a backup since then, in nanoseconds since 1970: a program has not finished its save.
    case unfinishedSave(RelativePath, since: Int64)
    case unreadable(FileError)
    /// Its store, or the value in it, cannot be read.
    case store(StoreProblem)
}
