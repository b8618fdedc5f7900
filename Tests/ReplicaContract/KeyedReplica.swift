import Model
import Replica

/// One side of a bridge in a store of documents by key.
///
/// It owns who it is to the store, and what it was told of the commits that it has sent; so a copy can be
/// asked, and told, without its original hearing less. All else is the store's.
struct KeyedReplica: Replica {
    let side: Side
    let store: KeyedStore
    let session: Int
    var settings = ReplicaSettings(maxBytes: .max)
    /// How often something was told of each request, by its place.
    private var told: [Int: Int] = [:]

    init(_ side: Side, of store: KeyedStore) {
        (self.side, self.store, session) = (side, store, store.newSession())
    }

    mutating func begin(_ settings: ReplicaSettings) { self.settings = settings }

    /// The swap is atomic, so all that it replaces is what was expected.
    var exchanges: Bool { true }
    var hasFiles: Bool { false }
    /// No two writes have one version.
    var timestampGrain: Duration { .zero }

    func place(_ path: RelativePath) -> Location { Location(side, path) }
    private var top: Directory { Directory(Root(side)) }

    /// What was opened, and nothing that has taken its place: that another store lacks a document says
    /// nothing about this one.
    func contents() throws(FileError) -> KeyedStore.Contents {
        guard store.isOpen(session), let contents = store.standing else { throw .noDirectory(top) }
        return contents
    }

    /// Whatever lies at a place.
    func entry(at place: Location) throws(FileError) -> KeyedStore.Entry {
        let contents = try contents()
        guard place.root == Root(side),
            let entry = contents.documents[place.path] ?? contents.aside[place.path]
        else { throw .missing(place) }
        return entry
    }

    // MARK: Later outcomes

    private var sent: [(number: Int, request: KeyedStore.Request)] {
        store.requests.enumerated().filter { $0.element.session == session }.map { ($0.offset, $0.element) }
    }

    func isPending(_ path: RelativePath) -> Bool {
        sent.contains { $0.request.staged.target.path == path && told[$0.number] == nil }
    }

    mutating func step(at now: Duration) -> [RelativePath] {
        store.advance(to: now)
        var found: [RelativePath] = []
        for (number, request) in sent {
            let due = request.tellings.count { $0 <= now }
            guard due > told[number] ?? 0 else { continue }
            told[number] = due
            found.append(request.staged.target.path)
        }
        return found
    }

    var deadline: Duration? {
        sent.compactMap { $0.request.tellings.dropFirst(told[$0.number] ?? 0).first }.min()
    }

    // MARK: Identity

    func standing(knownBy mark: String?) -> ReplicaStanding {
        guard let found = store.standing else { return .gone }
        let words = "\(found.number) \(found.mark ?? "")"
        if store.isOpen(session) { return mark == nil || mark == found.mark ? .same : .unmarked(words) }
        // A run that began without any store, and knows of none, takes the first that comes.
        if mark == nil ? store.hasOpened(session) : mark != found.mark { return .stranger(words) }
        return .returned
    }

    func mark() throws(FileError) -> String? {
        guard let found = store.standing else { throw .noDirectory(top) }
        return found.mark
    }

    func bear(_ mark: String) {
        if store.standing?.mark == nil { store.standing?.mark = mark }
    }

    func reopen() throws(FileError) {
        guard store.standing != nil else { throw .noDirectory(top) }
        store.open(session)
    }

    // MARK: Directories

    // A key may have slashes and needs nothing above it: none is made, so none has to be removed or synced.
    mutating func makeDirectories(above path: RelativePath) {}
    var madeDirectories: [RelativePath] { [] }
    mutating func takeDirectoryChanges() -> [DirectoryChange] { [] }
    mutating func forgetDirectories() {}
    mutating func removeEmptyDirectories(from directory: RelativePath?) {}
    mutating func removeEmptyDirectories() {}
    mutating func note(unsynced path: RelativePath) {}
    mutating func syncDirectory(of path: RelativePath, isDue: Bool) {}
}
