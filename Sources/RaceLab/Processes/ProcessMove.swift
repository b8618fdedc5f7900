/// What the lab did to a program during a race.
package enum ProcessMove: Sendable, Hashable {
    case stopped(program: String, Duration)
    case killedAgent

    /// The text in reports, for people and in JSON.
    package var text: String {
        switch self {
        case .stopped(let program, let time): "\(program) stopped for \(Int(time / .milliseconds(1))) ms"
        case .killedAgent: "agent killed"
        }
    }
}
