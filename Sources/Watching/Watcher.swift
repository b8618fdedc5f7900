package import Model
import Processes

/// The source of hints about two containers: the watching program, or a timer if that is not available.
///
/// Owned by one thread, which polls `fileDescriptor` until `deadline` and then calls `drain`. It has no
/// thread of its own and only waits in `close`.
package final class Watcher {
    package enum Mode: Sendable, Hashable {
        case inotify
        /// Hints are missing, so everything must be read every second.
        case polling(PollingReason)
    }

    /// `nil`: searched for at each start.
    private let program: String?
    private let arguments: [String]
    private let onMessage: (String) -> Void
    private var helper: HelperProcess?
    private var lines = WatcherLines()
    private var restarts: Restarts
    private var wasReady = false
    /// The sides of which not all directories are watched.
    private var limits: [Side: RescanReason] = [:]
    private var pollAt: Duration?
    /// Tokens without an answer; they are sent again to a restarted program.
    private var tokens: [UInt64] = []
    private var vigil = Vigil()
    /// The last trouble that was logged.
    private var reported: [String] = []

    package static let pollInterval = Duration.seconds(1)

    /// `helper` is the watching program; by default the one that `HelperProgram` finds. `onMessage` gets
    /// lines for the log.
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

    /// The descriptor to poll for reading; it changes when the program is restarted. It is -1, which poll
    /// ignores, while none is running.
    package var fileDescriptor: Int32 { helper?.descriptor ?? -1 }

    /// When to call `drain` even if there is nothing to read; `nil` while nothing is due.
    package var deadline: Duration? {
        [restarts.startAt, pollAt, helper == nil ? nil : vigil.deadline].compactMap { $0 }.min()
    }

    package var mode: Mode {
        if let reason = restarts.reason { return .polling(reason) }
        if let limit = Side.allCases.compactMap({ limits[$0] }).first { return .polling(.limited(limit)) }
        return .inotify
    }

    /// The ID of the running process, for diagnosis.
    package var helperProcess: Int32? { helper?.id }

    // MARK: Requests

    /// Requests a `.token`: once it arrives, all hints for changes before this call have arrived.
    package func send(token: UInt64, at now: Duration) {
        tokens.append(token)
        vigil.expect(at: now)
        helper?.send("token \(token)")
        // There is no program to answer: the next drain does, after a hint to read everything.
        if restarts.isPolling { pollAt = .zero }
    }

    /// Asks the program to check whether it still watches everything. Only hints about new finds follow.
    package func send(rescan side: Side, at now: Duration) {
        vigil.expect(at: now)
        helper?.send("rescan \(side == .app ? 0 : 1)")
    }

    /// Ends the program and waits for its end.
    package func close() {
        helper?.end()
        helper = nil
    }

    // MARK: Receiving

    /// Returns new hints without waiting.
    package func drain(now: Duration) -> [Hint] {
        var hints: [Hint] = []
        if let helper {
            helper.flush()
            var isOver = false
            // Bounded, so that a flood of lines does not block the caller.
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
        // From its start on, it owes `ready`.
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
            reported = []
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
        // A program with too few watches still answers tokens.
        guard restarts.isPolling else {
            return limits.sorted { $0.key < $1.key }.map { .everything($0.key, reason: $0.value) }
        }
        defer { tokens.removeAll() }
        return everything(.polling) + tokens.map { .token($0) }
    }

    private func everything(_ reason: RescanReason) -> [Hint] {
        Side.allCases.map { .everything($0, reason: reason) }
    }

    // MARK: Lifecycle

    /// Logs a trouble once while it stays the same, as restarts are repeated.
    private func report(_ trouble: [String]) {
        if trouble != reported { trouble.forEach(onMessage) }
        reported = trouble
    }

    private func start(at now: Duration) {
        guard let program = program ?? HelperProgram.find() else {
            report([PollingReason.noHelper.text])
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
            report([error.text])
            restarts.ended(.notStarted(error), at: now)
        }
    }

    private func ended(_ helper: HelperProcess, at now: Duration) -> [Hint] {
        let complaints = String(decoding: helper.receiveComplaints(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        return replaced(helper, .ended, after: complaints, at: now)
    }

    /// The requests have waited long enough: reads everything, which is all that a token guarantees. The next
    /// program may hang, too.
    private func hung(_ helper: HelperProcess, at now: Duration) -> [Hint] {
        let hints = replaced(helper, .silent, at: now)
        defer { tokens.removeAll() }
        return hints + tokens.map { .token($0) }
    }

    private func replaced(
        _ helper: HelperProcess,
        _ why: PollingReason,
        after complaints: [String] = [],
        at now: Duration
    ) -> [Hint] {
        helper.end(patience: .zero)
        self.helper = nil
        limits.removeAll()
        restarts.ended(complaints.last.map { .complained($0) } ?? why, at: now)
        let next = restarts.isPolling ? "polling every second" : "starting it again"
        report(complaints + ["\(why.text); \(next)"])
        return everything(.helperEnded)
    }
}
