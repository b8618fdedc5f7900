package import Model

/// A journal in memory, for simulations.
package final class MemoryJournal: Journal {
    package private(set) var instance: String
    private var records: [RelativePath: DocumentRecord] = [:]
    private var contents: [RelativePath: BaseContent] = [:]
    private var generations: [RelativePath: Int64] = [:]
    private var directories: BothSides<Set<RelativePath>> = BothSides(app: [], group: [])
    private var events: [JournalEvent] = []
    private var known: [String: ConflictRecord] = [:]
    private var contentsOfTrash: [OverwrittenContent] = []
    private var knownIntents: [RelativePath: CommitIntent] = [:]
    private var values: [String: String] = [:]

    package init(instance: String) { self.instance = instance }

    /// An independent copy.
    package func copy() -> MemoryJournal {
        let copy = MemoryJournal(instance: instance)
        copy.records = records
        copy.contents = contents
        copy.generations = generations
        copy.directories = directories
        copy.events = events
        copy.known = known
        copy.contentsOfTrash = contentsOfTrash
        copy.knownIntents = knownIntents
        copy.values = values
        return copy
    }

    package func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        records.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    package func record(of document: RelativePath) -> DocumentRecord? { records[document] }

    package func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] { knownDirectories() }

    package func knownDirectories() -> [(Side, RelativePath)] {
        Side.allCases.flatMap { side in directories[side].sorted().map { (side, $0) } }
    }

    package func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        contents[document]
    }

    package func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        generations[document] ?? 0
    }

    package func lastNotice() throws(JournalError) -> Int64 {
        events.last { !$0.kinds.isEmpty }.map { $0.firstNotice + Int64($0.kinds.count) - 1 } ?? 0
    }

    package func record(_ entries: [JournalEntry]) throws(JournalError) { apply(entries) }

    package func apply(_ entries: [JournalEntry]) {
        for entry in entries {
            switch entry {
            case .agreed(let path, let record, let content):
                records[path] = record
                contents[path] = content
                generations[path] = record.generation
            case .touched(let path, let record):
                records[path] = record
            case .gone(let path, let generation):
                records[path] = nil
                contents[path] = nil
                generations[path] = generation
            case .event(let event): events.append(event)
            case .madeDirectory(let side, let path): directories[side].insert(path)
            case .removedDirectory(let side, let path): directories[side].remove(path)
            case .conflict(let conflict): known[conflict.id] = conflict
            case .decided(let id): known[id] = nil
            case .overwritten(let content): contentsOfTrash.append(content)
            case .intent(let intent): knownIntents[intent.document] = intent
            case .settledIntent(let path): knownIntents[path] = nil
            case .value(let value, JournalKey.instance): instance = value
            case .value(let value, let key): values[key] = value
            case .dropped(let digests): contentsOfTrash.removeAll { digests.contains($0.digest) }
            }
        }
    }

    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        events.filter { $0.document == document }
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] { events }

    package func overwritten() throws(JournalError) -> [OverwrittenContent] { contentsOfTrash }

    package func conflicts() throws(JournalError) -> [ConflictRecord] {
        known.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    package func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        events.filter { !$0.kinds.isEmpty && $0.firstNotice + Int64($0.kinds.count) - 1 > sequence }
    }

    package func intents() throws(JournalError) -> [CommitIntent] {
        knownIntents.values.sorted { $0.document < $1.document }
    }

    package func value(of key: String) throws(JournalError) -> String? { values[key] }

    package func values(
        withPrefix prefix: String
    ) throws(JournalError) -> [(key: String, value: String)] {
        values.filter { $0.key.utf8.starts(with: prefix.utf8) }.sorted { $0.key < $1.key }
    }
}
