/// What the lab did to a program while it raced.
package enum ProcessMove: Sendable, Hashable {
    case stopped(program: String, Duration)
    case killedAgent

    /// The report says it in these words, for people and as JSON.
    package var text: String {
        switch self {
        case .stopped(let program, let time): "\(program) stopped for \(Int(time / .milliseconds(1))) ms"
        case .killedAgent: "agent killed"
        }
    }
}
