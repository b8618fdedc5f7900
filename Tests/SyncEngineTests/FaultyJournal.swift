import Model
import StateStore

/// A journal that can be made to fail when it is written or read.
final class FaultyJournal: Journal {
    let base = MemoryJournal(instance: "faulty")
    var failure: JournalError?
    /// Called for each transaction.
    var failsToWrite: ([JournalEntry]) -> Bool = { _ in false }
    var failsToRead = false
    private(set) var attempts = 0

    static let full = JournalError.other("database or disk is full")

    private func read<Value>(
        _ body: (MemoryJournal) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        if failsToRead { throw failure ?? Self.full }
        return try body(base)
    }

    var instance: String { base.instance }
    func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        try read { base throws(JournalError) in try base.documents() }
    }
    func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] {
        try read { base throws(JournalError) in try base.madeDirectories() }
    }
    func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        try read { base throws(JournalError) in try base.content(of: document) }
    }
    func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        try read { base throws(JournalError) in try base.lastGeneration(of: document) }
    }
    func lastNotice() throws(JournalError) -> Int64 {
        try read { base throws(JournalError) in try base.lastNotice() }
    }
    func record(_ entries: [JournalEntry]) throws(JournalError) {
        attempts += 1
        if failsToWrite(entries) { throw failure ?? Self.full }
        try base.record(entries)
    }
    func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try read { base throws(JournalError) in try base.events(of: document) }
    }
    func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try read { base throws(JournalError) in try base.events(afterNotice: sequence) }
    }
    func allEvents() throws(JournalError) -> [JournalEvent] {
        try read { base throws(JournalError) in try base.allEvents() }
    }
    func conflicts() throws(JournalError) -> [ConflictRecord] {
        try read { base throws(JournalError) in try base.conflicts() }
    }
    func overwritten() throws(JournalError) -> [OverwrittenContent] {
        try read { base throws(JournalError) in try base.overwritten() }
    }
    func intents() throws(JournalError) -> [CommitIntent] {
        try read { base throws(JournalError) in try base.intents() }
    }
    func value(of key: String) throws(JournalError) -> String? {
        try read { base throws(JournalError) in try base.value(of: key) }
    }
    func values(withPrefix prefix: String) throws(JournalError) -> [(key: String, value: String)] {
        try read { base throws(JournalError) in try base.values(withPrefix: prefix) }
    }
}
