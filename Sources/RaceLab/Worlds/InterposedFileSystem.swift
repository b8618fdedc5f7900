import FileSystem
import FileSystemSimulation
import Model
import SyncEngine

/// The file system that a world gives to an engine: each call is a step, before which others may act.
struct InterposedFileSystem<G: RaceBackend>: FileSystem {
    typealias Handle = InterposedHandle<G.Files.Handle>

    private let lane: Int
    private unowned let executor: ScheduleExecutor<G>
    private let base: G.Files
    private let process = AgentProcess<G.Files.Handle>()

    init(_ lane: Int, _ executor: ScheduleExecutor<G>) {
        self.lane = lane
        self.executor = executor
        base = executor.backend.files
    }

    /// It was killed; its actions have no effect until it is restarted.
    var isDead: Bool {
        get { process.isDead }
        nonmutating set { process.isDead = newValue }
    }

    /// The process was killed: the kernel closes its files.
    func closeAll() {
        for handle in process.handles { base.close(handle.base) }
        process.handles = []
    }

    /// The open files were on a disk that was reset.
    func forgetAll() { process.handles = [] }

    /// Sends a notice that the group's side has this content, without any check.
    func notify(of path: RelativePath, as bytes: [UInt8]) {
        guard let agent = executor.agents[lane] else { return }
        _ = executor.table.number(of: bytes)
        let notice = Notice(
            sequence: 0,
            kind: path.description,
            document: path,
            generation: 0,
            hash: Digest(of: bytes),
            cause: .app,
            at: 0
        )
        executor.notify(notice, agent)
    }

    // MARK: Steps

    /// Lets others act; then the call may fail, or the engine may be killed in it.
    private func enter(_ call: SystemCall, _ file: Location, isPrivate: Bool) throws(FileError) {
        let number = step(call, isPrivate: isPrivate || file.root == .state)
        touch(file, by: call)
        guard let number else { return }
        throw .system(errno: number, call, file)
    }

    private func enter(_ call: SystemCall, _ directory: Directory) throws(FileError) {
        let number = step(call, isPrivate: directory.root == .state)
        look(at: directory.root)
        guard let number else { return }
        throw .directory(errno: number, call, directory)
    }

    /// The error that the call fails with.
    private func step(_ call: SystemCall, isPrivate: Bool) -> Int32? {
        executor.pass(lane, isPrivate: isPrivate)
        if process.isDead || executor.unrest != nil {
            return SimulatedDisk.deathNumber
        }
        return fault(in: call)
    }

    /// The random error of a call.
    private func fault(in call: SystemCall) -> Int32? {
        guard !executor.isQuiet, executor.faults.isOne(in: executor.scenario.machine.faults) else {
            return nil
        }
        switch call {
        case .create, .write, .makeDirectory, .open, .list, .rename, .link:
            executor.record(.failed, lane, call: call)
            return 5
        default: return nil
        }
    }

    private func did(_ call: SystemCall, _ file: Location? = nil) {
        guard let file, let (document, side) = executor.scenario.document(at: file) else {
            return executor.record(.called, lane, call: call)
        }
        executor.changed(document, side, lane, call)
    }

    private func report(_ evidence: AccessEvent, of file: Location) {
        if executor.scenario.tracksAccess, let (document, side) = executor.scenario.document(at: file) {
            executor.report(evidence, of: document, side)
        }
    }

    private func wrap(_ handle: G.Files.Handle, _ file: Location) -> Handle {
        let wrapped = InterposedHandle(base: handle, file: file)
        process.handles.append(wrapped)
        return wrapped
    }

    // MARK: What the current step touches

    private func touch(_ file: Location, by call: SystemCall) {
        guard executor.trail.isKept else { return }
        let others = file.root.side.map { Footprint.Things.others($0) } ?? .state
        let things =
            executor.scenario.document(at: file).map { Footprint.Things.file($0.number, $0.side) } ?? others
        switch call {
        case .stat, .open, .read, .attributes, .lock: executor.trail.read(things)
        case .list, .makeDirectory, .removeDirectory:
            executor.trail.write(file.root.side.map { .container($0) } ?? .state)
        case .sync, .syncDirectory, .close: break
        case .create, .write, .rename, .link, .remove: executor.trail.write(things)
        }
    }

    private func look(at root: Root) {
        guard executor.trail.isKept else { return }
        executor.trail.read(root.side.map { .container($0) } ?? .state)
    }

    // MARK: Reading

    var timestampGrain: Duration { base.timestampGrain }

    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        try enter(.list, directory)
        executor.record(.called, lane, call: .list)
        return try base.list(directory)
    }

    func status(of file: Location) throws(FileError) -> FileStatus {
        try enter(.stat, file, isPrivate: executor.scenario.document(at: file) == nil)
        executor.record(.called, lane, call: .stat)
        return try base.status(of: file)
    }

    func status(of directory: Directory) throws(FileError) -> FileStatus {
        look(at: directory.root)
        return try base.status(of: directory)
    }

    func foldsCase(_ directory: Directory) throws(FileError) -> Bool { try base.foldsCase(directory) }
    func standing(at root: Root) throws(FileError) -> FileStatus {
        look(at: root)
        return try base.standing(at: root)
    }

    func open(_ file: Location) throws(FileError) -> Handle {
        try enter(.open, file, isPrivate: false)
        executor.record(.called, lane, call: .open)
        let handle = wrap(try base.open(file), file)
        report(.opened, of: file)
        return handle
    }

    func status(of handle: Handle) throws(FileError) -> FileStatus {
        try enter(.stat, handle.file, isPrivate: false)
        return try base.status(of: handle.base)
    }

    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        try enter(.read, handle.file, isPrivate: false)
        let bytes = try base.read(handle.base, limit: limit)
        report(.read, of: handle.file)
        if let (document, side) = executor.scenario.document(at: handle.file) {
            executor.record(
                .read,
                lane,
                document,
                side,
                version: executor.table.number(of: bytes),
                call: .read
            )
        } else {
            executor.record(.called, lane, call: .read)
        }
        return bytes
    }

    /// Not a step of its own for a document: another step would change the meaning of saved schedules.
    func isOpenForWriting(_ handle: Handle) -> Bool? {
        defer { touch(handle.file, by: .lock) }
        if executor.scenario.document(at: handle.file) != nil { return base.isOpenForWriting(handle.base) }
        return step(.lock, isPrivate: false) == nil ? base.isOpenForWriting(handle.base) : nil
    }

    func close(_ handle: Handle) {
        guard let index = process.handles.firstIndex(where: { $0 === handle }) else { return }
        process.handles.remove(at: index)
        base.close(handle.base)
    }

    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try base.attribute(name, at: root)
    }

    // MARK: Writing

    func create(_ file: Location) throws(FileError) -> Handle {
        try enter(
            .create,
            file,
            isPrivate: executor.scenario.document(at: file) == nil && executor.strandCount == 1
        )
        let handle = wrap(try base.create(file), file)
        did(.create, file)
        return handle
    }

    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        try enter(.write, handle.file, isPrivate: executor.scenario.document(at: handle.file) == nil)
        try base.write(bytes, to: handle.base)
        did(.write, handle.file)
    }

    func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        try enter(.attributes, source, isPrivate: false)
        try base.copyAttributes(of: source, to: handle.base)
        did(.attributes)
    }

    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        try enter(.attributes, source)
        try base.copyAttributes(of: source, to: directory)
    }

    /// For a file that nobody knows yet: not a step of its own.
    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        try base.setAttribute(name, of: handle.base, to: value)
    }

    /// Not a step of its own.
    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try base.attribute(name, of: handle.base)
    }

    /// All actors in a world are one user.
    func keepRights(of model: Location, with file: Location) {}
    func keptRights(with file: Location) -> KeptRights? { nil }

    func setDefaultMode(of handle: Handle) throws(FileError) { try base.setDefaultMode(of: handle.base) }
    func makeReadOnly(_ handle: Handle) throws(FileError) { try base.makeReadOnly(handle.base) }

    func sync(_ handle: Handle) throws(FileError) {
        try enter(.sync, handle.file, isPrivate: true)
        try base.sync(handle.base)
        did(.sync)
    }

    func sync(_ directory: Directory) throws(FileError) {
        guard let number = step(.syncDirectory, isPrivate: true) else {
            try base.sync(directory)
            return did(.syncDirectory)
        }
        throw .directory(errno: number, .syncDirectory, directory)
    }

    // MARK: Names

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        try enter(
            .rename,
            from,
            isPrivate: executor.scenario.document(at: from) == nil
                && executor.scenario.document(at: to) == nil
        )
        touch(to, by: .rename)
        try base.rename(from, to: to, mode)
        report(mode == .exchange ? .published : .saved, of: to)
        if mode != .exchange { report(.gone, of: from) }
        if executor.scenario.document(at: from) != nil { did(.rename, from) }
        did(.rename, to)
    }

    func link(_ from: Location, to: Location) throws(FileError) {
        try enter(.link, from, isPrivate: false)
        touch(to, by: .link)
        try base.link(from, to: to)
        report(.saved, of: to)
        did(.link, to)
    }

    func remove(_ file: Location) throws(FileError) {
        try enter(.remove, file, isPrivate: executor.scenario.document(at: file) == nil)
        try base.remove(file)
        report(.gone, of: file)
        did(.remove, file)
    }

    func makeDirectory(_ directory: Location) throws(FileError) {
        try enter(.makeDirectory, directory, isPrivate: false)
        try base.makeDirectory(directory)
        did(.makeDirectory)
    }

    func removeDirectory(_ directory: Location) throws(FileError) {
        try enter(.removeDirectory, directory, isPrivate: false)
        try base.removeDirectory(directory)
        did(.removeDirectory)
    }

    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try base.addAttribute(name, to: root, value)
    }
    func reopen(_ root: Root) throws(FileError) { try base.reopen(root) }
}

/// An open file with its name.
final class InterposedHandle<Base> {
    let base: Base
    let file: Location

    init(base: Base, file: Location) {
        self.base = base
        self.file = file
    }
}

/// What every call needs of its process, without looking for the agent.
private final class AgentProcess<Base> {
    var isDead = false
    var handles: [InterposedHandle<Base>] = []
}

extension Root {
    /// `nil` for the bridge's state.
    fileprivate var side: Side? {
        switch self {
        case .app: .app
        case .group: .group
        case .state: nil
        }
    }
}
