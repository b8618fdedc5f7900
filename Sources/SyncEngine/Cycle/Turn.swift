import Documents
package import Model
import Replica
import StateStore

/// What became true in one turn.
package struct Turn: Sendable {
    /// Achieved, in the order it was; holds too.
    package var changes: [PlannedChange] = []
    package var notices: [Notice] = []
    /// Documents that were published, in the order they were.
    package var published: [RelativePath] = []
    /// Only where the settings ask for them.
    package var deferrals: [Deferral] = []

    package init() {}
}

/// A document on its way through one turn.
struct PendingCommit {
    let path: RelativePath
    let input: PlanInput
    let plan: Plan
    /// Of a document that it creates, once the journal knows of that.
    var intent: CreationIntent?
    /// Of the document as it was agreed on last; 0 if it never was.
    var generation: Int64 = 0
    /// What was agreed on last; `nil` where there is none.
    var base: BaseContent?
    var staged: BothSides<Staged?> = BothSides(app: nil, group: nil)
    var failure: (side: Side, FileError)?
    /// The name that the document had before both sides gave it this one.
    var origin: RelativePath?
    /// Somebody was faster: look again.
    var isRaced = false
    /// A replica will tell later whether it arrived.
    var isPending = false
    /// What each side holds now.
    var signatures: BothSides<Signature?> = BothSides(app: nil, group: nil)
}

extension Engine {
    /// Documents that are staged together, and share their syncs.
    static var batch: Int { 64 }

    /// Does what is due, up to a batch of it, and says what became true.
    package mutating func turn(at now: Moment) -> Turn {
        var turn = Turn()
        takeBeside(&turn)
        journal.write(at: now.uptime)
        if !journal.isFull {
            carry(at: now, &turn)
            write(at: now)
        }
        takeBeside(&turn)
        turn.notices = journal.takeNotices()
        return turn
    }

    private mutating func takeBeside(_ turn: inout Turn) {
        turn.changes += beside.changes
        turn.published += beside.published
        beside = Turn()
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
            // What was moved away has its job already.
            guard !writers.accessLog.isAsking(about: path), !scanner.isUnresumed(path),
                !replicas.isPending(path),
                !jobs.contains(where: { $0.path == path })
            else { continue }
            let new = input(path, at: now, &turn)
            jobs += new
            held += new.reduce(0) { $0 + $1.plan.size }
            if held > settings.maxDocument { carryOut(&jobs, at: now, &turn); held = 0 }
        }
        carryOut(&jobs, at: now, &turn)
        boundConflicts(at: now)
        if discards.goOnPruning(in: state) { try? recordTrash() }
        writers.forgetSaves()
    }

    private mutating func input(_ path: RelativePath, at now: Moment, _ turn: inout Turn) -> [PendingCommit] {
        openDocuments.look(at: path, at: now.uptime, in: replicas)
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
        /// There is a record, but what was agreed is gone: no base.
        case lost
    }

    func planned(_ path: RelativePath, rehash: Bool) -> Result<(PlanInput, Plan), BaseFailure> {
        let (rule, record) = (rule(for: path), records[path])
        let isOutdated = record.map { !rule.canRead($0) } ?? false
        var input = PlanInput(
            document: path,
            rule: rule,
            record: record,
            observed: BothSides {
                look($0, path, rehash: rehash, record: record, isOutdated: isOutdated)
            },
            pinned: rules.pinnedVersions(of: path),
            limits: limits
        )
        if !writers.accessLog.isEmpty {
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
            if let (side, other) = namesake(inTheWayOf: plan, input) {
                return .success((input, .hold(path, side, .namesake(other))))
            }
            return .success((input, plan))
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

    /// What a document's sides agree on now; `nil` where they agree on nothing that the profile can read.
    func agreed(on path: RelativePath) throws(BaseFailure) -> Plan.Agreed? {
        guard let content = try base(of: path), let record = records[path],
            case .content(let base, let read) = rule(for: path).agreed(content, record)
        else { return nil }
        return Plan.Agreed(content: base, versions: read.sides.map { $0.version })
    }

    /// What a component has decided.
    mutating func carryOut(_ next: FollowUp) {
        if !next.entries.isEmpty { journal.add(next.entries) }
        for path in next.documents { debounceQueue.enqueue(path) }
        if next.wantsScan { scanner.want() }
    }

    /// Lets a plan through, unless it has to wait.
    private mutating func admit(_ input: PlanInput, _ plan: Plan, at now: Moment, _ turn: inout Turn)
        -> [PendingCommit]
    {
        let path = input.document
        noteLook(input, at: now)
        writers.noteLaterSaves(in: input)
        if mustAsk(about: input, at: now) {
            note(.awaitsReaders, of: path, &turn)
            return []
        }
        if let (side, problem) = plan.problem {
            hold(path, side, problem, at: now, plan.change, &turn)
            carryOut(lossGuard.suspend(absencesIn: input, among: records.count))
            if input.record != nil { keepViews(of: input, at: now) }
            return []
        }
        let gone = noteAbsences(in: input)
        noteNewcomer(in: input)
        if let reason = deferral(of: input, plan, gone: !gone.isEmpty, at: now) {
            note(reason, of: path, &turn)
            return []
        }
        if let jobs = jobs(ofMoved: input, at: now, &turn) { return jobs }
        if gone.isEmpty, lossGuard.isAlarmed(at: now.uptime, among: records.count) {
            debounceQueue.schedule(path, at: now.uptime + DebounceQueue.quiet)
            note(.lossMayGoOn, of: path, &turn)
            return []
        }
        debounceQueue.acted(on: path, at: now.uptime)
        return [PendingCommit(path: path, input: input, plan: pendingEdits.told(plan, for: input))]
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
            keepBack(path, plan)
            return .halted
        }
        guard case .same = plan.agreement else { return nil }
        settle(input, at: now)
        return .unchanged
    }

    /// A change of a document must wait until it is known on what it was made.
    private mutating func mustAsk(about input: PlanInput, at now: Moment) -> Bool {
        switch writers.readiness(of: input, at: now.uptime) {
        case .ready: return false
        case .asked: return true
        case .soon:
            debounceQueue.schedule(input.document, at: now.uptime + DebounceQueue.together)
            return true
        }
    }

    /// Until somebody looks again: what differs is pending, and what was held is mended.
    private mutating func keepBack(_ path: RelativePath, _ plan: Plan) {
        holds.release(path)
        if case .same = plan.agreement {
            lossGuard.keepBack(path, differs: false)
        } else {
            lossGuard.keepBack(path, differs: true)
        }
    }

    /// Both sides are as the base says: an echo, or a file that was only touched.
    private mutating func settle(_ input: PlanInput, at now: Moment) {
        let path = input.document
        holds.release(path)
        barriers.pass(path)
        openDocuments.forget(path)
        lookAgain(at: writers.noteUnchanged(in: input))
        keepViews(of: input, at: now)
        if debounceQueue.hasActed(on: path) { counters.echoes += 1 }
        guard var record = records[path] else { return }
        var isStale = false
        var isNews = false
        for side in Side.allCases {
            guard case .unchanged(let seen) = input.observed[side] else { continue }
            // What is trusted stays so, whatever became of the clock.
            if record.sides[side].signature == seen { continue }
            let signature = containers.trusted(seen, of: Location(side, path), at: now)
            if signature == nil { isStale = true }
            if record.sides[side].signature != signature { isNews = true }
            record.sides[side].signature = signature
        }
        if isStale { recheckLater(path, at: now) }
        if isNews { records.note(touched: path, as: record) }
    }
}

extension Plan {
    var size: Int {
        Side.allCases.reduce(0) { sum, side in
            if case .content(let bytes) = writes[side] { sum + bytes.count } else { sum }
        }
    }
}
