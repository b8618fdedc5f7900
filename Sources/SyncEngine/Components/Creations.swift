package import Model
package import Replica
package import StateStore

/// Documents that are about to be created, or may have been.
///
/// A run that is killed right after it has created a document leaves nothing on the disk that tells of it: no
/// file was displaced. So the journal is told of creations before they are made, and the next run finds out
/// which of them were. It owns the intents that are open, the temporaries that must stay for them, and the
/// generations of what was put into place and could not be recorded. What the journal is to be told it
/// returns.
package struct Creations: Sendable {
    /// What an earlier run was about to create, or this one could not record.
    private var intents: [RelativePath: CreationIntent] = [:]
    /// Temporaries of documents that were not created, while the journal could not be told of that.
    private var unmade: Set<Location> = []
    /// The generations of what was put into place and could not be recorded.
    private var attempted: [RelativePath: Int64] = [:]
    /// Tells one start of the machine from others; empty where that is not known.
    package let boot: String

    package init(_ intents: [CreationIntent] = [], boot: String = "") {
        self.boot = boot
        for intent in intents { self.intents[intent.document] = intent }
    }

    // MARK: Intents

    package var hasOpenIntents: Bool { !intents.isEmpty }
    /// What has to be found out about, in an order of its own.
    package var openIntents: [CreationIntent] { intents.values.sorted { $0.document < $1.document } }

    /// A commit has come to its end. What was made, so that it is not staged any more, and could not be
    /// recorded after all is found out about once more.
    package mutating func settle(
        _ document: RelativePath,
        announced: CreationIntent?,
        isRecorded: Bool,
        isStaged: Bool
    ) -> [JournalEntry] {
        if let announced, !isRecorded, !isStaged {
            intents[document] = announced
            return []
        }
        guard let intent = announced ?? (isRecorded ? intents[document] : nil) else { return [] }
        return abandon(intent)
    }

    /// Nothing has to be found out about it any more.
    package mutating func abandon(_ intent: CreationIntent) -> [JournalEntry] {
        intents[intent.document] = nil
        return [.settledIntent(intent.document)]
    }

    /// It can be found out about. After a power cut what was there may be gone by itself, on either side, and
    /// that would look like a deletion.
    package func canBeFound(_ intent: CreationIntent) -> Bool { intent.boot == boot }

    /// What is to be judged where `observed` is found now, as if it had been made a moment ago; `nil` where
    /// that cannot be told. What is not there, or not as it was made, was made and then changed or deleted by
    /// its program, for its temporary is gone.
    package func found(_ observed: Observation, of intent: CreationIntent) -> Observation? {
        if case .content(let snapshot) = observed, snapshot.digest == intent.digests[intent.side] {
            return observed
        }
        return boot.isEmpty ? nil : .absent
    }

    // MARK: Temporaries

    package var hasUnmade: Bool { !unmade.isEmpty }
    package func isUnmade(_ temporary: Location) -> Bool { unmade.contains(temporary) }

    /// Without it, it would look as if its document had been made, until the journal knows that it was not.
    package mutating func noteUnmade(_ temporary: Location) { unmade.insert(temporary) }
    package mutating func forgetUnmade(_ temporary: Location) { unmade.remove(temporary) }

    /// A temporary was found. Where it is what was to become its document, that was not created.
    package mutating func note(
        _ name: TemporaryName,
        at place: Location,
        of document: RelativePath
    ) -> [JournalEntry] {
        guard let intent = intents[document], intent.side == place.side,
            name.isContent(intent.digests[intent.side])
        else { return [] }
        unmade.insert(place)
        return abandon(intent)
    }

    /// The journal knows of all of them.
    package mutating func takeUnmade() -> [Location] {
        defer { unmade = [] }
        return unmade.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
    }

    // MARK: Generations

    /// What was put there bears this generation, which the journal does not have: it tells of no other run.
    package mutating func noteAttempted(_ generation: Int64, of document: RelativePath) {
        attempted[document] = generation
    }

    package mutating func forgetAttempted(_ document: RelativePath) {
        if !attempted.isEmpty { attempted[document] = nil }
    }

    package func attemptedGeneration(of document: RelativePath) -> Int64 { attempted[document] ?? 0 }
}
