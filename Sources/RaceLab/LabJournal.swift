package import Model
package import StateStore

/// The journal of a simulated world: it can fail, die during a transaction, and lose its last transactions in
/// a power cut.
package final class LabJournal: Journal {
    /// The calls at which a world can interfere.
    package enum Call: Hashable {
        case read
        /// Before and after a transaction. `isValue`: it has no entries about documents.
        case write(isValue: Bool)
        case written(isValue: Bool)
    }

    package private(set) var instance: String
    private let firstInstance: String
    package var interrupt: (Call) -> JournalError? = { _ in nil }
    package var isDead: () -> Bool = { false }
    private var memory: MemoryJournal
    private var transactions: [[JournalEntry]] = []
    /// The number of transactions that are durable.
    private var checkpoint = 0

    package init(instance: String) {
        self.instance = instance
        firstInstance = instance
        memory = MemoryJournal(instance: instance)
    }

    /// Continues with another journal's content.
    package func resume(from other: LabJournal) {
        memory = other.memory.copy()
        transactions = other.transactions.map { $0.filter { $0.newInstance == nil } }
        checkpoint = other.checkpoint
    }

    /// An independent copy.
    package func copy(instance: String) -> LabJournal {
        let copy = LabJournal(instance: instance)
        copy.resume(from: self)
        return copy
    }

    private static let dead = JournalError.other("the process is dead")

    private func reading<Value>(
        _ body: (MemoryJournal) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        if isDead() { throw Self.dead }
        if let error = interrupt(.read) { throw error }
        return try body(memory)
    }

    package func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        try reading { memory throws(JournalError) in try memory.documents() }
    }

    package func record(of document: RelativePath) -> DocumentRecord? { memory.record(of: document) }

    package func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] {
        try reading { memory throws(JournalError) in try memory.madeDirectories() }
    }

    /// For checkers, which do not go through a process.
    package func knownDirectories() -> [(Side, RelativePath)] { memory.knownDirectories() }

    package func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        try reading { memory throws(JournalError) in try memory.content(of: document) }
    }

    package func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        try reading { memory throws(JournalError) in try memory.lastGeneration(of: document) }
    }

    package func lastNotice() throws(JournalError) -> Int64 {
        try reading { memory throws(JournalError) in try memory.lastNotice() }
    }

    package func record(_ entries: [JournalEntry]) throws(JournalError) {
        if isDead() { throw Self.dead }
        guard !entries.isEmpty else { return }
        let isValue = entries.isOfValues
        if let error = interrupt(.write(isValue: isValue)) { throw error }
        try memory.record(entries)
        transactions.append(entries)
        instance = entries.compactMap(\.newInstance).last ?? instance
        if let error = interrupt(.written(isValue: isValue)) { throw error }
    }

    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try reading { memory throws(JournalError) in try memory.events(of: document) }
    }

    package func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try reading { memory throws(JournalError) in try memory.events(afterNotice: sequence) }
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] {
        try reading { memory throws(JournalError) in try memory.allEvents() }
    }

    package func conflicts() throws(JournalError) -> [ConflictRecord] {
        try reading { memory throws(JournalError) in try memory.conflicts() }
    }

    package func overwritten() throws(JournalError) -> [OverwrittenContent] {
        try reading { memory throws(JournalError) in try memory.overwritten() }
    }

    package func intents() throws(JournalError) -> [CommitIntent] {
        try reading { memory throws(JournalError) in try memory.intents() }
    }

    package func value(of key: String) throws(JournalError) -> String? {
        try reading { memory throws(JournalError) in try memory.value(of: key) }
    }

    package func values(
        withPrefix prefix: String
    ) throws(JournalError) -> [(key: String, value: String)] {
        try memory.values(withPrefix: prefix)
    }

    // MARK: Power cut

    package func writeBack() { checkpoint = transactions.count }

    /// Cuts the power: loses some of the last transactions after the checkpoint. `values` draws for
    /// transactions that only have values.
    package func powerCut(choosing random: inout SeededRandom, values: inout SeededRandom) {
        let loose = transactions[checkpoint...].count { !$0.isOfValues }
        var lost = loose == 0 ? 0 : random.below(loose + 1)
        while lost > 0, let last = transactions.popLast() { if !last.isOfValues { lost -= 1 } }
        while transactions.count > checkpoint, transactions.last?.isOfValues == true, values.coin() {
            transactions.removeLast()
        }
        checkpoint = transactions.count
        memory = MemoryJournal(instance: instance)
        for entries in transactions { memory.apply(entries) }
        instance = transactions.lazy.joined().compactMap(\.newInstance).last ?? firstInstance
    }
}

extension JournalEntry {
    fileprivate var newInstance: String? {
        if case .value(let name, JournalKey.instance) = self { name } else { nil }
    }
}

extension [JournalEntry] {
    fileprivate var isOfValues: Bool {
        allSatisfy { if case .value = $0 { true } else { false } }
    }
}
