import FileSystem
import Glibc
import Model

/// A lock on a file, of whichever kind.
struct FileLock: Hashable {
    let inode: UInt64
    /// The process that took it, which may have ended.
    private let taker: pid_t

    static var inodes: Set<UInt64> { Set(all.map(\.inode)) }

    static var all: [FileLock] { all(in: "/proc/locks", with: "") }

    /// By its open descriptors: the process that took the lock may have ended.
    static func inodes(heldBy process: pid_t) -> Set<UInt64> {
        let directory = "/proc/\(process)/fdinfo"
        return RealTree.names(in: directory).reduce(into: []) { found, number in
            found.formUnion(all(in: "\(directory)/\(number)", with: "lock:").map(\.inode))
        }
    }

    private static func all(in table: String, with word: String) -> [FileLock] {
        let text = String(decoding: RealTree.read(table) ?? [], as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix(word) }.compactMap { FileLock($0) }
    }

    /// `1: FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF`; a lock that is waited for has `->` before its kind.
    private init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count > 5, fields[1] != "->", let taker = pid_t(fields[4]),
            let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        self.inode = inode
        self.taker = taker
    }

    /// `nil` if it has ended.
    var livingTaker: pid_t? {
        let command = taker > 0 ? RealTree.read("/proc/\(taker)/cmdline") ?? [] : []
        return command.isEmpty ? nil : taker
    }

    /// A process may hold what another one took for it, as a shell what `flock 9` took.
    var holders: [pid_t] {
        if let livingTaker { return [livingTaker] }
        let processes = RealTree.names(in: "/proc").compactMap { pid_t($0) }
        return processes.filter { Self.inodes(heldBy: $0).contains(inode) }
    }

    /// Whether the process may use one of these directories, since it has to do with them.
    static func isUser(_ process: pid_t, of directories: [String]) -> Bool {
        let texts = ["cmdline", "environ"].map { RealTree.read("/proc/\(process)/\($0)") ?? [] }
        let descriptors = RealTree.names(in: "/proc/\(process)/fd").map { "/proc/\(process)/fd/\($0)" }
        let files = (["/proc/\(process)/cwd"] + descriptors).compactMap(RealPath.link)
        return directories.contains { directory in
            texts.contains { $0.firstRange(of: Array(directory.utf8)) != nil }
                || files.contains { ($0 + "/").hasPrefix(directory + "/") }
        }
    }
}

extension Observer {
    /// The locked files that may stand for a document: itself, those beside it and at the top, and those that
    /// its writers have locked elsewhere.
    func locks(of path: RelativePath, _ side: Side) -> Set<UInt64> {
        let locks = FileLock.all
        guard !locks.isEmpty else { return [] }
        let files = [nil, path.directory].flatMap { inodes(in: Directory(Root(side), $0)) }
        let locked = Set(locks.map(\.inode))
        let beside = locked.intersection(files)
        guard locked.count > beside.count else { return beside }
        if !settings.processes.isEmpty { return settings.locked(locked, on: side).union(beside) }
        return beside.union(locks.filter(isHeldByUser).map(\.inode))
    }

    /// Whether a process holds the lock that has to do with the containers.
    private func isHeldByUser(_ lock: FileLock) -> Bool {
        guard !othersLocks.contains(lock) else { return false }
        let holders = lock.holders
        if holders.contains(where: { FileLock.isUser($0, of: [settings.app, settings.group]) }) {
            return true
        }
        // To look through all processes again at each change would slow down the observer.
        if lock.livingTaker == nil, !holders.isEmpty { othersLocks.insert(lock) }
        return false
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
    func rememberRestingLocks() {
        guard !sightings.locks.isEmpty else { return }
        let isFirst = restingLocks?.changes != sightings.changes
        let held = FileLock.inodes
        restingLocks = (sightings.changes, isFirst ? held : restingLocks?.inodes.intersection(held) ?? held)
    }
}
