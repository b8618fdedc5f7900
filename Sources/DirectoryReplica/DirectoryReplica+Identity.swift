import FileSystem
package import Model
package import Replica

/// The directory bears a mark, an extended attribute with a value of its own, which is there again when the
/// directory was moved to another disk, restored from a copy or mounted anew; its device and inode are not.
/// Where no mark can be made, these alone tell, and for as long as the directory is open.
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
        // While the opened one is still there, this one is a copy of it.
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

    /// Some file systems have no marks.
    package func bear(_ mark: String) {
        try? files.addAttribute(Self.markAttribute, to: root, Array(mark.utf8))
    }

    package func reopen() throws(FileError) { try files.reopen(root) }
}
