import BridgeRuntime
import Documents
import SyncEngine

extension ErrorProse {
    init(bridge error: BridgeError, _ hint: CommandHint) {
        self.init(error.what, at: error.place, error.advice(hint), Self.status(of: error))
        if case .unknownKind(let kind, let known) = error {
            suggestion = nearestWord(to: kind, among: known)
        }
    }

    private static func status(of error: BridgeError) -> CommandStatus {
        switch error {
        case .nestedContainers, .stateInsideContainer, .socketPathTooLong, .otherProfile, .otherBridge,
            .unknownKind:
            .usage
        case .mismatch, .held, .halted, .paused: .needsDecision
        default: .failed
        }
    }
}
