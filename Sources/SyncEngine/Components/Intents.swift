package import Model
package import Replica
package import StateStore

/// Commits that were announced, and may have been made.
///
/// The journal has them before they are made, and the next run determines which were. The component keeps the
/// open announcements, the temporary files that they need, and the generations of publications that could not
/// be recorded. It returns the entries for the journal.
package struct Intents: Sendable {
    /// Commits that an earlier run announced, or that this one could not record.
    private var intents: [RelativePath: CommitIntent] = [:]
    /// Temporary files of documents that were not created, until the journal has recorded that.
    private var unmade: Set<Location> = []
    /// The generations of publications that could not be recorded.
    private var attempted: [RelativePath: Int64] = [:]
    /// The boot ID of the machine; empty if unknown.
    package let boot: String

    package init(_ intents: [CommitIntent] = [], boot: String = "") {
        self.boot = boot
        for intent in intents { self.intents[intent.document] = intent }
    }

    package var hasOpen: Bool { !intents.isEmpty }
    /// The commits to check, in a fixed order.
    package var open: [CommitIntent] { intents.values.sorted { $0.document < $1.document } }
    package func isReplaced(_ document: RelativePath) -> Bool { intents[document]?.change == .replaced }

    /// A commit has ended. One that may have been made and could not be recorded must be checked again.
    package mutating func settle(
        _ document: RelativePath,
        _ announced: CommitIntent?,
        isRecorded: Bool,
        mayBeMade: Bool
    ) -> [JournalEntry] {
        if let announced, !isRecorded, mayBeMade {
            intents[document] = announced
            return []
        }
        guard let intent = announced ?? (isRecorded ? intents[document] : nil) else { return [] }
        return abandon(intent)
    }

    /// The commit needs no check any more.
    package mutating func abandon(_ intent: CommitIntent) -> [JournalEntry] {
        intents[intent.document] = nil
        return [.settledIntent(intent.document)]
    }

    /// Whether it can be checked. After a power cut, what was created or renamed may be missing on either
    /// side, which would look like a deletion.
    package func canBeFound(_ intent: CommitIntent) -> Bool {
        intent.change == .replaced || intent.boot == boot
    }

    /// The state to reconcile if `observed` is found now, as if the document had just been created; `nil` if
    /// that is unknown. If the temporary file is gone, the document was created; if it is missing or
    /// different, a program changed or deleted it afterwards.
    package func found(_ observed: Observation, of intent: CommitIntent) -> Observation? {
        if case .content(let snapshot) = observed, snapshot.digest == intent.record.sides[intent.side].digest
        {
            return observed
        }
        return boot.isEmpty ? nil : .absent
    }

    // MARK: Temporaries

    package var hasUnmade: Bool { !unmade.isEmpty }
    package func isUnmade(_ temporary: Location) -> Bool { unmade.contains(temporary) }

    /// Keeps the temporary file until the journal records that its document was not created; otherwise it
    /// would look created.
    package mutating func rememberUnmade(_ temporary: Location) { unmade.insert(temporary) }
    package mutating func forgetUnmade(_ temporary: Location) { unmade.remove(temporary) }

    /// A temporary file was found. If it is that of an announced creation, the document was not created.
    package mutating func recordTemporary(
        _ name: TemporaryName,
        at place: Location,
        of document: RelativePath
    ) -> [JournalEntry] {
        guard let intent = intents[document], intent.side == place.side, intent.change == .created,
            name.isContent(intent.record.sides[intent.side].digest)
        else { return [] }
        unmade.insert(place)
        return abandon(intent)
    }

    /// The journal has recorded all of them.
    package mutating func takeUnmade() -> [Location] {
        defer { unmade = [] }
        return unmade.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
    }

    // MARK: Generations

    /// The published file has this generation, which the journal does not have. Only this run knows it.
    package mutating func rememberAttempted(_ generation: Int64, of document: RelativePath) {
        attempted[document] = generation
    }

    package mutating func forgetAttempted(_ document: RelativePath) {
        if !attempted.isEmpty { attempted[document] = nil }
    }

    package func attemptedGeneration(of document: RelativePath) -> Int64 { attempted[document] ?? 0 }
}
