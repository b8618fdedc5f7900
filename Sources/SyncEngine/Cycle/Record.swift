import Documents
import Model
import Reloads
import Replica
import StateStore

/// Records results after the files are written; the base changes only then.
extension Engine {
    /// Reads what recording these commits needs before anything is written, as a failure afterwards could not
    /// be undone. Documents for which that fails are held.
    mutating func prepare(_ jobs: inout [PendingCommit], at now: Moment, _ turn: inout Turn) {
        var generations: [RelativePath: Int64] = [:]
        var failure: JournalError?
        do throws(JournalError) {
            let unknown = jobs.map(\.path).filter { records[$0] == nil }
            generations = try journal.lastGenerations(of: unknown)
        } catch {
            failure = error
        }
        var prepared: [PendingCommit] = []
        for var job in jobs {
            do throws(BaseFailure) {
                if let record = records[job.path] {
                    job.generation = record.generation
                    job.base = try base(of: job.path)
                } else if let failure {
                    throw .journal(failure)
                } else {
                    job.generation = generations[job.path] ?? 0
                }
                renewJournal(lostBefore: job)
                job.generation = max(job.generation, job.input.published)
                // Under its new name the generation continues; it never decreases under either name.
                if let origin = job.origin.flatMap({ records[$0] }) {
                    job.generation = max(job.generation, origin.generation)
                }
                prepared.append(job)
            } catch {
                postpone(job.path, error, at: now, &turn)
            }
        }
        jobs = prepared
    }

    /// The journal cannot provide the document's base.
    mutating func postpone(
        _ path: RelativePath,
        _ failure: BaseFailure,
        at now: Moment,
        _ turn: inout Turn
    ) {
        switch failure {
        case .journal(let error):
            journal.remember(unreadable: error)
            let plan = Plan.hold(path, .app, .unreadableBase(error))
            hold(path, .app, .unreadableBase(error), at: now, plan.change, &turn)
        case .lost:
            records[path] = nil
            debounceQueue.enqueue(path)
        }
    }

    mutating func record(_ jobs: [PendingCommit], at now: Moment, _ turn: inout Turn) {
        for job in jobs {
            let mayBeMade = job.isPending || !job.published.isEmpty
            journal.add(
                intents.settle(job.path, job.intent, isRecorded: job.isAchieved, mayBeMade: mayBeMade)
            )
        }
        for job in jobs where job.isAchieved {
            let action = job.plan.change?.action
            if action == .merge || action == .conflict { counters.merges += 1 }
            let agreed = agreed(by: job)
            var others: [ReloadGrant] = []
            if let agreed {
                let reloads = reloads(job, agreed.newest, at: now)
                var event = event(job, agreed, kinds: reloads.kinds, at: now)
                event.kinds = self.reloads.unnotified(event, recorded: agreed.record?.sides.group.digest)
                journal.add([agreed.entry, .event(event)])
                self.reloads.record(event, at: now)
                counters.notices += event.kinds.count
                others = reloads.others
            }
            let conflictCopies = conflicts(settledBy: job, at: now)
            journal.add(conflictCopies + overwritten(by: job, at: now))
            conflictLog.addRecorded(conflictCopies)
            if job.plan.removes {
                let gone = Side.allCases.filter { job.input.isAbsent($0) }
                lossGuard.record(deletionOf: job.path, goneFrom: gone, at: now.uptime)
            }
            if job.isCreated(at: now) { lossGuard.record(created: job.path, at: now.uptime) }
            remember(job, agreed?.record, &turn)
            notify(others, at: now)
        }
        for job in jobs where !job.isAchieved { record(half: job, at: now) }
        rememberStart()
        write(at: now)
    }

    /// Writes all entries that the journal does not have yet.
    mutating func write(at now: Moment) {
        journal.add(records.takeTouched())
        for side in Side.allCases {
            journal.add(replicas[side].takeDirectoryChanges().map { JournalEntry($0) })
        }
        recordConflicts(at: now)
        journal.add(reloads.takeUnwritten())
        journal.write(at: now.uptime)
    }

    /// Called before a full scan.
    package mutating func rememberStart() { journal.rememberStart(with: records.takeTouched()) }

    /// Called when the engine ends.
    package mutating func writeLast(at now: Moment) {
        journal.retryNow()
        write(at: now)
    }

    private struct Agreed {
        var generation: Int64
        var entry: JournalEntry
        /// `nil` if the document is deleted.
        var record: DocumentRecord?
        var newest: [UInt8]?
    }

    private func agreed(by job: PendingCommit) -> Agreed? {
        let generation = job.generation + 1
        let agreed: Plan.Agreed
        switch job.plan.agreement {
        case .same, .none: return nil
        case .absent:
            let entry = JournalEntry.gone(job.path, generation: generation)
            return Agreed(generation: generation, entry: entry, record: nil, newest: nil)
        case .content(let content): agreed = content
        }
        let record = record(generation, of: job, agreed)
        let entry = JournalEntry.agreed(job.path, record, agreed.content)
        return Agreed(generation: generation, entry: entry, record: record, newest: agreed.content.newest)
    }

    /// The record of a commit.
    func record(_ generation: Int64, of job: PendingCommit, _ agreed: Plan.Agreed) -> DocumentRecord {
        DocumentRecord(
            generation: generation,
            version: job.input.rule.newest,
            sides: BothSides { side in
                SideRecord(
                    digest: digest(of: side, job, agreed),
                    signature: job.signatures[side],
                    version: agreed.versions[side]
                )
            }
        )
    }

    private func digest(of side: Side, _ job: PendingCommit, _ agreed: Plan.Agreed) -> Digest {
        if case .content(let bytes) = job.plan.writes[side] {
            return job.written[side] ?? job.input.digest(of: bytes)
        }
        return job.input.digest(side) ?? Digest(of: agreed.content.bytes(on: side))
    }

    /// The kinds that reload for it, and what else reloads with them.
    private mutating func reloads(
        _ job: PendingCommit,
        _ newest: [UInt8]?,
        at now: Moment
    ) -> (kinds: [String], others: [ReloadGrant]) {
        // Compared with what subscribers were notified of, not with later publications.
        let record = recorded(before: job)
        let before = job.base.flatMap { base in
            if case .content(let content, _)? = record.map({ job.input.rule.agreed(base, $0) }) {
                try? job.input.rule.value(of: content.newest, limits: .unbounded)
            } else {
                nil
            }
        }
        let after = newest.flatMap { bytes in
            job.input.snapshot(of: bytes)?.json
                ?? (try? job.input.rule.value(of: bytes, limits: .unbounded))
        }
        if newest != nil, after == nil { return ([], []) }
        let saved = job.signatures.group?.saved ?? now.unixMilliseconds
        return granted(job.path, from: before, to: after, job.plan.cause, saved: saved, at: now)
    }

    private func event(_ job: PendingCommit, _ agreed: Agreed, kinds: [String], at now: Moment)
        -> JournalEvent
    {
        JournalEvent(
            document: job.path,
            generation: agreed.generation,
            cause: job.plan.cause,
            what: job.plan.change?.done ?? .reformatted,
            hashes: BothSides { job.standing[$0] ?? agreed.record?.sides[$0].digest },
            at: now.unixMilliseconds,
            firstNotice: journal.nextNotice,
            kinds: kinds
        )
    }

    private mutating func remember(_ job: PendingCommit, _ record: DocumentRecord?, _ turn: inout Turn) {
        let path = job.path
        if records[path] == nil, record != nil {
            carryOut(lossGuard.record(arrivalOf: path, isMoved: job.origin != nil))
        }
        records[path] = record
        intents.forgetAttempted(path)
        writers.recordBase(job, as: record)
        holds.release(path)
        barriers.pass(path)
        pendingEdits.forget(path)
        lossGuard.settle(path)
        if record == nil { carryOut(lossGuard.forgetArrivals()) }
        debounceQueue.forgetDisappearance(path)
        guard let change = job.plan.change else { return }
        counters.changes += 1
        turn.changes.append(change)
        turn.published.append(path)
    }
}

extension PendingCommit {
    /// Whether a program created the document within the last second.
    fileprivate func isCreated(at now: Moment) -> Bool {
        guard plan.change?.action == .create, origin == nil,
            let modified = Side.allCases.lazy.compactMap({ input.signature($0)?.modified }).first
        else { return false }
        return (0..<1_000_000_000).contains(now.unixNanoseconds - modified)
    }
}

extension Plan {
    var removes: Bool { if case .absent = agreement { true } else { false } }
}

extension JournalEntry {
    fileprivate init(_ change: DirectoryChange) {
        switch change {
        case .made(let side, let path): self = .madeDirectory(side, path)
        case .removed(let side, let path): self = .removedDirectory(side, path)
        }
    }
}
