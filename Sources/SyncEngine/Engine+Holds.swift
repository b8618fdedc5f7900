import Reconciliation
import Storage

extension Engine {
    /// Keeps both sides of a document as they are, and comes back to it where that may help.
    mutating func hold(
        _ path: RelativePath,
        _ side: Side,
        _ problem: Problem,
        at now: Moment,
        _ change: PlannedChange?,
        _ turn: inout Turn
    ) {
        let signature = try? files.status(of: Location(side, path)).signature
        var hold = Hold(
            side: side,
            problem: problem,
            since: now.uptime,
            signature: signature,
            isPending: problem.mayPass
        )
        let previous = holds[path]
        if let previous, previous.side == side, previous.problem == problem, previous.signature == signature {
            hold.since = previous.since
            hold.attempts = previous.attempts + 1
            if now.uptime - hold.since >= Self.patience { hold.isPending = problem == .beingWritten }
        }
        holds[path] = hold
        if !hold.isPending { barriers.pass(path) }
        switch problem {
        case .beingWritten: debounceQueue.schedule(path, at: openDocuments.nextLook(at: path, at: now.uptime))
        case .changing: debounceQueue.schedule(path, at: now.uptime + DebounceQueue.together)
        default:
            if problem.isRetried {
                debounceQueue.schedule(path, at: now.uptime + Backoff.delay(after: hold.attempts))
            }
        }
        if hold.isPending, problem != .beingWritten {
            debounceQueue.schedule(path, at: hold.since + Self.patience)
        }
        let isNews =
            previous?.problem != problem || previous?.side != side || previous?.isPending != hold.isPending
        if isNews, !hold.isPending, let change { turn.changes.append(change) }
    }

    /// Somebody asks: what could not be read or written is tried at once, and is pending until then.
    package mutating func retryHolds() {
        for path in holds.keys.sorted() where holds[path]?.problem.isRetried == true {
            holds[path]?.isPending = true
            debounceQueue.enqueue(path)
        }
        if !unlisted.isEmpty { wantsScan = true }
        discards.retryNow()
        journal.retryNow()
        displacedFiles.retryHeldOpen()
    }

    /// A job that could not be carried out: held, and tried again.
    mutating func fail(_ job: PendingCommit, at now: Moment, _ turn: inout Turn) {
        guard let (side, error) = job.failure else { return }
        let plan = Plan.hold(job.path, side, .unwritable(error))
        hold(job.path, side, .unwritable(error), at: now, plan.change, &turn)
    }
}
