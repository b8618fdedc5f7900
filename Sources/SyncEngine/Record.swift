import Documents
import Reconciliation
import Storage

/// The base advances only by what was achieved, after the files.
extension Engine {
    mutating func record(_ jobs: [Job], at now: Moment, _ turn: inout Turn) {
        var entries: [JournalEntry] = []
        var notices: [Notice] = []
        var achieved: [Job] = []
        let generations = generations(of: jobs)
        for job in jobs where job.failure == nil && !job.isRaced {
            let action = job.plan.change?.action
            if action == .merge || action == .conflict { counters.merges += 1 }
            entries += self.entries(for: job, after: generations[job.path] ?? 0, at: now, &notices)
            entries += conflicts(settledBy: job, at: now) + overwritten(by: job, at: now)
            achieved.append(job)
        }
        entries += madeDirectoryEntries
        do {
            try rememberProfile()
            try journal.record(entries)
        } catch {
            // The files are right; what they agree on is found again as `adopt` once the journal can be
            // written.
            turn.journalFailure = error.reason
            fresh = [:]
            for job in achieved { settler.schedule(job.path, at: now.uptime + .seconds(1)) }
            return
        }
        madeDirectoryEntries = []
        for job in achieved { remember(job, &turn) }
        noteConflicts(in: entries)
        turn.notices += notices
        counters.notices += notices.count
    }

    mutating func recordTouched(_ turn: inout Turn) {
        guard !touched.isEmpty || !madeDirectoryEntries.isEmpty else { return }
        let entries = touched.compactMap { path in records[path].map { JournalEntry.touched(path, $0) } }
        touched = []
        do {
            try journal.record(entries + madeDirectoryEntries)
            madeDirectoryEntries = []
        } catch {
            turn.journalFailure = error.reason
        }
    }

    /// Those that the documents have, or had before they were deleted.
    private func generations(of jobs: [Job]) -> [RelativePath: Int64] {
        let unknown = jobs.lazy.map(\.path).filter { records[$0] == nil }
        var generations = unknown.isEmpty ? [:] : (try? journal.lastGenerations(of: Array(unknown))) ?? [:]
        for job in jobs { if let record = records[job.path] { generations[job.path] = record.generation } }
        return generations
    }

    private mutating func entries(
        for job: Job,
        after generation: Int64,
        at now: Moment,
        _ notices: inout [Notice]
    ) -> [JournalEntry] {
        let generation = generation + 1
        switch job.plan.agreement {
        case .same, .none:
            return []
        case .absent:
            let kinds = kinds(job, nil)
            let event = event(job, generation, BothSides(app: nil, group: nil), kinds, at: now, &notices)
            return [.gone(job.path, generation: generation), .event(event)]
        case .content(let agreed):
            let record = DocumentRecord(
                generation: generation,
                version: job.study.rule.newest,
                sides: BothSides { side in
                    SideRecord(
                        digest: digest(of: side, job, agreed),
                        signature: job.signatures[side],
                        version: agreed.versions[side]
                    )
                }
            )
            let kinds = kinds(job, agreed.content.newest)
            let event = event(job, generation, record.sides.map { $0.digest }, kinds, at: now, &notices)
            fresh[job.path] = record
            return [.agreed(job.path, record, agreed.content), .event(event)]
        }
    }

    private func digest(of side: Side, _ job: Job, _ agreed: Plan.Agreed) -> Digest {
        if case .content(let bytes) = job.plan.writes[side] { return job.study.digest(of: bytes) }
        return job.study.digest(side) ?? Digest(of: agreed.content.bytes(on: side))
    }

    /// The kinds whose shown fields are other ones than before.
    private func kinds(_ job: Job, _ newest: [UInt8]?) -> [String] {
        let before = (try? agreed(on: job.path)).flatMap {
            try? JSON(parsing: $0.content.newest, limits: .unbounded)
        }
        let after = newest.flatMap { bytes in
            job.study.sight(of: bytes)?.json ?? (try? JSON(parsing: bytes, limits: .unbounded))
        }
        if newest != nil, after == nil { return [] }
        return rule(for: job.path).kinds(changedBetween: before, and: after)
    }

    private mutating func event(
        _ job: Job,
        _ generation: Int64,
        _ hashes: BothSides<Digest?>,
        _ kinds: [String],
        at now: Moment,
        _ notices: inout [Notice]
    ) -> JournalEvent {
        let first = lastNotice + 1
        for kind in kinds {
            lastNotice += 1
            notices.append(
                Notice(
                    sequence: lastNotice,
                    kind: kind,
                    document: job.path,
                    generation: generation,
                    hash: hashes.group,
                    cause: job.plan.cause,
                    at: now.unixMilliseconds
                )
            )
        }
        return JournalEvent(
            document: job.path,
            generation: generation,
            cause: job.plan.cause.rawValue,
            what: job.plan.change?.reason ?? "spelled anew",
            hashes: hashes,
            at: now.unixMilliseconds,
            firstNotice: first,
            kinds: kinds
        )
    }

    private mutating func remember(_ job: Job, _ turn: inout Turn) {
        let path = job.path
        records[path] = fresh.removeValue(forKey: path)
        forgetReaders(after: job)
        holds[path] = nil
        wishes[path] = nil
        for side in Side.allCases where job.study.isAbsent(side) || job.plan.removes {
            missing[side].remove(path)
        }
        allowed.remove(path)
        settler.forgetDisappearance(path)
        guard let change = job.plan.change else { return }
        counters.changes += 1
        turn.changes.append(change)
        turn.published.append(path)
    }
}

extension Plan {
    var removes: Bool { if case .absent = agreement { true } else { false } }
}
