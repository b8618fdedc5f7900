package import Model
package import StateStore

/// The conflicts that were resolved by rule and that a person has not resolved, and their entries for the
/// journal.
///
/// It keeps the open conflicts, their approximate size, and the entries about conflicts and overwritten saves
/// outside of a plan that the journal does not have yet. It accesses neither disk nor journal.
package struct ConflictLog: Sendable {
    private var open: [RelativePath: Set<OpenConflict>] = [:]
    /// The size of the conflicts on disk and in the journal; `nil` if it must be counted.
    private var bytes: Int64?
    private var unrecorded: [JournalEntry] = []
    private let maxBytes: Int64

    /// `recorded`: the conflicts in the journal. `kept`: the IDs with a copy; a person may have removed the
    /// others.
    package init(_ recorded: [ConflictRecord.Entry] = [], kept: Set<Substring> = [], maxBytes: Int64) {
        self.maxBytes = maxBytes
        for entry in recorded where kept.contains(entry.id[...]) { add(open: entry) }
    }

    private mutating func add(open entry: ConflictRecord.Entry) {
        guard let document = entry.document else { return }
        open[document, default: []].insert(OpenConflict(entry))
    }

    // MARK: Open conflicts

    package func open(of document: RelativePath) -> [OpenConflict] {
        open[document].map { $0.sorted { $0.id < $1.id } } ?? []
    }

    /// A person resolved it, or it was removed for lack of room.
    package mutating func close(_ id: String, of document: RelativePath) {
        let rest: Set<OpenConflict> = open[document]?.filter { $0.id != id } ?? []
        open[document] = rest.isEmpty ? nil : rest
    }

    // MARK: Entries for the journal

    /// Adds an entry outside of a plan. Its time is set when it is recorded.
    package mutating func add(_ entry: JournalEntry) { unrecorded.append(entry) }

    /// The entries to record now.
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
        addRecorded(entries)
        return entries
    }

    /// The journal has these entries, or will have them.
    package mutating func addRecorded(_ entries: [JournalEntry]) {
        for case .conflict(let record) in entries {
            add(open: record.entry)
            bytes? += record.entry.bytes
        }
    }

    // MARK: Room

    /// Whether the conflicts may exceed their limit and must be counted.
    package var mayBeFull: Bool { bytes.map { isTooMuch($0) } ?? true }
    package func isTooMuch(_ bytes: Int64) -> Bool { bytes > maxBytes }
    /// Once some are removed, enough are removed that the next ones do not exceed the limit again.
    package func isStillTooMuch(_ bytes: Int64) -> Bool { bytes > maxBytes - maxBytes / 8 }
    package mutating func rememberCount(_ bytes: Int64) { self.bytes = bytes }
    /// Approximate; an exact count precedes each removal.
    package mutating func countKept(bytes count: Int) { bytes? += Int64(count) }
}
