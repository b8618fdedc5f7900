import Model
import Replica
import StateStore

extension Engine {
    /// Leaves both sides of a document as they are, and schedules a retry where that may help.
    ///
    /// - Parameter group: what the group has, if nothing is wrong with that.
    mutating func hold(
        _ path: RelativePath,
        _ side: Side,
        _ problem: Problem,
        group: GroupContent? = nil,
        at now: Moment,
        _ change: PlannedChange?,
        _ turn: inout Turn
    ) {
        let signature = try? status(of: Location(side, path)).signature
        let outcome = holds.hold(path, side, problem, signature, at: now.uptime)
        let isShown = side == .group && problem.shownState != nil
        holds.remember(isShown ? .problem(problem) : group, of: path)
        if !outcome.hold.isPending { barriers.pass(path) }
        let look = problem.isBeingWritten ? openDocuments.nextLook(at: path, at: now.uptime) : nil
        for next in [look, outcome.next].compactMap(\.self) { debounceQueue.schedule(path, at: next) }
        if outcome.isNews, !outcome.hold.isPending, let change {
            turn.changes.append(change.located(in: replicas))
        }
    }

    /// On a request: documents that could not be read or written are retried at once, and are pending until
    /// then.
    package mutating func retryHolds() {
        for path in holds.retry() { debounceQueue.enqueue(path) }
        scanner.retry()
        discards.retryNow()
        journal.retryNow()
        writers.displacedFiles.retryHeldOpen()
    }

    /// A commit failed: the document is held, named as itself: a temporary file has another name each time.
    mutating func fail(_ job: PendingCommit, at now: Moment, _ turn: inout Turn) {
        guard let (side, error) = job.failure else { return }
        var problem = Problem.unwritable(error.naming(job.path))
        if case .content(let bytes) = job.plan.writes[side],
            let refusal = replicas[side].obstacle(to: bytes, as: job.path)
        {
            problem = .unstorable(refusal)
        }
        let change = Plan.hold(job.path, side, problem).change
        hold(job.path, side, problem, group: job.input.groupContent, at: now, change, &turn)
    }
}
