import AgentClient
import BridgeRuntime
import Documents
import Model
import Reloads
import SyncEngine
import Synchronization

/// Prints what a bar shows, at once and whenever that changes: with the document, with its state by time, and
/// with the agent, which may end and start again meanwhile.
struct BarSubscription: Sendable {
    var agent: AgentClient
    var target: BarTarget
    var printed: PrintedLines

    func run() async throws {
        let (target, printed) = (target, printed)
        let follower = DocumentFollower(
            agent,
            target.shown,
            waitsForReloads: true,
            throughRestarts: target.follow
        )
        try await follower.run { sight in
            switch sight {
            case .document(_, let shown, let rule):
                printed.print(BarPainter(rule: rule, template: target.painter.template).line(of: shown))
            case .unreadable(_, .locked): printed.print(target.painter.failure(.locked, "cannot be read"))
            case .unreadable(let error, let state):
                printed.print(target.painter.failure(.error, error.what), onlyFirst: state == nil)
            case .unreachable(let error):
                printed.print(target.painter.failure(.error, error.what), onlyFirst: true)
            }
        }
    }
}

/// Prints each line once, until the limit is reached.
final class PrintedLines: Sendable {
    private struct State {
        var last: (text: String, state: ShownState)?
        var count = 0
    }

    private let state = Mutex(State())
    private let format: BarFormat
    /// How many lines are printed; `nil` for no end.
    private let limit: Int?
    private let terminal: Terminal

    init(format: BarFormat, limit: Int?, terminal: Terminal) {
        (self.format, self.limit, self.terminal) = (format, limit, terminal)
    }

    /// - Parameter onlyFirst: prints nothing after another line.
    /// - Returns: `false` once the limit is reached.
    func print(_ line: BarLine, onlyFirst: Bool = false) -> Bool {
        state.withLock { state in
            if onlyFirst, state.last != nil { return true }
            let text = format.line(line)
            // Some formats have no place for the state, and yet a change of it is a line.
            if state.last.map({ $0 != (text, line.state) }) ?? true {
                terminal.print("\(text)\n")
                state.last = (text, line.state)
                state.count += 1
            }
            return limit.map { state.count < $0 } ?? true
        }
    }
}
