package import Reconciliation
package import Storage

/// The journal of a simulated world: it fails, dies in the middle, and forgets its last transactions in a
/// power cut.
package final class LabJournal: Journal {
    package let instance: String
    /// Asked before each transaction, with `false`, and after it, with `true`.
    var interrupt: (_ isWritten: Bool) -> JournalError? = { _ in nil }
    var isDead: () -> Bool = { false }
    private var memory: MemoryJournal
    private var transactions: [[JournalEntry]] = []
    private var values: [String: String] = [:]
    /// So many transactions are on the platter for sure.
    private var checkpoint = 0

    package init(instance: String) {
        self.instance = instance
        memory = MemoryJournal(instance: instance)
    }

    /// Goes on from what another one holds.
    func resume(from other: LabJournal) {
        memory = other.memory.copy()
        transactions = other.transactions
        values = other.values
        checkpoint = other.checkpoint
    }

    private static let dead = JournalError(reason: "the process is dead")

    private func alive() throws(JournalError) { if isDead() { throw Self.dead } }

    package func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        try alive()
        return try memory.documents()
    }

    func record(of document: RelativePath) -> DocumentRecord? { memory.record(of: document) }

    package func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] {
        try alive()
        return try memory.madeDirectories()
    }

    package func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        try alive()
        return try memory.content(of: document)
    }

    package func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        try alive()
        return try memory.lastGeneration(of: document)
    }

    package func lastNotice() throws(JournalError) -> Int64 {
        try alive()
        return try memory.lastNotice()
    }

    package func record(_ entries: [JournalEntry]) throws(JournalError) {
        try alive()
        guard !entries.isEmpty else { return }
        if let error = interrupt(false) { throw error }
        try memory.record(entries)
        transactions.append(entries)
        if let error = interrupt(true) { throw error }
    }

    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try memory.events(of: document)
    }

    package func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try memory.events(afterNotice: sequence)
    }

    package func value(of key: String) throws(JournalError) -> String? { values[key] }

    package func setValue(_ value: String, of key: String) throws(JournalError) { values[key] = value }

    // MARK: Power

    func writeBack() { checkpoint = transactions.count }

    /// The power goes: a tail of what no checkpoint has reached is gone, and no more than a tail.
    func powerCut(choosing chance: inout Chance) {
        let loose = transactions.count - checkpoint
        let lost = loose == 0 ? 0 : chance.below(loose + 1)
        transactions.removeLast(lost)
        checkpoint = transactions.count
        memory = MemoryJournal(instance: instance)
        for entries in transactions { try? memory.record(entries) }
    }
}
