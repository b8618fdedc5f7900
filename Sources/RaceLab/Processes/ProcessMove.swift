/// What the lab did to a program during a race, or what became of the bridge.
package enum ProcessMove: Sendable, Hashable {
    case stopped(program: String, Duration)
    case killedAgent
    /// A bridge of the user's ended by itself, with status 0, while programs ran.
    case bridgeEnded

    /// The text in reports, for people and in JSON.
    package var text: String {
        switch self {
        case .stopped(let program, let time): "\(program) stopped for \(Int(time / .milliseconds(1))) ms"
        case .killedAgent: "agent killed"
        case .bridgeEnded: "bridge ended by itself with status 0 before the programs did"
        }
    }

    /// It is shown however many moves there are.
    package var isOfBridge: Bool {
        switch self {
        case .stopped: false
        case .killedAgent, .bridgeEnded: true
        }
    }
}
