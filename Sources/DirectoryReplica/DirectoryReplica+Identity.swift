import FileSystem
package import Model
package import Replica

/// The directory carries its container ID in an extended attribute, which survives moving it to another disk,
/// restoring it from a backup or mounting it again; device and inode do not. Where the attribute cannot be
/// set, device and inode identify it while it is open.
extension DirectoryReplica {
    package static let markAttribute = "widgetbridge.container"

    package func standing(knownBy mark: String?) -> ReplicaStanding {
        do throws(FileError) {
            return try found(knownBy: mark)
        } catch .noDirectory {
            return .gone
        } catch {
            return .unreachable(error)
        }
    }

    private func found(knownBy mark: String?) throws(FileError) -> ReplicaStanding {
        let found = try files.standing(at: root).signature
        let seen = try self.mark()
        let opened = try? files.status(of: Directory(root)).signature
        let isOpened = opened.map(found.isOf) ?? false
        if isOpened, mark == nil || seen == mark { return .same }
        // The opened directory still exists, so this one is a copy of it.
        if isOther(found) { return .other }
        if opened == nil, seen != nil, seen == mark { return .returned }
        let words = "\(found.device) \(found.inode) \(seen ?? "")"
        return isOpened ? .unmarked(words) : .stranger(words)
    }

    private func isOther(_ found: Signature) -> Bool {
        (try? files.standing(at: Root(side.other)).signature).map(found.isOf) ?? false
    }

    package func mark() throws(FileError) -> String? {
        try files.attribute(Self.markAttribute, at: root).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Does nothing on file systems without extended attributes.
    package func bear(_ mark: String) {
        try? files.addAttribute(Self.markAttribute, to: root, Array(mark.utf8))
    }

    package func reopen() throws(FileError) { try files.reopen(root) }
}
