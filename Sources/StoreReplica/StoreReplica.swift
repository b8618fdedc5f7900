import DatabaseStore
import DirectoryReplica
package import FileSystem
package import Model
package import Replica
import Stores

/// One side of a bridge whose container also has stores: files that hold several values, of which documents
/// are some. Every other document is a file of its own.
///
/// A document in a store has a name like any other, and a file of that name is not the document. Its
/// temporary files are those of a directory, with the document's bytes. A displaced store holds more than the
/// document, so it is settled when it is examined: another program's changes of other keys are made to the
/// current file, and its value of the document takes the displaced file's place.
package struct StoreReplica: Replica {
    package var side: Side { base.side }
    var base: DirectoryReplica
    /// `nil` before `begin`. Copies share it: a database is opened once in a process.
    var databases: DatabaseStore?
    private let container: String
    private let onlyLooks: Bool
    /// Reads store files, which may be larger than a document.
    var stores: DirectoryReplica
    let files: any FileSystem
    let layout: StoreLayout
    /// Of the other side: a document there may have no file whose rights could be taken over.
    let otherLayout: StoreLayout
    var settings = ReplicaSettings(maxBytes: .max)
    /// The last contents of composed documents.
    var last: [RelativePath: [UInt8]] = [:]
    /// Displaced stores that are not settled, with the bytes that they should have.
    var unsettled: [Location: DisplacedStore] = [:]
    /// What was committed to stores last, by document, with the signature that the store got.
    var published: [Location: (temporary: Location, store: Signature)] = [:]
    /// Copies share both.
    let singleValues = SingleValues()
    let parsed = ParsedStore()

    /// `container`: the path of the side's container, for SQLite. `onlyLooks`: databases are read without a
    /// change of any file.
    package init(
        _ side: Side,
        of files: any FileSystem,
        at container: String,
        _ layouts: BothSides<StoreLayout>,
        onlyLooks: Bool = false
    ) {
        (self.container, self.onlyLooks) = (container, onlyLooks)
        base = DirectoryReplica(side, of: files)
        stores = base
        self.files = files
        (layout, otherLayout) = (layouts[side], layouts[side.other])
    }

    package mutating func begin(_ settings: ReplicaSettings) {
        self.settings = settings
        base.begin(settings)
        var larger = settings
        larger.maxBytes = max(settings.maxBytes, Self.maxStoreBytes)
        stores.begin(larger)
        databases = DatabaseStore(
            files,
            container: container,
            maxBytes: settings.maxBytes,
            syncs: settings.syncsFiles,
            onlyLooks: onlyLooks
        )
    }

    static let maxStoreBytes = 64 << 20

    package var hasFiles: Bool { true }
    package var exchanges: Bool { base.exchanges }
    /// Programs open the store for other values, too.
    package func exchanges(_ path: RelativePath) -> Bool { layout[path] == nil && base.exchanges(path) }
    package var timestampGrain: Duration { base.timestampGrain }

    package func isUnchanged(_ seen: Signature, since staged: Staged) -> Bool {
        guard layout[staged.target.path] != nil else { return base.isUnchanged(seen, since: staged) }
        guard let last = published[staged.target], last.temporary == staged.temporary else { return false }
        return seen.isRenamed(last.store)
    }

    // A commit completes within the call.
    package func isPending(_ path: RelativePath) -> Bool { false }
    package mutating func step(at now: Duration) -> [RelativePath] {
        onlyLooks ? [] : singleValues.paths.filter { renewValues(of: $0) }
    }
    package var deadline: Duration? { !onlyLooks && singleValues.isDue ? .zero : nil }

    func place(_ path: RelativePath) -> Location { Location(side, path) }

    // MARK: Composed documents

    package var composed: [RelativePath] { layout.composed }
    package mutating func remember(_ bytes: [UInt8], of path: RelativePath) { last[path] = bytes }

    /// Where a document is; `nil` if it is a file of its own.
    func document(_ path: RelativePath) -> StoredDocument? {
        guard case .keyed(var keyed)? = layout[path], keyed.isComposed else { return layout[path] }
        keyed.last = last[path]
        return .keyed(keyed)
    }

    // MARK: Identity

    package func standing(knownBy mark: String?) -> ReplicaStanding { base.standing(knownBy: mark) }
    package func mark() throws(FileError) -> String? { try base.mark() }
    package mutating func bear(_ mark: String) { base.bear(mark) }
    package mutating func reopen() throws(FileError) { try base.reopen() }

    // MARK: Directories

    package mutating func makeDirectories(above path: RelativePath) throws(FileError) {
        try base.makeDirectories(above: path)
    }
    package var madeDirectories: [RelativePath] { base.madeDirectories }
    package mutating func takeDirectoryChanges() -> [DirectoryChange] { base.takeDirectoryChanges() }
    package mutating func forgetDirectories() { base.forgetDirectories() }
    package mutating func removeEmptyDirectories(from directory: RelativePath?) {
        base.removeEmptyDirectories(from: directory)
    }
    package mutating func removeEmptyDirectories() { base.removeEmptyDirectories() }
    package mutating func remember(unsynced path: RelativePath) { base.remember(unsynced: file(of: path)) }
    package mutating func syncDirectory(of path: RelativePath, isDue: Bool) throws(FileError) {
        try base.syncDirectory(of: file(of: path), isDue: isDue)
    }

    /// The file that has the document.
    private func file(of path: RelativePath) -> RelativePath { layout[path]?.file ?? path }
}

extension BothSides where Value == any Replica {
    /// The two containers of a file system, with these stores.
    package init(
        of files: any FileSystem,
        at containers: BothSides<String>,
        _ layouts: BothSides<StoreLayout>,
        onlyLooks: Bool = false
    ) {
        self.init { side in
            if layouts[side].isEmpty, layouts[side.other].isEmpty { return DirectoryReplica(side, of: files) }
            return StoreReplica(side, of: files, at: containers[side], layouts, onlyLooks: onlyLooks)
        }
    }
}
