import Documents
import Model
import Replica
import StateStore

/// Announces commits in the journal, and finds out which of them an earlier run made.
///
/// A run that is killed after a commit and before its record leaves what no program saved. Taken for an edit,
/// it would win over later saves of the other side; once programs have saved both sides again, only the
/// journal can tell.
extension Engine {
    /// One transaction for all of them. If it fails, the documents are written nevertheless; the results are
    /// then kept in memory.
    mutating func announce(_ jobs: inout [PendingCommit]) {
        var announced: [(index: Int, intent: CommitIntent)] = []
        for index in jobs.indices where jobs[index].failure == nil && !jobs[index].isRaced {
            if let intent = intent(of: jobs[index]) { announced.append((index, intent)) }
        }
        guard !announced.isEmpty, journal.announce(announced.map { .intent($0.intent) }) else { return }
        for (index, intent) in announced { jobs[index].intent = intent }
    }

    /// `nil` for a plan that writes both sides: an edit that such a merge contains could not be distinguished
    /// from its publication.
    private func intent(of job: PendingCommit) -> CommitIntent? {
        guard case .content(let agreed) = job.plan.agreement, let (side, change) = announced(of: job) else {
            return nil
        }
        let before = records[job.path]?.generation ?? job.generation
        let record = record(before + 1, of: job, agreed)
        let isSame = record.sides.app.digest == record.sides.group.digest
        return CommitIntent(
            document: job.path,
            side: side,
            change,
            record: record,
            content: isSame && change != .replaced ? nil : agreed.content,
            boot: intents.boot
        )
    }

    private func announced(of job: PendingCommit) -> (Side, CommitIntent.Change)? {
        if let side = job.renamed, let origin = job.origin { return (side, .renamed(from: origin)) }
        let written = Side.allCases.filter { job.staged[$0] != nil }
        guard let side = written.first, written.count == 1, job.plan.writes[side.other] == nil else {
            return nil
        }
        if job.input.isAbsent(side) { return job.input.digest(side.other) == nil ? nil : (side, .created) }
        guard let before = records[job.path], isMistakable(job, on: side),
            job.input.digest(side) == before.sides[side].digest
        else { return nil }
        return (side, .replaced)
    }

    /// Whether the published content, taken for an edit of that side, could win over a later save of the
    /// other side. The app's value wins a conflict, so what is copied to the group loses one anyway, if its
    /// temporary file shows that it was published.
    private func isMistakable(_ job: PendingCommit, on side: Side) -> Bool {
        side == .app || job.input.rule.decidesConflicts || !replicas[side].exchanges(job.path)
    }

    /// Whether a temporary file may be removed: without it, its document looks created until the journal has
    /// recorded that it was not.
    mutating func mayGo(
        _ place: Location,
        _ temporary: TemporaryName,
        of document: RelativePath,
        at now: Moment
    ) -> Bool {
        journal.add(intents.recordTemporary(temporary, at: place, of: document))
        guard intents.isUnmade(place) else { return true }
        write(at: now)
        guard journal.isEmpty else { return false }
        intents.forgetUnmade(place)
        return true
    }

    /// Temporary files that had to stay until the journal could be written.
    mutating func recoverUnmade(at now: Moment) {
        guard intents.hasUnmade, journal.isEmpty else { return }
        for place in intents.takeUnmade() {
            if let name = TemporaryName(place.path.name) { recover(place, name, at: now) }
        }
        flushDiscards()
    }

    /// Called after the temporary files of earlier runs were found.
    mutating func resumeIntents(at now: Moment) {
        guard intents.hasOpen, halt == nil else { return }
        for intent in intents.open { resume(intent, at: now) }
        write(at: now)
    }

    /// If the commit was made, it is recorded now, as if the run had not been killed.
    private mutating func resume(_ intent: CommitIntent, at now: Moment) {
        guard intents.canBeFound(intent) else { return journal.add(intents.abandon(intent)) }
        if Side.allCases.contains(where: { scanner.isUnlisted(intent.document, on: $0) }) { return }
        let found = BothSides { look($0, intent.document, rehash: true, record: nil) }
        let jobs: [PendingCommit]?
        switch intent.change {
        case .replaced: jobs = replacement(intent, found)
        case .created, .renamed:
            if case .problem = found[intent.side] { return }
            jobs = arrival(intent, found, at: now)
        }
        guard let jobs, intent.record.version == rule(for: intent.document).newest else {
            return journal.add(intents.abandon(intent))
        }
        recordLate(jobs, at: now)
    }

    private func replacement(_ intent: CommitIntent, _ found: BothSides<Observation>) -> [PendingCommit]? {
        guard let base = try? base(of: intent.document),
            records[intent.document]?.generation == intent.record.generation - 1,
            intent.isMade(found[intent.side], over: base, by: rule(for: intent.document), limits),
            let content = intent.content
        else { return nil }
        let versions = intent.record.sides.map { $0.version }
        let reason = ChangeReason.changed(
            in: intent.side.other,
            version: versions.app == versions.group ? nil : versions[intent.side]
        )
        var job = lateCommit(intent, content, .update, reason)
        job.standing = found.digests
        return [job]
    }

    private mutating func arrival(
        _ intent: CommitIntent,
        _ found: BothSides<Observation>,
        at now: Moment
    ) -> [PendingCommit]? {
        let (path, side) = (intent.document, intent.side)
        guard let content = intent.content(in: found) else { return nil }
        if case .renamed(let old) = intent.change {
            guard let record = records[old], records[path] == nil, case .content = found[side],
                isGone(Location(side, old))
            else { return nil }
            var jobs = jobs(from: old, to: path, side.other, record, content)
            for index in jobs.indices where jobs[index].path == path { jobs[index].standing = found.digests }
            return jobs
        }
        guard let observed = intents.found(found[side], of: intent) else { return nil }
        var job = lateCommit(intent, content, .create, .created(in: side.other), observed: observed)
        job.signatures[side] = job.input.signature(side).flatMap {
            containers.trusted($0, of: Location(side, path), at: now)
        }
        return [job]
    }

    /// The commit that copied a content to a side, on which `observed` is found now.
    private func lateCommit(
        _ intent: CommitIntent,
        _ content: BaseContent,
        _ action: PlannedChange.Action,
        _ reason: ChangeReason,
        observed: Observation = .absent
    ) -> PendingCommit {
        let (path, source) = (intent.document, intent.side.other)
        let input = PlanInput(
            document: path,
            rule: rule(for: path),
            record: records[path],
            observed: BothSides { $0 == source ? .absent : observed },
            pinned: rules.pinnedVersions(of: path),
            limits: limits
        )
        let agreed = Plan.Agreed(content: content, versions: intent.record.sides.map { $0.version })
        let change = PlannedChange(document: path.description, action: action, from: source, reason)
        let cause: Cause = source == .app ? .app : .group
        return PendingCommit(
            path: path,
            input: input,
            plan: Plan(change: change, agreement: .content(agreed), cause: cause)
        )
    }

    /// Records what a killed run committed, as if it had just been done.
    mutating func recordLate(_ late: [PendingCommit], at now: Moment) {
        var jobs = late
        var turn = Turn()
        prepare(&jobs, at: now, &turn)
        guard !jobs.isEmpty else { return }
        record(jobs, at: now, &turn)
        pendingResults.changes += turn.changes
        pendingResults.published += turn.published
        for job in jobs { debounceQueue.enqueue(job.path) }
    }
}

extension CommitIntent {
    /// Whether the side has the published content, or a later edit of it: going on from the base to that
    /// content changes nothing there, and going back changes something.
    fileprivate func isMade(
        _ now: Observation,
        over base: BaseContent,
        by rule: DocumentRule,
        _ limits: JSONLimits
    ) -> Bool {
        guard case .content(let now) = now, let content else { return false }
        if now.digest == record.sides[side].digest { return true }
        let (before, after) = (base.bytes(on: side), content.bytes(on: side))
        func has(changesFrom old: [UInt8], to new: [UInt8]) -> Bool? {
            ForwardMerge.has(now, changesFrom: old, to: new, by: rule, limits: limits)
        }
        return has(changesFrom: before, to: after) == true && has(changesFrom: after, to: before) == false
    }

    /// The content of the base, which one side may still have.
    fileprivate func content(in found: BothSides<Observation>) -> BaseContent? {
        if let content { return content }
        return Side.allCases.lazy.compactMap { side in
            guard case .content(let snapshot) = found[side], snapshot.digest == record.sides[side].digest
            else { return nil }
            return BaseContent(newest: snapshot.bytes)
        }.first
    }
}

extension BothSides<Observation> {
    fileprivate var digests: BothSides<Digest?> {
        map { if case .content(let snapshot) = $0 { snapshot.digest } else { nil } }
    }
}
