import Documents
import Reconciliation
import Storage

/// A run that is killed right after it has created a document leaves nothing on the disk that tells of it:
/// no file was displaced. So the journal is told of creations before they are made, and the next run finds
/// out which of them were.
extension Engine {
    /// One transaction for all of them. Where it fails they are made all the same: what is achieved is kept
    /// in memory then.
    mutating func announceCreations(_ jobs: inout [PendingCommit]) {
        var intents: [Int: CreationIntent] = [:]
        for place in jobs.indices where jobs[place].failure == nil && !jobs[place].isRaced {
            intents[place] = intent(of: jobs[place])
        }
        let entries = intents.sorted { $0.key < $1.key }.map { JournalEntry.intent($0.value) }
        guard !entries.isEmpty, journal.announce(entries) else { return }
        for (place, intent) in intents { jobs[place].intent = intent }
    }

    private func intent(of job: PendingCommit) -> CreationIntent? {
        guard case .content(let agreed) = job.plan.agreement,
            let side = Side.allCases.first(where: { job.staged[$0] != nil && job.input.isAbsent($0) }),
            job.plan.writes[side.other] == nil, let created = job.staged[side]?.digest,
            let source = job.input.digest(side.other)
        else { return nil }
        return CreationIntent(
            document: job.path,
            side: side,
            digests: BothSides { $0 == side ? created : source },
            versions: agreed.versions,
            version: job.input.rule.newest,
            content: created == source ? nil : agreed.content,
            boot: boot
        )
    }

    /// What was made and could not be recorded after all is found out about once more.
    mutating func settleIntents(of jobs: [PendingCommit]) {
        for job in jobs {
            let isRecorded = job.failure == nil && !job.isRaced
            if let intent = job.intent, !isRecorded, job.staged[intent.side] == nil {
                intents[job.path] = intent
            } else if let intent = job.intent ?? (isRecorded ? intents[job.path] : nil) {
                abandon(intent)
            }
        }
    }

    /// Nothing has to be found out about it any more.
    mutating func abandon(_ intent: CreationIntent) {
        intents[intent.document] = nil
        journal.add([.settledIntent(intent.document)])
    }

    /// Whether a temporary may go: without it, it would look as if its document had been made, until the
    /// journal knows that it was not.
    mutating func mayGo(
        _ place: Location,
        _ temporary: TemporaryName,
        of document: RelativePath,
        at now: Moment
    ) -> Bool {
        if let intent = intents[document], intent.side == place.side,
            temporary.isContent(intent.digests[intent.side])
        {
            abandon(intent)
            unmade.insert(place)
        }
        guard unmade.contains(place) else { return true }
        write(at: now)
        guard journal.isEmpty else { return false }
        unmade.remove(place)
        return true
    }

    /// Those that had to stay until the journal could be written.
    mutating func recoverUnmade(at now: Moment) {
        guard !unmade.isEmpty, journal.isEmpty else { return }
        let places = unmade.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
        unmade = []
        for place in places {
            if let name = TemporaryName(place.path.name) { recover(place, name, at: now) }
        }
        flushDiscards()
    }

    /// After the temporaries of earlier runs were found.
    mutating func resumeCreations(at now: Moment) {
        guard !intents.isEmpty, halt == nil else { return }
        for intent in intents.values.sorted(by: { $0.document < $1.document }) { resume(intent, at: now) }
        write(at: now)
    }

    private mutating func resume(_ intent: CreationIntent, at now: Moment) {
        let path = intent.document
        // A power cut may have taken what was there, on either side: that would look like a deletion.
        guard intent.boot == boot else { return abandon(intent) }
        guard !unlisted.keys.contains(where: { $0.side == intent.side && path.isInside($0.path) }) else {
            return
        }
        var observed = look(intent.side, path, rehash: true, record: nil)
        if case .problem = observed { return }
        let isThere =
            if case .content(let snapshot) = observed { snapshot.digest == intent.digests[intent.side] } else
            {
                false
            }
        if !isThere {
            // It was made, and its program has changed or deleted it since.
            guard !boot.isEmpty else { return abandon(intent) }
            observed = .absent
        }
        guard intent.version == rule(for: path).newest, let content = content(of: intent) else {
            return abandon(intent)
        }
        var job = job(of: intent, content, observed)
        job.signatures[intent.side] = job.input.signature(intent.side).flatMap {
            signatureTrust.trusted($0, of: Location(intent.side, path), grain: files.timestampGrain, at: now)
        }
        var jobs = [job]
        var turn = Turn()
        prepare(&jobs, at: now, &turn)
        guard !jobs.isEmpty else { return }
        record(jobs, at: now, &turn)
        beside.changes += turn.changes
        beside.published += turn.published
        debounceQueue.enqueue(path)
    }

    /// As if it had been made just now.
    private func job(of intent: CreationIntent, _ content: BaseContent, _ observed: Observation)
        -> PendingCommit
    {
        let path = intent.document
        let source = intent.side.other
        let input = PlanInput(
            document: path,
            rule: rule(for: path),
            record: records[path],
            observed: BothSides { $0 == intent.side ? observed : .absent },
            pinned: pinnedVersions(of: path),
            limits: limits
        )
        let change = PlannedChange(
            document: path.description,
            action: .create,
            from: source,
            .created(in: source)
        )
        let agreed = Plan.Agreed(content: content, versions: intent.versions)
        let cause: Cause = source == .app ? .app : .group
        return PendingCommit(
            path: path,
            input: input,
            plan: Plan(change: change, agreement: .content(agreed), cause: cause)
        )
    }

    /// What was agreed on by it; where both sides held the same bytes, either of them may still have them.
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
