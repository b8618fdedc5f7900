import Documents
import Model
import Replica
import StateStore

/// Announces creations in the journal, and checks those of an earlier run.
extension Engine {
    /// One transaction for all of them, and for publications that leave no trace. If it fails, the documents
    /// are written nevertheless; the results are then kept in memory.
    mutating func announce(_ jobs: inout [PendingCommit]) {
        var intents: [Int: CreationIntent] = [:]
        var entries: [JournalEntry] = []
        for place in jobs.indices where jobs[place].failure == nil && !jobs[place].isRaced {
            if let intent = jobs[place].creation(boot: creations.boot) {
                intents[place] = intent
                entries.append(.intent(intent))
            } else if let intent = publication(of: jobs[place]) {
                entries.append(.publication(intent))
            }
        }
        guard !entries.isEmpty, journal.announce(entries) else { return }
        for (place, intent) in intents { jobs[place].intent = intent }
        for intent in entries.compactMap(\.publication) { publications[intent.document] = intent }
    }

    /// Whether a temporary file may be removed: without it, its document looks created until the journal has
    /// recorded that it was not.
    mutating func mayGo(
        _ place: Location,
        _ temporary: TemporaryName,
        of document: RelativePath,
        at now: Moment
    ) -> Bool {
        journal.add(creations.note(temporary, at: place, of: document))
        guard creations.isUnmade(place) else { return true }
        write(at: now)
        guard journal.isEmpty else { return false }
        creations.forgetUnmade(place)
        return true
    }

    /// Temporary files that had to stay until the journal could be written.
    mutating func recoverUnmade(at now: Moment) {
        guard creations.hasUnmade, journal.isEmpty else { return }
        for place in creations.takeUnmade() {
            if let name = TemporaryName(place.path.name) { recover(place, name, at: now) }
        }
        flushDiscards()
    }

    /// Called after the temporary files of earlier runs were found.
    mutating func resumeCreations(at now: Moment) {
        guard creations.hasOpenIntents, halt == nil else { return }
        for intent in creations.openIntents { resume(intent, at: now) }
        write(at: now)
    }

    /// The creation needs no check any more.
    private mutating func abandon(_ intent: CreationIntent) { journal.add(creations.abandon(intent)) }

    private mutating func resume(_ intent: CreationIntent, at now: Moment) {
        let path = intent.document
        guard creations.canBeFound(intent) else { return abandon(intent) }
        if scanner.isUnlisted(path, on: intent.side) { return }
        let observed = look(intent.side, path, rehash: true, record: nil)
        if case .problem = observed { return }
        guard let found = creations.found(observed, of: intent),
            intent.version == rule(for: path).newest, let content = content(of: intent)
        else { return abandon(intent) }
        let (side, source) = (intent.side, intent.side.other)
        let agreed = Plan.Agreed(content: content, versions: intent.versions)
        let reason = ChangeReason.created(in: source)
        var job = lateCommit(of: path, to: side, agreed, .create, reason, observed: found)
        job.signatures[side] = job.input.signature(side).flatMap {
            containers.trusted($0, of: Location(side, path), at: now)
        }
        recordLate(job, at: now)
    }

    /// The base after the creation; if both sides had the same bytes, either may still have them.
    private func content(of intent: CreationIntent) -> BaseContent? {
        if let content = intent.content { return content }
        for side in Side.allCases {
            if case .content(let snapshot) = look(side, intent.document, rehash: true, record: nil),
                snapshot.digest == intent.digests[side]
            {
                return BaseContent(newest: snapshot.bytes)
            }
        }
        return nil
    }
}

extension PendingCommit {
    /// The announcement for a plan that creates a document on one side and writes nothing else; otherwise
    /// `nil`.
    fileprivate func creation(boot: String) -> CreationIntent? {
        guard case .content(let agreed) = plan.agreement,
            let side = Side.allCases.first(where: { staged[$0] != nil && input.isAbsent($0) }),
            plan.writes[side.other] == nil, let created = staged[side]?.digest,
            let source = input.digest(side.other)
        else { return nil }
        return CreationIntent(
            document: path,
            side: side,
            digests: BothSides { $0 == side ? created : source },
            versions: agreed.versions,
            version: input.rule.newest,
            content: created == source ? nil : agreed.content,
            boot: boot
        )
    }
}
