import FileSystem
import Model

/// The files on which a process holds a lock, of whichever kind.
enum FileLocks {
    static var inodes: Set<UInt64> {
        let table = String(decoding: RealTree.read("/proc/locks") ?? [], as: UTF8.self)
        return Set(table.split(separator: "\n").compactMap(inode))
    }

    /// `1: FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF`; a lock that is waited for has `->` before its kind.
    private static func inode(_ line: Substring) -> UInt64? {
        let fields = line.split(separator: " ")
        guard fields.count > 5, fields[1] != "->" else { return nil }
        return fields[5].split(separator: ":").last.flatMap { UInt64($0) }
    }
}

extension Observer {
    /// Whether a document is locked, or a file beside it or at the top, which stands for it.
    func isLocked(_ path: RelativePath, _ side: Side) -> Bool {
        let locked = FileLocks.inodes
        guard !locked.isEmpty else { return false }
        return [nil, path.directory].contains { directory in
            let entries = (try? files.list(Directory(Root(side), directory))) ?? []
            return entries.contains { entry in
                guard entry.kind == .regular, let name = String(validating: entry.bytes, as: UTF8.self),
                    let file = RelativePath.child(of: directory, name),
                    let status = try? files.status(of: Location(side, file))
                else { return false }
                return locked.contains(UInt64(status.signature.inode))
            }
        }
    }
}
