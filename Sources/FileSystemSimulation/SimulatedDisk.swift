import FileSystem
internal import Glibc
package import Model

/// A disk in memory: it implements `FileSystem`, and lets other processes act between any two calls.
///
/// It is deterministic: it has no clock, draws no random numbers itself, and no order in it depends on
/// hashing. `SimulatedDisk+PowerLoss.swift` has the power cuts, `SimulatedDisk+World.swift` the other
/// processes.
package final class SimulatedDisk: FileSystem {
    /// Called before each method, with the file that it concerns (or a directory; `nil` for a root): other
    /// processes act here.
    package var meanwhile: (SystemCall, Location?) -> Void = { _, _ in }
    /// Called before each method, after `meanwhile`: the fault to inject.
    package var fail: (SystemCall, Location?) -> Fault? = { _, _ in nil }

    /// Nanoseconds since 1970; changes only when it is set.
    package var now: Int64 = 0
    /// Zero: each change has a distinct time. Otherwise times are rounded down to this, so two changes can
    /// have the same time.
    package var timestampGrain: Duration = .zero
    /// In bytes: the disk space of a file is a multiple of it.
    package var blockSize: Int64 = 1
    package var room: Int64?
    /// The inode number of a deleted file is reused next, as on ext4.
    package var reusesInodeNumbers = true
    package var canRenameExclusively = true
    package var canExchange = true
    package var canLink = true
    /// Whether a root can have extended attributes.
    package var canMarkRoots = true
    /// Whether a file can have extended attributes.
    package var canMarkFiles = true
    /// Whether a lease reveals that a process has a file open for writing.
    package var knowsWriters = true
    /// The roots below which names are case-insensitive.
    package var foldingRoots: Set<Root> = []
    /// They fold the case of letters from A to Z alone.
    package var foldsOnlyASCII = false
    /// They have names in small letters only.
    package var lowersNames = false
    /// The roots on file systems of their own; the others share one.
    package let separate: Set<Root>
    /// The user that the bridge runs as.
    package var user: UInt32 = 1000

    /// The number of method calls.
    package private(set) var calls = 0
    /// The bridge's process was killed: every call fails until `restart`.
    package internal(set) var isDead = false

    /// The directory that each root's path leads to.
    var standing = RootNodes()
    /// The directories opened at the start; the paths may lead to others now.
    var opened = RootNodes()
    /// Changes of directories that are not synced, oldest first.
    var unsyncedNames = UnsyncedNames()
    /// Files with changes that are not synced, by the file's age; some may be clean or deleted already.
    var unsyncedFiles: [Int: Node] = [:]
    /// The files that the bridge has open.
    var handles: [Handle] = []
    var numbers = InodeNumbers()
    /// The number of power cuts.
    var powerCuts = 0
    var lastStamp: Int64 = 0
    var born = 0

    package init(separate: Set<Root> = []) {
        self.separate = separate
        for root in Root.allCases { standing[root] = directoryNode(on: device(of: root)) }
        opened = standing
    }

    /// The number of files that the bridge has open.
    package var openHandles: Int { handles.count }

    /// A fault injected into one call.
    package enum Fault: Hashable, Sendable {
        /// The call fails with this error and has no effect. `EINTR` is handled inside and never visible.
        case error(Int32)
        /// A write stores only this many bytes, then fails.
        case short(Int, Int32)
        /// The process is killed in this call: no effect, except that a write stores this many bytes.
        case death(Int = 0)
    }

    /// An open file.
    package final class Handle {
        let node: Node
        package let file: Location
        let isWritable: Bool
        var offset = 0

        init(_ node: Node, _ file: Location, isWritable: Bool) {
            self.node = node
            self.file = file
            self.isWritable = isWritable
        }
    }

    /// Kills the process: its files are closed, and what it wrote stays. For a kill *during* a call, see
    /// `Fault.death`.
    package func kill() {
        isDead = true
        for handle in handles { release(handle) }
    }

    /// Starts a new process, which opens the current directories at the roots' paths.
    package func restart() throws(FileError) {
        kill()
        for root in Root.allCases where standing[root] == nil { throw .noDirectory(Directory(root)) }
        opened = standing
        isDead = false
    }

    /// The error of every call of a killed process.
    package static let deathNumber = EOWNERDEAD
}

// MARK: - Steps

extension SimulatedDisk {
    /// Lets other processes act, then returns the fault, if any; `nil` to go on with the call.
    func step(_ call: SystemCall, _ place: Location?) -> Fault? {
        if isDead { return .error(Self.deathNumber) }
        calls += 1
        meanwhile(call, place)
        if isDead { return .error(Self.deathNumber) }
        let fault = fail(call, place)
        switch fault {
        case .death?: kill()
        case .error(EINTR)?: return nil
        default: break
        }
        return fault
    }

    func enter(_ call: SystemCall, _ file: Location) throws(FileError) {
        guard let fault = step(call, file) else { return }
        throw FileError(Errno(code: fault.number), call, file)
    }

    func enter(_ call: SystemCall, _ directory: Directory) throws(FileError) {
        guard let fault = step(call, directory.path.map { Location(directory.root, $0) }) else { return }
        throw FileError(directory: Errno(code: fault.number), call, directory)
    }

    func device(of root: Root) -> UInt64 {
        switch root {
        case .app where separate.contains(root): 1
        case .group where separate.contains(root): 2
        case .state where separate.contains(root): 3
        default: 0
        }
    }

    /// The timestamp of a change.
    func stamp() -> Int64 {
        let (seconds, attoseconds) = timestampGrain.components
        let grain = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        guard grain == 0 else { return now - now % grain }
        lastStamp = max(now, lastStamp + 1)
        return lastStamp
    }

    func newNode(_ kind: FileKind, on device: UInt64, mode: UInt32) -> Node {
        born += 1
        let number = numbers.take(reusing: reusesInodeNumbers)
        let content = Content(mode: mode, owner: user, ownerGroup: user)
        return Node(born, number, kind, on: device, content, at: stamp())
    }

    func directoryNode(on device: UInt64, mode: UInt32 = 0o700) -> Node {
        let node = newNode(.directory, on: device, mode: mode)
        node.links = 1
        return node
    }
}

extension SimulatedDisk.Fault {
    var number: Int32 {
        switch self {
        case .error(let number), .short(_, let number): number
        case .death: SimulatedDisk.deathNumber
        }
    }

    /// The number of bytes that a failing write stores.
    var stored: Int {
        switch self {
        case .error: 0
        case .short(let count, _), .death(let count): count
        }
    }
}
