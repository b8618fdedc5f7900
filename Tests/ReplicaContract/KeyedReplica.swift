import Model
import Replica

/// One side of a bridge in a store of documents by key.
///
/// It has its identity in the store, and the answers to its own commits, so that a copy can get answers
/// without taking them from the original. Everything else belongs to the store.
struct KeyedReplica: Replica {
    let side: Side
    let store: KeyedStore
    let session: Int
    var settings = ReplicaSettings(maxBytes: .max)
    /// How many answers each request got, by its index.
    private var told: [Int: Int] = [:]

    init(_ side: Side, of store: KeyedStore) {
        (self.side, self.store, session) = (side, store, store.newSession())
    }

    mutating func begin(_ settings: ReplicaSettings) { self.settings = settings }

    /// The swap is atomic, so it replaces only the expected content.
    var exchanges: Bool { true }
    var hasFiles: Bool { false }
    /// Each write has its own version.
    var timestampGrain: Duration { .zero }

    func place(_ path: RelativePath) -> Location { Location(side, path) }
    private var top: Directory { Directory(Root(side)) }

    /// The opened store, and not a replacement: that another store lacks a document says nothing about this
    /// one.
    func contents() throws(FileError) -> KeyedStore.Contents {
        guard store.isOpen(session), let contents = store.standing else { throw .noDirectory(top) }
        return contents
    }

    /// The entry at a place.
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
        // A run that began without a store, and knows none, accepts the first one.
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

    // A key may contain slashes and needs no directories, so none is created, removed or synced.
    mutating func makeDirectories(above path: RelativePath) {}
    var madeDirectories: [RelativePath] { [] }
    mutating func takeDirectoryChanges() -> [DirectoryChange] { [] }
    mutating func forgetDirectories() {}
    mutating func removeEmptyDirectories(from directory: RelativePath?) {}
    mutating func removeEmptyDirectories() {}
    mutating func remember(unsynced path: RelativePath) {}
    mutating func syncDirectory(of path: RelativePath, isDue: Bool) {}
}
