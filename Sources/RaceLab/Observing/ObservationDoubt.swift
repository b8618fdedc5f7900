package import Model
package import Processes

/// Why finding no anomaly does not even prove that the observed run had none.
package enum ObservationDoubt: Fact {
    case ended(command: String, Ending)
    case agentEnded(Ending)
    case endedWithoutGate(command: String)
    case noGate(command: String, within: Duration)
    case notEnded(command: String, after: Duration)
    /// A player ran on beside the others, so that not only the order of calls decides what happens.
    case notControlled(RacePlayer, step: Int)
    case interrupted
    case nothingChanged
    case neverAtRest
    /// More events than can be recorded.
    case tooMuchToSee
    case tooManyDocuments(Int)
    case noReloadTold
    case unknownReloadLine(String)
    case directoryLost(Root)
    case unreadable(Location)
    case kernelSilent(errno: Int32)
    /// The lab's own reads may have changed what these programs did.
    case readsHeard(by: [String])
    /// A check of the user's said neither yes nor no.
    case check(command: String, CheckTrouble)

    package var text: String {
        switch self {
        case .ended(let command, let ending): "`\(command)` \(ending.words)"
        case .agentEnded(let ending): "the agent \(ending.words)"
        case .endedWithoutGate(let command): "`\(command)` ended before it reached a gate"
        case .noGate(let command, let limit): "`\(command)` did not reach a gate within \(limit)"
        case .notEnded(let command, let limit): "`\(command)` was still running after \(limit)"
        case .notControlled(let player, let step):
            "the order is not controlled from step \(step): \(player.name) ran on without a call or a wait"
        case .interrupted: "the observation was interrupted"
        case .nothingChanged: "nothing changed during the observation"
        case .neverAtRest: "the containers never came to rest"
        case .tooMuchToSee: "there were more events than can be recorded; the observation ended early"
        case .tooManyDocuments(let most): "there are more than \(most) documents"
        case .noReloadTold: "no line reported a reload or a current document"
        case .unknownReloadLine(let line): "unknown reload line: `\(line.prefix(80))`"
        case .directoryLost(let root): "the \(root.rawValue) directory was replaced or is gone"
        case .unreadable(let file): "cannot read \(file)"
        case .kernelSilent(let errno): "the kernel reports no file events: \(systemMessage(errno))"
        case .readsHeard(let programs):
            "\(programs.joined(separator: ", ")) may have taken the lab's reads for those of another program"
        case .check(let command, let trouble): "the check `\(command)` \(trouble.text)"
        }
    }
}
