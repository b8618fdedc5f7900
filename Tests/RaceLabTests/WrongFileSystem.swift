import DirectoryReplica
import FileSystem
import FuzzWorlds
import Model
import RaceLab
import Replica
import StateStore

/// The lab's door with one fault, of the kind that an engine's mistake would have.
struct WrongFileSystem: FileSystem {
    enum Fault: CaseIterable, Sendable {
        case tearsWrites, leaksHandles, leavesTemporaries, leavesDirectories
        case replacesForExchange, replacesForExclusive, publishesNothing
        case deniesWriters, looksUnchanged, goesDeaf, alwaysRaces, forgetsConflicts
        case syncsNoFile, syncsNoName
        case movesNothing, losesMoves, cannotMove, weighsBytes
    }

    typealias Handle = LabFileSystem.Handle

    let base: LabFileSystem
    let fault: Fault
    private let seen = Seen()

    /// How each file looked at first.
    private final class Seen { var status: [Location: FileStatus] = [:] }

    init(_ base: LabFileSystem, _ fault: Fault) {
        self.base = base
        self.fault = fault
    }

    var timestampGrain: Duration { base.timestampGrain }

    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] { try base.list(directory) }

    func status(of file: Location) throws(FileError) -> FileStatus {
        var status = try base.status(of: file)
        if fault == .weighsBytes { status.allocated = 0 }
        let isBlind = fault == .looksUnchanged || fault == .goesDeaf && base.fuzzWorld.isQuiet
        guard isBlind, file.root != .state else { return status }
        if let first = seen.status[file] { return first }
        seen.status[file] = status
        return status
    }

    func status(of directory: Directory) throws(FileError) -> FileStatus { try base.status(of: directory) }
    func foldsCase(_ directory: Directory) -> Bool { base.foldsCase(directory) }
    func standing(at root: Root) throws(FileError) -> FileStatus { try base.standing(at: root) }
    func open(_ file: Location) throws(FileError) -> Handle { try base.open(file) }
    func status(of handle: Handle) throws(FileError) -> FileStatus { try base.status(of: handle) }
    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        try base.read(handle, limit: limit)
    }
    func isOpenForWriting(_ handle: Handle) -> Bool? {
        fault == .deniesWriters ? false : base.isOpenForWriting(handle)
    }
    func close(_ handle: Handle) { if fault != .leaksHandles { base.close(handle) } }

    func create(_ file: Location) throws(FileError) -> Handle { try base.create(file) }
    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        try base.write(fault == .tearsWrites ? Array(bytes.prefix(bytes.count - 1)) : bytes, to: handle)
    }
    func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        try base.copyAttributes(of: source, to: handle)
    }
    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        try base.copyAttributes(of: source, to: directory)
    }
    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        try base.setAttribute(name, of: handle, to: value)
    }
    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try base.attribute(name, of: handle)
    }
    func keepRights(of model: Location, with file: Location) {
        base.keepRights(of: model, with: file)
    }
    func keptRights(with file: Location) -> KeptRights? { base.keptRights(with: file) }
    func setDefaultMode(of handle: Handle) throws(FileError) { try base.setDefaultMode(of: handle) }
    func makeReadOnly(_ handle: Handle) throws(FileError) { try base.makeReadOnly(handle) }
    func sync(_ handle: Handle) throws(FileError) { if fault != .syncsNoFile { try base.sync(handle) } }
    func sync(_ directory: Directory) throws(FileError) {
        if fault != .syncsNoName { try base.sync(directory) }
    }

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        let isPublication = to.root != .state && to.path.description.hasSuffix(".json")
        let isMove = isPublication && !from.path.name.hasPrefix(TemporaryName.prefix)
        switch (fault, mode) {
        case (.replacesForExchange, .exchange), (.replacesForExclusive, .exclusive):
            try base.rename(from, to: to, .replace)
        case (.publishesNothing, _) where isPublication: try base.remove(from)
        case (.movesNothing, .exclusive) where isMove: return
        case (.cannotMove, .exclusive) where isMove: throw .unsupported(.rename, to)
        case (.losesMoves, .exclusive) where isMove: try base.rename(from, to: to.lost, mode)
        case (.alwaysRaces, .exclusive) where isPublication: throw .exists(to)
        case (.leavesTemporaries, _) where to.path.description.hasPrefix(Trash.directory): return
        case (.forgetsConflicts, _) where to.path.description.hasPrefix(Trash.conflicts):
            try base.remove(from)
        default: try base.rename(from, to: to, mode)
        }
    }
    func link(_ from: Location, to: Location) throws(FileError) { try base.link(from, to: to) }
    func remove(_ file: Location) throws(FileError) { try base.remove(file) }
    func makeDirectory(_ directory: Location) throws(FileError) { try base.makeDirectory(directory) }
    func removeDirectory(_ directory: Location) throws(FileError) {
        if fault == .leavesDirectories { throw .system(errno: 39, .removeDirectory, directory) }
        try base.removeDirectory(directory)
    }
    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try base.attribute(name, at: root)
    }
    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try base.addAttribute(name, to: root, value)
    }
    func reopen(_ root: Root) throws(FileError) { try base.reopen(root) }
}

extension Location {
    /// A name that nobody looks for.
    fileprivate var lost: Location { RelativePath("\(path).lost").map { Location(root, $0) } ?? self }
}
