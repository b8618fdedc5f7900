import Documents
package import Model
import Replica
import StateStore

/// The results of one turn.
package struct Turn: Sendable {
    /// Completed changes and holds, in order.
    package var changes: [PlannedChange] = []
    package var notices: [Notice] = []
    /// Published documents, in order.
    package var published: [RelativePath] = []
    /// Only where the settings ask for them.
    package var deferrals: [Deferral] = []

    package init() {}
}

/// A document in the course of one turn.
struct PendingCommit {
    let path: RelativePath
    let input: PlanInput
    let plan: Plan
    /// Once the journal has it.
    var intent: CommitIntent?
    /// The generation of the base; 0 without a base.
    var generation: Int64 = 0
    /// The base; `nil` if there is none.
    var base: BaseContent?
    var staged: BothSides<Staged?> = BothSides(app: nil, group: nil)
    /// The digests of what was staged.
    var written: BothSides<Digest?> = BothSides(app: nil, group: nil)
    /// What both sides have by now, if a later run records it.
    var standing: BothSides<Digest?> = BothSides(app: nil, group: nil)
    var failure: (side: Side, FileError)?
    /// The name that the document had before.
    var origin: RelativePath?
    /// The side on which it is to be renamed from there.
    var renamed: Side?
    /// The sides that were written.
    var published: Set<Side> = []
    /// Another program saved first: read the document again.
    var isRaced = false
    /// The content of the side that was not written is inferred: its bytes may have been others.
    var isInferred = false
    /// A replica reports later whether the commit took effect.
    var isPending = false
    /// The current signatures.
    var signatures: BothSides<Signature?> = BothSides(app: nil, group: nil)
}

extension Engine {
    /// Documents that are staged together, with shared syncs.
    static var batch: Int { 64 }

    /// Processes due documents, up to a batch, and returns the results.
    package mutating func turn(at now: Moment) -> Turn {
        var turn = Turn()
        takeBeside(&turn)
        journal.write(at: now.uptime)
        if !journal.isFull, pausedSince == nil {
            carry(at: now, &turn)
            write(at: now)
        }
        if !journal.isFull {
            notifyReloads(at: now)
            writeReloads(at: now)
        }
        takeBeside(&turn)
        turn.notices = journal.takeNotices()
        return turn
    }

    private mutating func takeBeside(_ turn: inout Turn) {
        turn.changes += pendingResults.changes
        turn.published += pendingResults.published
        pendingResults = Turn()
    }

    private mutating func carry(at now: Moment, _ turn: inout Turn) {
        carryOut(lossGuard.pass(to: now.uptime))
        debounceQueue.isMassive = lossGuard.isMassive(among: records.count)
        if scanner.isDue(at: now.uptime) { markAllDirty(at: now) }
        retryDiscards(at: now)
        recoverUnmade(at: now)
        lookAgain(at: writers.answerOverdue(at: now.uptime))
        for side in Side.allCases {
            for path in replicas[side].step(at: now.uptime) { debounceQueue.enqueue(path) }
        }
        examineDisplaced(at: now, &turn)
        var jobs: [PendingCommit] = []
        var held = 0
        for path in debounceQueue.take(at: now.uptime, limit: Self.batch) {
            // A renamed document has its commit already.
            guard !writers.readerLog.isAsking(about: path), !scanner.isUnresumed(path),
                !replicas.isPending(path), !jobs.contains(where: { $0.path == path })
            else { continue }
            let new = input(path, at: now, &turn)
            held += new.indices.reduce(0) { $0 + new[$1].plan.size }  // A job is large to copy.
            jobs += new
            if held > settings.maxDocument { carryOut(&jobs, at: now, &turn); held = 0 }
        }
        carryOut(&jobs, at: now, &turn)
        boundConflicts(at: now)
        if discards.goOnPruning(in: state) { try? recordTrash() }
        writers.forgetSaves()
    }

    private mutating func input(_ path: RelativePath, at now: Moment, _ turn: inout Turn) -> [PendingCommit] {
        openDocuments.look(at: path, at: now.uptime, in: replicas)
        composeOverOther(path)
        switch planned(path, rehash: false) {
        case .failure(let failure):
            postpone(path, failure, at: now, &turn)
            return []
        case .success((let input, let plan)):
            if removeForgottenViews(in: input) { return [] }
            return admit(input, plan, at: now, &turn)
        }
    }

    enum BaseFailure: Error {
        case journal(JournalError)
        /// There is a record, but its content is lost: no base.
        case lost
    }

    func planned(_ path: RelativePath, rehash: Bool) -> Result<(PlanInput, Plan), BaseFailure> {
        let (rule, record) = (rule(for: path), records[path])
        let isOutdated = record.map { !rule.canRead($0) } ?? false
        var input = PlanInput(
            document: path,
            rule: rule,
            record: record,
            observed: BothSides { look($0, path, rehash: rehash, record: record, isOutdated: isOutdated) },
            pinned: rules.pinnedVersions(of: path),
            limits: limits
        )
        input.isOneFile = replicas.isOneFile(input)
        if !writers.readerLog.isEmpty {
            for side in Side.allCases {
                do {
                    input.known[side] = try writers.known(to: side, in: input, kept: kept)
                } catch {
                    return .success((input, .hold(path, side, .unreadable(error))))
                }
            }
        }
        do throws(BaseFailure) {
            input = try recognized(input)
            let known = input.base
            var plan = try SyncEngine.plan(input) { () throws(BaseFailure) in
                if let known { return known }
                return try base(of: path)
            }
            if input.unedited != nil, plan.change == nil, case .content = plan.agreement {
                plan.change = .adopted(path)
            }
            let obstacle = obstacle(to: plan, input)
            return .success((input, obstacle.map { .hold(path, $0.side, $0.problem) } ?? plan))
        } catch {
            return .failure(error)
        }
    }

    func base(of path: RelativePath) throws(BaseFailure) -> BaseContent? {
        guard records[path] != nil else { return nil }
        let content: BaseContent?
        do { content = try journal.content(of: path) } catch { throw .journal(error) }
        guard let content else { throw .lost }
        return content
    }

    /// The current base of a document; `nil` if there is none that the profile can read.
    func agreed(on path: RelativePath) throws(BaseFailure) -> Plan.Agreed? {
        guard let content = try base(of: path), let record = records[path],
            case .content(let base, let read) = rule(for: path).agreed(content, record)
        else { return nil }
        return Plan.Agreed(content: base, versions: read.sides.map { $0.version })
    }

    /// Carries out a component's decision.
    mutating func carryOut(_ next: FollowUp) {
        if !next.entries.isEmpty { journal.add(next.entries) }
        for path in next.documents { debounceQueue.enqueue(path) }
        if next.wantsScan { scanner.want() }
    }

    /// Accepts a plan, unless it must wait.
    private mutating func admit(_ input: PlanInput, _ plan: Plan, at now: Moment, _ turn: inout Turn)
        -> [PendingCommit]
    {
        let path = input.document
        recordLook(input, at: now)
        writers.recordLaterSaves(in: input)
        if mustAsk(about: input, at: now) {
            report(.awaitsReaders, of: path, &turn)
            return []
        }
        if let (side, problem) = plan.problem {
            hold(path, side, problem, group: input.groupContent, at: now, plan.change, &turn)
            carryOut(lossGuard.suspend(absencesIn: input, heldOn: side, among: records.count, at: now.uptime))
            if input.record != nil { keepViews(of: input, at: now) }
            return []
        }
        let gone = recordAbsences(in: input, at: now.uptime)
        recordNewDocument(in: input)
        if let reason = deferral(of: input, plan, gone: !gone.isEmpty, at: now) {
            report(reason, of: path, &turn)
            return []
        }
        if let jobs = jobs(ofMoved: input, at: now, &turn) { return jobs }
        if gone.isEmpty, lossGuard.isAlarmed(at: now.uptime, among: records.count) {
            debounceQueue.schedule(path, at: now.uptime + DebounceQueue.quiet)
            report(.lossMayGoOn, of: path, &turn)
            return []
        }
        debounceQueue.acts(on: path)
        return [PendingCommit(path: path, input: input, plan: pendingEdits.attributed(plan, for: input))]
    }

    /// Why nothing is carried now; `nil` where something is to be.
    private mutating func deferral(
        of input: PlanInput,
        _ plan: Plan,
        gone isGone: Bool,
        at now: Moment
    ) -> Deferral.Reason? {
        let path = input.document
        if !isGone {
            debounceQueue.forgetDisappearance(path)
        } else if !debounceQueue.disappearanceLasted(path, at: now.uptime) {
            // What held it is gone with it: it only waits now.
            holds.release(path)
            return .mayReappear
        }
        if halt == nil, isGone, isMoving(path, at: now.uptime) { return .mayBeMoved }
        if isHalted(deleting: isGone ? path : nil) {
            keepBack(input, plan)
            return .halted
        }
        guard case .same = plan.agreement else { return nil }
        settle(input, at: now)
        return .unchanged
    }

    /// A change must wait until its base is known.
    private mutating func mustAsk(about input: PlanInput, at now: Moment) -> Bool {
        switch writers.readiness(of: input, at: now.uptime) {
        case .ready: return false
        case .asked: return true
        case .soon:
            debounceQueue.schedule(input.document, at: now.uptime + DebounceQueue.together)
            return true
        }
    }

    /// Until the next read: a document that differs is pending, and a hold ends.
    private mutating func keepBack(_ input: PlanInput, _ plan: Plan) {
        let path = input.document
        holds.release(path)
        holds.remember(input.groupContent, of: path)
        let differs = if case .same = plan.agreement { false } else { true }
        lossGuard.keepBack(path, differs: differs)
    }

    /// Both sides equal the base: an echo of a publication, or a touched file.
    private mutating func settle(_ input: PlanInput, at now: Moment) {
        let path = input.document
        holds.release(path)
        barriers.pass(path)
        openDocuments.forget(path)
        lookAgain(at: writers.recordUnchanged(in: input))
        keepViews(of: input, at: now)
        if debounceQueue.hasActed(on: path) { counters.echoes += 1 }
        guard var record = records[path] else { return }
        var young: Signature?
        var isNews = false
        for side in Side.allCases {
            guard case .unchanged(let seen) = input.observed[side] else { continue }
            // A trusted signature stays trusted, whatever happens to the clock.
            if record.sides[side].signature == seen { continue }
            let signature = containers.trusted(seen, of: Location(side, path), at: now)
            if signature == nil { young = seen }
            if record.sides[side].signature != signature { isNews = true }
            record.sides[side].signature = signature
        }
        if let young { recheckLater(path, young, at: now) }
        guard isNews else { return }
        records.record(touched: path, as: record)
        recordTouch(path, at: now)
    }
}

extension Plan {
    var size: Int {
        Side.allCases.reduce(0) { sum, side in
            if case .content(let bytes) = writes[side] { sum + bytes.count } else { sum }
        }
    }
}
