import FileSystem
import Glibc
import Model

/// The files on which a process holds a lock, of whichever kind.
enum FileLocks {
    static var inodes: Set<UInt64> { inodes(in: "/proc/locks", with: "") }

    /// By its open descriptors: the process that took the lock may have ended.
    static func inodes(heldBy process: pid_t) -> Set<UInt64> {
        let directory = "/proc/\(process)/fdinfo"
        return RealTree.names(in: directory).reduce(into: []) { found, number in
            found.formUnion(inodes(in: "\(directory)/\(number)", with: "lock:"))
        }
    }

    private static func inodes(in table: String, with word: String) -> Set<UInt64> {
        let text = String(decoding: RealTree.read(table) ?? [], as: UTF8.self)
        return Set(text.split(separator: "\n").filter { $0.hasPrefix(word) }.compactMap(inode))
    }

    /// `1: FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF`; a lock that is waited for has `->` before its kind.
    private static func inode(_ line: Substring) -> UInt64? {
        let fields = line.split(separator: " ")
        guard fields.count > 5, fields[1] != "->" else { return nil }
        return fields[5].split(separator: ":").last.flatMap { UInt64($0) }
    }
}

extension Observer {
    /// The locked files that may stand for a document: itself, those beside it and at the top, and those that
    /// its writers have locked elsewhere.
    func locks(of path: RelativePath, _ side: Side) -> Set<UInt64> {
        let locked = FileLocks.inodes
        guard !locked.isEmpty else { return [] }
        let files = [nil, path.directory].flatMap { inodes(in: Directory(Root(side), $0)) }
        let beside = locked.intersection(files)
        guard locked.count > beside.count else { return beside }
        return settings.locked(locked, on: side).union(beside)
    }

    private func inodes(in directory: Directory) -> [UInt64] {
        let entries = (try? files.list(directory)) ?? []
        return entries.compactMap { entry in
            guard entry.kind == .regular, let name = String(validating: entry.bytes, as: UTF8.self),
                let file = RelativePath.child(of: directory.path, name)
            else { return nil }
            return (try? files.status(of: Location(directory.root, file))).map { UInt64($0.signature.inode) }
        }
    }

    /// What is locked although all is at rest guards no document: nobody else could ever take it.
    func noteRestingLocks() {
        guard !sightings.locks.isEmpty else { return }
        let isFirst = restingLocks?.changes != sightings.changes
        let held = FileLocks.inodes
        restingLocks = (sightings.changes, isFirst ? held : restingLocks?.inodes.intersection(held) ?? held)
    }
}
