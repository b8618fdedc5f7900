/// The fields that `stat` reports of a file: equal signatures mean that the file is *probably unchanged*.
package struct Signature: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// Nanoseconds since 1970. A rename changes it.
    package var changed: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// The same file with the same bytes, at most renamed.
    package func isRenamed(_ before: Signature) -> Bool {
        isOf(before) && size == before.size && modified == before.modified
    }

    /// The same file or directory, whatever its content.
    package func isOf(_ before: Signature) -> Bool { device == before.device && inode == before.inode }
}
