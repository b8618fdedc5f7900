package import Model

/// The result of one `stat` call.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    package var signature: Signature
    /// The permission bits: the lower 12 bits.
    package var mode: UInt32
    package var owner: UInt32
    package var ownerGroup: UInt32
    package var links: UInt64
    /// Allocated bytes, in whole blocks; less than the size for a sparse file.
    package var allocated: Int64
    /// When the file was created, in nanoseconds since 1970; 0 if the file system does not record it.
    package var born: Int64
    /// The entry is on another mount than the root it was reached from.
    package var isMountPoint: Bool

    package init(
        kind: FileKind,
        signature: Signature,
        mode: UInt32,
        owner: UInt32,
        ownerGroup: UInt32,
        links: UInt64,
        allocated: Int64,
        born: Int64 = 0,
        isMountPoint: Bool = false
    ) {
        self.kind = kind
        self.signature = signature
        self.mode = mode
        self.owner = owner
        self.ownerGroup = ownerGroup
        self.links = links
        self.allocated = allocated
        self.born = born
        self.isMountPoint = isMountPoint
    }
}

/// One entry of a directory.
package struct DirectoryEntry: Hashable, Sendable {
    /// The name as stored on the disk; not always UTF-8.
    package var bytes: [UInt8]
    /// `nil` where the directory does not report it.
    package var kind: FileKind?

    package init(bytes: [UInt8], kind: FileKind?) {
        self.bytes = bytes
        self.kind = kind
    }
}

package enum RenameMode: Sendable, Hashable {
    /// Fails with `.exists` if the target exists (`RENAME_NOREPLACE`).
    case exclusive
    /// Swaps the two; fails with `.missing` if the target does not exist (`RENAME_EXCHANGE`).
    case exchange
    /// Replaces the target without looking at it (`rename`).
    case replace
}
