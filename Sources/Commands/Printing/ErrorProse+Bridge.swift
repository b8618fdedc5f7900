import BridgeRuntime
import Documents
import SyncEngine

extension ErrorProse {
    init(bridge error: BridgeError, _ hint: CommandHint) {
        self.init(error.what, at: error.place, error.advice(hint), Self.status(of: error))
        switch error {
        case .unknownKind(let word, let known), .unknownFamily(let word, _, let known):
            suggestion = nearestWord(to: word, among: known)
        default: break
        }
    }

    private static func status(of error: BridgeError) -> CommandStatus {
        switch error {
        case .nestedContainers, .swappedContainers, .stateInsideContainer, .socketPathTooLong, .otherProfile,
            .otherBridge, .unknownKind, .unknownFamily:
            .usage
        case .mismatch, .held, .halted, .paused, .event(.otherContent): .needsDecision
        default: .failed
        }
    }
}
