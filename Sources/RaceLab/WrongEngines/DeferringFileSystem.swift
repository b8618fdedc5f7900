import DirectoryReplica
import FileSystem
import Model
import Replica
import StateStore

/// Actions that are deferred until the journal has recorded them.
final class Deferred {
    fileprivate(set) var renames: [(from: Location, to: Location, mode: RenameMode)] = []
    fileprivate var carryOut: (Location, Location, RenameMode) -> Void = { _, _, _ in }

    func flush() {
        let due = renames
        renames = []
        for one in due { carryOut(one.from, one.to, one.mode) }
    }
}

/// Publishes documents only after the journal has recorded their new contents.
struct DeferringFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    let base: InterposedFileSystem<G>
    let deferred = Deferred()

    init(_ base: InterposedFileSystem<G>) {
        self.base = base
        deferred.carryOut = { from, to, mode in try? base.rename(from, to: to, mode) }
    }

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        if isContainerDocument(to), mode != .replace {
            deferred.renames.append((from, to, mode))
            return
        }
        if isPending(from) { deferred.flush() }
        try base.rename(from, to: to, mode)
    }

    /// Ignores the temporary files of killed runs.
    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        try base.list(directory).filter { !$0.bytes.starts(with: TemporaryName.prefix.utf8) }
    }

    /// A file that is still to be displaced is at its old location.
    func open(_ file: Location) throws(FileError) -> Handle {
        try base.open(deferred.renames.first { $0.from == file && $0.mode == .exchange }?.to ?? file)
    }

    func remove(_ file: Location) throws(FileError) {
        if isPending(file) { deferred.flush() }
        try base.remove(file)
    }

    private func isPending(_ file: Location) -> Bool { deferred.renames.contains { $0.from == file } }
}

/// Performs the deferred actions after recording them.
struct HastyJournal: ForwardingJournal {
    let base: LabJournal
    let deferred: Deferred

    func record(_ entries: [JournalEntry]) throws(JournalError) {
        try base.record(entries)
        deferred.flush()
    }
}

/// Keeps only the fields of a document that the older of two versions has.
struct ForgetfulJournal: ForwardingJournal {
    let base: LabJournal

    func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        guard var known = try base.content(of: document) else { return nil }
        guard var content = TestDocument(known.newest, isVersioned: true),
            content.remove(TestDocument.newestOnly)
        else {
            return known
        }
        known.newest = content.bytes(.tight)
        return known
    }
}
