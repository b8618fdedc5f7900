package import FileSystem
package import FileSystemSimulation
package import Model
import RaceLab
import SyncEngine

/// The file system of the simulated disk, with a record and checks of what the engine does to names.
package struct LabFileSystem: FileSystem {
    package typealias Handle = SimulatedDisk.Handle

    package let fuzzWorld: FuzzWorld
    private var disk: SimulatedDisk { fuzzWorld.disk }

    package init(_ fuzzWorld: FuzzWorld) { self.fuzzWorld = fuzzWorld }

    package var timestampGrain: Duration { disk.timestampGrain }

    // MARK: Looking

    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        try disk.list(directory)
    }
    package func status(of file: Location) throws(FileError) -> FileStatus { try disk.status(of: file) }
    package func status(of directory: Directory) throws(FileError) -> FileStatus {
        try disk.status(of: directory)
    }
    package func foldsCase(_ directory: Directory) -> Bool { disk.foldsCase(directory) }
    package func standing(at root: Root) throws(FileError) -> FileStatus { try disk.standing(at: root) }
    package func open(_ file: Location) throws(FileError) -> Handle {
        let handle = try disk.open(file)
        fuzzWorld.tell(.opened, of: file)
        return handle
    }
    package func status(of handle: Handle) throws(FileError) -> FileStatus { try disk.status(of: handle) }
    package func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        let bytes = try disk.read(handle, limit: limit)
        fuzzWorld.tell(.read, of: handle.file)
        return bytes
    }
    package func isOpenForWriting(_ handle: Handle) -> Bool? { disk.isOpenForWriting(handle) }
    package func close(_ handle: Handle) { disk.close(handle) }
    package func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try uninterrupted { () throws(FileError) in try disk.attribute(name, at: root) }
    }

    // MARK: Writing

    package func create(_ file: Location) throws(FileError) -> Handle {
        let handle = try disk.create(file)
        if isDocument(file.path), file.root != .state { fuzzWorld.sample(file) }
        return handle
    }
    package func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        try disk.write(bytes, to: handle)
    }
    package func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        try disk.copyAttributes(of: source, to: handle)
    }
    package func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        try disk.copyAttributes(of: source, to: directory)
    }
    package func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        try uninterrupted { () throws(FileError) in try disk.setAttribute(name, of: handle, to: value) }
    }
    package func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try uninterrupted { () throws(FileError) in try disk.attribute(name, of: handle) }
    }
    /// All programs in these worlds have the same user.
    package func keepRights(of model: Location, with file: Location) {}
    package func keptRights(with file: Location) -> KeptRights? { nil }
    package func setDefaultMode(of handle: Handle) throws(FileError) { try disk.setDefaultMode(of: handle) }
    package func makeReadOnly(_ handle: Handle) throws(FileError) { try disk.makeReadOnly(handle) }
    package func sync(_ handle: Handle) throws(FileError) { try disk.sync(handle) }
    package func sync(_ directory: Directory) throws(FileError) { try disk.sync(directory) }
    package func makeDirectory(_ directory: Location) throws(FileError) { try disk.makeDirectory(directory) }
    package func removeDirectory(_ directory: Location) throws(FileError) {
        try disk.removeDirectory(directory)
    }
    package func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try uninterrupted { () throws(FileError) in try disk.addAttribute(name, to: root, value) }
    }
    package func reopen(_ root: Root) throws(FileError) { try disk.reopen(root) }

    /// No program in these worlds changes a root or an attribute, so nothing can happen between these
    /// calls.
    private func uninterrupted<Value>(_ call: () throws(FileError) -> Value) throws(FileError) -> Value {
        let (meanwhile, fail) = (disk.meanwhile, disk.fail)
        disk.meanwhile = { _, _ in }
        disk.fail = { _, _ in nil }
        defer { (disk.meanwhile, disk.fail) = (meanwhile, fail) }
        return try call()
    }

    // MARK: Names

    package func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        let before = try standing(at: to) { () throws(FileError) in try disk.rename(from, to: to, mode) }
        fuzzWorld.trace.record("rename \(mode.code) to", to.description)
        fuzzWorld.renamed(from, to: to, mode, over: before)
    }

    package func link(_ from: Location, to: Location) throws(FileError) {
        try disk.link(from, to: to)
        fuzzWorld.trace.record("link to", to.description)
        fuzzWorld.tell(.saved, of: to)
        fuzzWorld.published(to)
    }

    package func remove(_ file: Location) throws(FileError) {
        try disk.remove(file)
        fuzzWorld.trace.record("remove", file.description)
        fuzzWorld.tell(.gone, of: file)
        fuzzWorld.removed(file)
    }

    /// What a call finds at a name, including what the world does directly before the call takes effect.
    private func standing(
        at place: Location,
        before call: () throws(FileError) -> Void
    ) throws(FileError) -> Standing? {
        var before: Standing?
        let fail = fuzzWorld.disk.fail
        fuzzWorld.disk.fail = { call, file in
            before = fuzzWorld.disk.world.standing(at: place)
            return fail(call, file)
        }
        defer { fuzzWorld.disk.fail = fail }
        try call()
        return before
    }
}

// MARK: - Judging

extension FuzzWorld {
    private func isContainerDocument(_ place: Location) -> Bool {
        place.root != .state && isDocument(place.path)
    }

    func renamed(_ from: Location, to: Location, _ mode: RenameMode, over before: Standing?) {
        tell(mode == .exchange ? .published : .saved, of: to)
        if mode != .exchange { tell(.gone, of: from) }
        if isContainerDocument(from) {
            sample(from)
            watch.add(from, at: uptime)
        }
        guard isContainerDocument(to) else { return }
        if isContainerDocument(from) { moved(from, to: to) }
        if mode == .replace { replaced(to, before) }
        published(to)
    }

    /// Records that the engine gave a document this content.
    func published(_ place: Location) {
        guard isContainerDocument(place) else { return }
        sample(place)
        watch.add(place, at: uptime)
        guard let bytes = disk.world.read(place) else { return }
        trace.remark("    " + String(decoding: bytes, as: UTF8.self))
        if !isReadable(bytes, at: place) { broken(.torn(place)) }
        if place.path == faultProfile.pair, Holder.isMixed(bytes) { broken(.mixed(place)) }
    }

    /// The engine renames a file before it removes it.
    func removed(_ file: Location) {
        guard isContainerDocument(file) else { return }
        sample(file)
        watch.add(file, at: uptime)
        broken(.destroyed(file))
    }
}
