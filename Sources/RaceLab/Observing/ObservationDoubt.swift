package import Model
package import Processes
package import Watching

/// Why nothing found is no proof even of what was watched.
package enum ObservationDoubt: Fact {
    case ended(command: String, Ending)
    case agentEnded(Ending)
    case endedWithoutGate(command: String)
    case noGate(command: String, within: Duration)
    case notEnded(command: String, after: Duration)
    case interrupted
    case nothingChanged
    case neverAtRest
    /// More than is remembered.
    case tooMuchToSee
    case tooManyDocuments(Int)
    case noReloadTold
    case unknownReloadLine(String)
    case directoryLost(Root)
    case unreadable(Location)
    /// `nil`: the helper is not ready.
    case kernelSilent(PollingReason?)

    package var text: String {
        switch self {
        case .ended(let command, let ending): "`\(command)` \(ending.words)"
        case .agentEnded(let ending): "the agent \(ending.words)"
        case .endedWithoutGate(let command): "`\(command)` ended and never came to a gate"
        case .noGate(let command, let limit): "`\(command)` did not come to a gate within \(limit)"
        case .notEnded(let command, let limit): "`\(command)` had not ended after \(limit)"
        case .interrupted: "it was interrupted"
        case .nothingChanged: "nothing changed while it was watched"
        case .neverAtRest: "it never came to rest"
        case .tooMuchToSee: "there was more to see than is remembered; it ended early"
        case .tooManyDocuments(let most): "there are more than \(most) documents"
        case .noReloadTold: "nobody told of a reload, nor of what there is"
        case .unknownReloadLine(let line): "a reload line made no sense: `\(line.prefix(80))`"
        case .directoryLost(let root): "the \(root.rawValue) directory was replaced or is gone"
        case .unreadable(let file): "cannot read \(file)"
        case .kernelSilent(let reason):
            "the kernel tells nothing: \(reason?.text ?? "the helper is not ready")"
        }
    }
}
