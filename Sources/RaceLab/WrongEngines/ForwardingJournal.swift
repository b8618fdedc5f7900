import Model
import StateStore

/// A journal that forwards every call to another one.
protocol ForwardingJournal: Journal {
    associatedtype Base: Journal
    var base: Base { get }
}

extension ForwardingJournal {
    var instance: String { base.instance }
    func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] { try base.documents() }
    func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] { try base.madeDirectories() }
    func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        try base.content(of: document)
    }
    func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        try base.lastGeneration(of: document)
    }
    func lastNotice() throws(JournalError) -> Int64 { try base.lastNotice() }
    func record(_ entries: [JournalEntry]) throws(JournalError) { try base.record(entries) }
    func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try base.events(of: document)
    }
    func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try base.events(afterNotice: sequence)
    }
    func allEvents() throws(JournalError) -> [JournalEvent] { try base.allEvents() }
    func conflicts() throws(JournalError) -> [ConflictRecord] { try base.conflicts() }
    func overwritten() throws(JournalError) -> [OverwrittenContent] { try base.overwritten() }
    func intents() throws(JournalError) -> [CommitIntent] { try base.intents() }
    func value(of key: String) throws(JournalError) -> String? { try base.value(of: key) }
    func values(withPrefix prefix: String) throws(JournalError) -> [(key: String, value: String)] {
        try base.values(withPrefix: prefix)
    }
}
