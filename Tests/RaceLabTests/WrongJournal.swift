import FuzzWorlds
import Model
import RaceLab
import StateStore

/// The lab's journal with one fault.
struct WrongJournal: Journal {
    enum Fault: CaseIterable, Sendable {
        case forgetsNotices, forgetsGenerations, cannotBeOpened, keepsInstance, forgetsContents
        case takesTextsForNewest, forgetsProfile, forgetsViews
        case keepsOneConflict
    }

    let base: LabJournal
    let fault: Fault

    var instance: String { fault == .keepsInstance ? "always" : base.instance }

    func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        if fault == .cannotBeOpened { throw JournalError.other("no database") }
        var documents = try base.documents()
        if fault == .forgetsGenerations {
            for place in documents.indices { documents[place].1.generation = 0 }
        }
        if fault == .takesTextsForNewest {
            for place in documents.indices where documents[place].1.version != nil {
                let record = documents[place].1
                documents[place].1 = DocumentRecord(
                    generation: record.generation,
                    version: 2,
                    sides: record.sides
                )
            }
        }
        return documents
    }
    func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] { try base.madeDirectories() }
    func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        fault == .forgetsContents ? nil : try base.content(of: document)
    }
    func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        fault == .forgetsGenerations ? 0 : try base.lastGeneration(of: document)
    }
    func lastNotice() throws(JournalError) -> Int64 {
        fault == .forgetsNotices ? 0 : try base.lastNotice()
    }
    func record(_ entries: [JournalEntry]) throws(JournalError) { try base.record(entries) }
    func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try base.events(of: document)
    }
    func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try base.events(afterNotice: sequence)
    }
    func allEvents() throws(JournalError) -> [JournalEvent] { try base.allEvents() }
    func conflicts() throws(JournalError) -> [ConflictRecord] {
        let conflicts = try base.conflicts()
        guard fault == .keepsOneConflict else { return conflicts }
        // Of those that lost the same bytes, as if these were all that tells them apart.
        return conflicts.filter { one in !conflicts.contains { $0.digest == one.digest && $0.id > one.id } }
    }
    func overwritten() throws(JournalError) -> [OverwrittenContent] { try base.overwritten() }
    func intents() throws(JournalError) -> [CommitIntent] { try base.intents() }
    func value(of key: String) throws(JournalError) -> String? {
        switch (fault, key) {
        case (.forgetsProfile, "profile"), (.forgetsViews, "views"): nil
        default: try base.value(of: key)
        }
    }
    func values(withPrefix prefix: String) throws(JournalError) -> [(key: String, value: String)] {
        try base.values(withPrefix: prefix)
    }
}
