import FileSystem
internal import Glibc
package import Model

/// The disk in memory: everything the door promises, and everything the world may do between two calls.
///
/// It is deterministic: it has no clock, draws nothing itself, and no order in it comes from a hash. What a
/// power cut leaves is in `SimulatedDisk+PowerLoss.swift`, what other processes do in
/// `SimulatedDisk+World.swift`.
package final class SimulatedDisk: FileSystem {
    /// Called before each verb, with the file it is about (a directory too; `nil` for a root): here the world
    /// acts.
    package var meanwhile: (SystemCall, Location?) -> Void = { _, _ in }
    /// Asked before each verb, after `meanwhile`: what goes wrong with it.
    package var fail: (SystemCall, Location?) -> Fault? = { _, _ in nil }

    /// Nanoseconds since 1970; goes on only when it is set.
    package var now: Int64 = 0
    /// Zero: each change has a time of its own. Else times are rounded down to it, and changes can look
    /// alike.
    package var timestampGrain: Duration = .zero
    /// Bytes: what a file takes of the disk is a multiple of it.
    package var blockSize: Int64 = 1
    /// The number of a deleted file is the next one's, as on ext4.
    package var reusesInodeNumbers = true
    package var canRenameExclusively = true
    package var canExchange = true
    package var canLink = true
    /// A root can have an extended attribute.
    package var canMarkRoots = true
    /// So can a file.
    package var canMarkFiles = true
    /// A lease tells whether somebody has a file open for writing.
    package var canTellWriters = true
    /// Those beneath which names that differ only in case are one name.
    package var foldingRoots: Set<Root> = []
    /// The roots on file systems of their own; the others share one.
    package let separate: Set<Root>
    /// Whom the bridge runs as.
    package var user: UInt32 = 1000

    /// How many verbs were called.
    package private(set) var calls = 0
    /// The process was killed: nothing works until `restart`.
    package internal(set) var isDead = false

    /// What each root's path leads to.
    var standing = RootNodes()
    /// What was opened at the start; may be another directory by now.
    var opened = RootNodes()
    /// Changes of directories that no sync has reached, oldest first.
    var unsyncedNames: [[NameChange]] = []
    /// Files with changes that no sync has reached, by age of the file; some may be clean or gone already.
    var unsyncedFiles: [Int: Node] = [:]
    /// Our own open files.
    var handles: [Handle] = []
    var numbers = InodeNumbers()
    /// How many power cuts there were.
    var powerCuts = 0
    var lastStamp: Int64 = 0
    var born = 0

    package init(separate: Set<Root> = []) {
        self.separate = separate
        for root in Root.allCases { standing[root] = directoryNode(on: device(of: root)) }
        opened = standing
    }

    /// How many files we hold open.
    package var openHandles: Int { handles.count }

    /// What goes wrong with one call.
    package enum Fault: Hashable, Sendable {
        /// It fails with this number and has no effect. `EINTR` is dealt with below the door and never seen.
        case error(Int32)
        /// A write that stores only so many bytes, and then fails.
        case short(Int, Int32)
        /// The process is killed in this call: it has no effect, save that a write stores so many bytes.
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

    /// The process is killed: its files are closed, what it has written stays. For a kill *in* a call:
    /// `Fault.death`.
    package func kill() {
        isDead = true
        for handle in handles { release(handle) }
    }

    /// A new process: it opens the roots that stand there now.
    package func restart() throws(FileError) {
        kill()
        for root in Root.allCases where standing[root] == nil { throw .noDirectory(Directory(root)) }
        opened = standing
        isDead = false
    }

    /// The number that every call of a killed process fails with.
    package static let deathNumber = EOWNERDEAD
}

// MARK: - Steps

extension SimulatedDisk {
    /// The world acts, then perhaps the fault; `nil` when the verb is to go on.
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

    /// The time of a change.
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

    /// How much of a write is stored.
    var stored: Int {
        switch self {
        case .error: 0
        case .short(let count, _), .death(let count): count
        }
    }
}
