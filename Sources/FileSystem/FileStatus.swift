package import Model

/// The whole answer of one `stat`.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    package var signature: Signature
    /// The lower 12 bits.
    package var mode: UInt32
    package var owner: UInt32
    package var ownerGroup: UInt32
    package var links: UInt64
    /// Bytes that the file takes of the disk, in whole blocks; a sparse one takes less than its size.
    package var allocated: Int64
    /// It lies on another mount than the root it was reached from.
    package var isMountPoint: Bool

    package init(
        kind: FileKind,
        signature: Signature,
        mode: UInt32,
        owner: UInt32,
        ownerGroup: UInt32,
        links: UInt64,
        allocated: Int64,
        isMountPoint: Bool = false
    ) {
        self.kind = kind
        self.signature = signature
        self.mode = mode
        self.owner = owner
        self.ownerGroup = ownerGroup
        self.links = links
        self.allocated = allocated
        self.isMountPoint = isMountPoint
    }
}

/// One name in a directory.
package struct DirectoryEntry: Hashable, Sendable {
    /// The name as it is on the disk; not always UTF-8.
    package var bytes: [UInt8]
    /// `nil` where the directory does not tell.
    package var kind: FileKind?

    package init(bytes: [UInt8], kind: FileKind?) {
        self.bytes = bytes
        self.kind = kind
    }
}

package enum RenameMode: Sendable, Hashable {
    /// Fails with `.exists` when the target is there (`RENAME_NOREPLACE`).
    case exclusive
    /// Swaps the two; fails with `.missing` when the target is not there (`RENAME_EXCHANGE`).
    case exchange
    /// Takes the place of what is there, unseen (`rename`).
    case replace
}
