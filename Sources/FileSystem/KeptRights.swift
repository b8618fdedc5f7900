package import Model

/// The permissions that a file had before it was moved to the trash, where only the bridge's user has access.
/// They are stored in an extended attribute, so that they stay with the bytes.
///
/// Set-id bits are not stored: a document needs none.
package struct KeptRights: Sendable, Hashable {
    package var mode: UInt32
    package var owner: UInt32
    package var ownerGroup: UInt32
    /// The access control list, in the kernel's format; empty if there was none.
    package var list: [UInt8]

    package init(mode: UInt32, owner: UInt32, ownerGroup: UInt32, list: [UInt8]) {
        self.mode = mode
        self.owner = owner
        self.ownerGroup = ownerGroup
        self.list = list
    }

    /// The mode of every file in the trash.
    static let modeInTrash: UInt32 = 0o600
    /// The rights equal those of the trash itself, so they need not be stored.
    var isOfTrash: Bool { mode == Self.modeInTrash && list.isEmpty }

    /// The intersection of both, for a content that two documents share: nobody gains access through the
    /// other.
    package func narrowed(to other: KeptRights) -> KeptRights {
        var narrow = self
        narrow.mode &= other.mode
        if (owner, ownerGroup, list) != (other.owner, other.ownerGroup, other.list) {
            (narrow.mode, narrow.list) = (narrow.mode & 0o700, [])
        }
        return narrow
    }

    private static let format: UInt8 = 1
    private static let headSize = 1 + 3 * 4

    package var bytes: [UInt8] {
        [Self.format] + [mode, owner, ownerGroup].flatMap(\.bigEndianBytes) + list
    }

    /// `nil` for an unknown format.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headSize, bytes[0] == Self.format else { return nil }
        self.init(
            mode: UInt32(bigEndian: bytes[1..<5]) & 0o777,
            owner: UInt32(bigEndian: bytes[5..<9]),
            ownerGroup: UInt32(bigEndian: bytes[9..<13]),
            list: Array(bytes[Self.headSize...])
        )
    }
}

extension KeptRights {
    init(_ status: FileStatus) {
        self.init(
            mode: status.mode & 0o777,
            owner: status.owner,
            ownerGroup: status.ownerGroup,
            list: []
        )
    }
}

extension FileSystem {
    /// The stored rights of a file in the trash, or else its own.
    package func readRights(of place: Location) -> KeptRights? {
        guard let handle = try? open(place) else { return nil }
        defer { close(handle) }
        if let known = (try? attribute(OwnAttribute.rights, of: handle)).flatMap({ KeptRights($0) }) {
            return known
        }
        return (try? status(of: handle)).map { KeptRights($0) }
    }
}
