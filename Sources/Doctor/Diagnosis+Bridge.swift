import BridgeRuntime
import Hooks

extension Diagnosis {
    static func failure(of hook: HookReport) -> Finding? {
        guard hook.failures > 0, let reason = hook.lastFailure else { return nil }
        let failure = Finding.Bridge.hook(hook.name, failures: hook.failures, runs: hook.runs, reason)
        return Finding(.bridge(failure), at: .bridge)
    }

    static func agent(_ agent: AgentObservation, besides problems: [BridgeError]) -> [Finding] {
        switch agent {
        case .absent: return []
        case .refused(let error):
            // A container that is missing keeps the agent from being asked, too.
            return problems.contains(error) ? [] : [refused(error)]
        case .looked(let status):
            let found = state(of: status)
            // Neither an agent nor `sync` would sync anything beside a halt or a pause.
            let isStopped = status.state == .halted || status.state == .paused
            return (isStopped ? [] : [Finding(.bridge(.noAgent(waiting: status.waiting)), at: .bridge)])
                + found
        case .answered(let status): return state(of: status)
        }
    }

    private static func state(of status: BridgeStatus) -> [Finding] {
        let reason: Finding.Bridge? =
            switch status.state {
            case .halted: .halted(status.reason)
            case .paused: .paused(since: status.pausedSince, waiting: status.waiting)
            case .running, .stopped: status.reason.map { .limited($0) }
            }
        return reason.map { [Finding(.bridge($0), at: .bridge)] } ?? []
    }
}

extension AgentObservation {
    /// What the agent, or a look without one, says of the bridge.
    var status: BridgeStatus? {
        switch self {
        case .answered(let status), .looked(let status): status
        case .absent, .refused: nil
        }
    }
}

extension BridgeStatus {
    /// The number of documents that have a change to be synced.
    fileprivate var waiting: Int { documents.count { $0.state == .pending } }
}
