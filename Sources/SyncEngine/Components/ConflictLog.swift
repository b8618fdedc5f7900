package import Model
package import StateStore

/// The conflicts that were settled by rule and wait for a person, and what the journal is to be told of them.
///
/// It owns which conflicts are open, about how much room they take, and what became known of saves that lost
/// one, or were overwritten, beside a plan: until the journal has that. It touches neither disk nor journal.
package struct ConflictLog: Sendable {
    private var open: [RelativePath: Set<OpenConflict>] = [:]
    /// What the conflicts take of the disk and of the journal; `nil` where that has to be counted.
    private var bytes: Int64?
    private var unrecorded: [JournalEntry] = []
    private let maxBytes: Int64

    /// `recorded`: what the journal has. `kept`: the ids whose bytes are there; a person may have taken the
    /// others away.
    package init(_ recorded: [ConflictRecord.Entry] = [], kept: Set<Substring> = [], maxBytes: Int64) {
        self.maxBytes = maxBytes
        for entry in recorded where kept.contains(entry.id[...]) { note(open: entry) }
    }

    private mutating func note(open entry: ConflictRecord.Entry) {
        guard let document = entry.document else { return }
        open[document, default: []].insert(OpenConflict(entry))
    }

    // MARK: Open conflicts

    package func open(of document: RelativePath) -> [OpenConflict] {
        open[document].map { $0.sorted { $0.id < $1.id } } ?? []
    }

    /// A person has decided it, or there was no room for it.
    package mutating func close(_ id: String, of document: RelativePath) {
        let rest: Set<OpenConflict> = open[document]?.filter { $0.id != id } ?? []
        open[document] = rest.isEmpty ? nil : rest
    }

    // MARK: What the journal is told

    /// Beside a plan. When it was is added once it is recorded.
    package mutating func note(_ entry: JournalEntry) { unrecorded.append(entry) }

    /// What is to be recorded now.
    package mutating func takeUnrecorded(at now: Moment) -> [JournalEntry] {
        guard !unrecorded.isEmpty else { return [] }
        let entries = unrecorded.map { entry -> JournalEntry in
            switch entry {
            case .conflict(var record):
                record.at = now.unixMilliseconds
                return .conflict(record)
            case .overwritten(var content):
                content.at = now.unixMilliseconds
                return .overwritten(content)
            default: return entry
            }
        }
        unrecorded = []
        noteRecorded(entries)
        return entries
    }

    /// The journal has these, or will have them.
    package mutating func noteRecorded(_ entries: [JournalEntry]) {
        for case .conflict(let record) in entries {
            note(open: record.entry)
            bytes? += record.entry.bytes
        }
    }

    // MARK: Room

    /// They may take more room than there is for them: they are to be counted.
    package var mayBeFull: Bool { bytes.map { isTooMuch($0) } ?? true }
    package func isTooMuch(_ bytes: Int64) -> Bool { bytes > maxBytes }
    /// Once some have to go, so many go that not every one that comes leads to another count.
    package func isStillTooMuch(_ bytes: Int64) -> Bool { bytes > maxBytes - maxBytes / 8 }
    package mutating func noteCounted(_ bytes: Int64) { self.bytes = bytes }
    /// About as much as a count would find, which follows before anything is dropped.
    package mutating func noteKept(bytes count: Int) { bytes? += Int64(count) }
}
