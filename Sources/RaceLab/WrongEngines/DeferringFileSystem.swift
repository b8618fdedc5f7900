import DirectoryReplica
import FileSystem
import Model
import Replica
import StateStore

/// What is still to be done when the journal says that it has been done.
final class Deferred {
    fileprivate(set) var renames: [(from: Location, to: Location, mode: RenameMode)] = []
    fileprivate var carryOut: (Location, Location, RenameMode) -> Void = { _, _, _ in }

    func flush() {
        let due = renames
        renames = []
        for one in due { carryOut(one.from, one.to, one.mode) }
    }
}

/// Gives documents their new contents only after the journal has recorded that they have them.
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

    /// What a run that was killed has left is not looked for.
    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        try base.list(directory).filter { !$0.bytes.starts(with: TemporaryName.prefix.utf8) }
    }

    /// What will have been displaced is still where it was.
    func open(_ file: Location) throws(FileError) -> Handle {
        try base.open(deferred.renames.first { $0.from == file && $0.mode == .exchange }?.to ?? file)
    }

    func remove(_ file: Location) throws(FileError) {
        if isPending(file) { deferred.flush() }
        try base.remove(file)
    }

    private func isPending(_ file: Location) -> Bool { deferred.renames.contains { $0.from == file } }
}

/// Carries out what was deferred once it has written down that it was carried out.
struct HastyJournal: ForwardingJournal {
    let base: LabJournal
    let deferred: Deferred

    func record(_ entries: [JournalEntry]) throws(JournalError) {
        try base.record(entries)
        deferred.flush()
    }
}

/// Keeps of a document only what the older of the two versions can say.
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
