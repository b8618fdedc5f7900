import Reconciliation
import Storage
import SyncEngine
import Watching

/// Somebody who waits until everything is in sync.
struct Wait: Sendable {
    enum Outcome: Sendable {
        case settled([PlannedChange])
        case halted(String)
        case held(document: String, reason: String)
        /// What was done cannot be recorded.
        case unrecorded(JournalError)
        case timedOut
        case stopped
    }

    /// Until the watcher's queue is known to be drained.
    var token: UInt64?
    var isDrained: Bool
    var deadline: Duration?
    /// It wants to know what was done, and does not mind what is held.
    var collects: Bool
    var changes: [PlannedChange] = []
    let end: @Sendable (Outcome) -> Void
}

extension BridgeCore {
    /// A barrier: ends once every write that ended before this call is in sync, or says why that will not be.
    mutating func wait(
        timeout: Duration?,
        rehash: Bool,
        collecting: Bool,
        _ end: @escaping @Sendable (Wait.Outcome) -> Void
    ) {
        let now = Clock.now
        if rehash || collecting || watcher == nil || isPolling {
            lookAtEverything(at: now, rehash: rehash)
        }
        engine.retryHolds()
        let token = watcher?.mode.isPolling == false ? nextToken() : nil
        waits.append(
            Wait(
                token: token,
                isDrained: token == nil,
                deadline: timeout.map { now.uptime + $0 },
                collects: collecting,
                end: end
            )
        )
    }

    /// Ends once both trees are watched and reconciled, or halted, or holding.
    mutating func waitUntilReady(_ end: @escaping @Sendable (Wait.Outcome) -> Void) {
        waits.append(Wait(token: nil, isDrained: true, deadline: nil, collects: true, end: end))
    }

    mutating func nextToken() -> UInt64 {
        tokens += 1
        watcher?.send(token: tokens)
        return tokens
    }

    mutating func endWaits() {
        guard !waits.isEmpty else { return }
        let now = Clock.uptime
        var isSettled: Bool?
        var left: [Wait] = []
        for wait in waits {
            if let outcome = outcome(of: wait, at: now, &isSettled) {
                wait.end(outcome)
            } else {
                left.append(wait)
            }
        }
        waits = left
    }

    private func outcome(of wait: Wait, at now: Duration, _ known: inout Bool?) -> Wait.Outcome? {
        if let halt = engine.halt, !wait.collects { return .halted(halt.reason) }
        if let error = engine.journalTrouble(at: now) { return .unrecorded(error) }
        let isSettled = known ?? (engine.isSettled || engine.halt != nil)
        known = isSettled
        if wait.isDrained, isWatched, isSettled {
            if !wait.collects, let held = engine.heldDocuments.first {
                return .held(document: held.name, reason: held.reason ?? "")
            }
            return .settled(wait.changes)
        }
        if let deadline = wait.deadline, deadline <= now { return .timedOut }
        return nil
    }
}
