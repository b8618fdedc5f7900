package import Model
import Processes

/// Hints about two containers, from the helper; from a timer where that cannot be had.
///
/// Owned by one thread, which polls `fileDescriptor` until `deadline` and then calls `drain`. It has no
/// thread of its own and waits for nothing, except in `close`.
package final class Watcher {
    package enum Mode: Sendable, Hashable {
        case inotify
        /// Every second everything is to be looked at, because hints are missing.
        case polling(PollingReason)
    }

    /// `nil`: it is looked for at each start.
    private let program: String?
    private let arguments: [String]
    private let onMessage: (String) -> Void
    private var helper: HelperProcess?
    private var lines = WatcherLines()
    private var restarts: Restarts
    private var wasReady = false
    /// Sides of which the helper cannot watch all directories.
    private var limits: [Side: RescanReason] = [:]
    private var pollAt: Duration?
    /// Tokens that nobody has answered; a new helper is asked again.
    private var tokens: [UInt64] = []
    private var vigil = Vigil()
    /// The trouble that was told last.
    private var told: [String] = []

    package static let pollInterval = Duration.seconds(1)

    /// `helper` is the program; by default the one that `HelperProgram` finds. `onMessage` gets lines for a
    /// log.
    package init(
        roots: BothSides<String>,
        helper: String? = nil,
        evidence: Bool = false,
        now: Duration,
        onMessage: @escaping (String) -> Void = { _ in }
    ) {
        program = helper
        arguments = (evidence ? ["--evidence"] : []) + ["--", roots.app, roots.group]
        self.onMessage = onMessage
        restarts = Restarts(at: now)
        start(at: now)
    }

    deinit { close() }

    /// To poll for reading; it changes when the helper is started again. -1, which poll skips, while none
    /// runs.
    package var fileDescriptor: Int32 { helper?.descriptor ?? -1 }

    /// Call `drain` then even if there is nothing to read; `nil` while nothing is planned.
    package var deadline: Duration? {
        [restarts.startAt, pollAt, helper == nil ? nil : vigil.deadline].compactMap { $0 }.min()
    }

    package var mode: Mode {
        if let reason = restarts.reason { return .polling(reason) }
        if let limit = Side.allCases.compactMap({ limits[$0] }).first { return .polling(.limited(limit)) }
        return .inotify
    }

    /// The process that runs, for a person who wants to look at it.
    package var helperProcess: Int32? { helper?.id }

    // MARK: Asking

    /// Asks for `.token`: once it comes, all hints of what was done before this call have come.
    package func send(token: UInt64, at now: Duration) {
        tokens.append(token)
        vigil.expect(at: now)
        helper?.send("token \(token)")
        // Nobody answers: the next drain does, behind a hint to look at everything.
        if restarts.isPolling { pollAt = .zero }
    }

    /// Asks the helper to look whether it still watches everything. Only what it finds comes back.
    package func send(rescan side: Side, at now: Duration) {
        vigil.expect(at: now)
        helper?.send("rescan \(side == .app ? 0 : 1)")
    }

    /// Ends the helper and waits for its end.
    package func close() {
        helper?.end()
        helper = nil
    }

    // MARK: Hearing

    /// What is new. Never waits.
    package func drain(now: Duration) -> [Hint] {
        var hints: [Hint] = []
        if let helper {
            helper.flush()
            var isOver = false
            // Bounded: whoever writes without end must not keep the caller here.
            for _ in 0..<64 {
                guard let bytes = helper.receive() else {
                    isOver = true
                    break
                }
                if !bytes.isEmpty { vigil.heard() }
                for hint in lines.feed(bytes) { hints += heard(hint, at: now) }
                if bytes.count < HelperProcess.space { break }
            }
            lines.takeComplaints().forEach(onMessage)
            if isOver {
                hints += ended(helper, at: now)
            } else if isHung(helper, at: now) {
                hints += hung(helper, at: now)
            }
        }
        if restarts.isDue(at: now) { start(at: now) }
        hints += polled(at: now)
        return hints
    }

    private func isHung(_ helper: HelperProcess, at now: Duration) -> Bool {
        // From its start on it owes `ready`.
        if !tokens.isEmpty || !restarts.isReady { vigil.expect(at: now) }
        switch vigil.verdict(at: now) {
        case .patient: return false
        case .ask:
            helper.send("ping")
            return false
        case .over: return true
        }
    }

    private func heard(_ hint: Hint, at now: Duration) -> [Hint] {
        switch hint {
        case .ready:
            restarts.becameReady(at: now)
            told = []
            defer { wasReady = true }
            return wasReady ? everything(.watchingAgain) + [.ready] : [.ready]
        case .token(let token):
            guard let index = tokens.firstIndex(of: token) else { return [] }
            tokens.remove(at: index)
            return [hint]
        case .everything(let side, .watchLimit(let unwatched, let cause)):
            limits[side] = unwatched == 0 ? nil : .watchLimit(unwatched: unwatched, cause: cause)
            if pollAt == nil && !limits.isEmpty { pollAt = now + Self.pollInterval }
            return [hint]
        default:
            return [hint]
        }
    }

    private func polled(at now: Duration) -> [Hint] {
        guard case .polling = mode else {
            pollAt = nil
            return []
        }
        guard now >= pollAt ?? now else { return [] }
        pollAt = now + Self.pollInterval
        // With a helper that has too few watches, tokens are still the helper's to answer.
        guard restarts.isPolling else {
            return limits.sorted { $0.key < $1.key }.map { .everything($0.key, reason: $0.value) }
        }
        defer { tokens.removeAll() }
        return everything(.polling) + tokens.map { .token($0) }
    }

    private func everything(_ reason: RescanReason) -> [Hint] {
        Side.allCases.map { .everything($0, reason: reason) }
    }

    // MARK: The helper's life

    /// Once, while it stays the same: a start is tried again and again.
    private func tell(_ trouble: [String]) {
        if trouble != told { trouble.forEach(onMessage) }
        told = trouble
    }

    private func start(at now: Duration) {
        guard let program = program ?? HelperProgram.find() else {
            tell([PollingReason.noHelper.text])
            return restarts.ended(.noHelper, at: now)
        }
        do {
            let helper = try HelperProcess(program, arguments)
            self.helper = helper
            restarts.started()
            lines = WatcherLines()
            vigil.heard()
            vigil.expect(at: now)
            for token in tokens { helper.send("token \(token)") }
        } catch {
            tell([error.text])
            restarts.ended(.notStarted(error), at: now)
        }
    }

    private func ended(_ helper: HelperProcess, at now: Duration) -> [Hint] {
        let said = String(decoding: helper.receiveComplaints(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        return replaced(helper, .ended, after: said, at: now)
    }

    /// Who waited for it has waited long enough: everything is looked at, which is all that a token promises.
    /// The next one may be as silent.
    private func hung(_ helper: HelperProcess, at now: Duration) -> [Hint] {
        let hints = replaced(helper, .silent, at: now)
        defer { tokens.removeAll() }
        return hints + tokens.map { .token($0) }
    }

    private func replaced(
        _ helper: HelperProcess,
        _ why: PollingReason,
        after said: [String] = [],
        at now: Duration
    ) -> [Hint] {
        helper.end(patience: .zero)
        self.helper = nil
        limits.removeAll()
        restarts.ended(said.last.map { .complained($0) } ?? why, at: now)
        let next = restarts.isPolling ? "everything is looked at every second" : "it is started again"
        tell(said + ["\(why.text); \(next)"])
        return everything(.helperEnded)
    }
}
