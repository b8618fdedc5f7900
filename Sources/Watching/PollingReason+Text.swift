import Processes

/// The wording in the log and in `status`.
extension PollingReason {
    package var text: String {
        switch self {
        case .noHelper: "\(HelperProgram.name) is neither beside this program nor on the search path"
        case .notStarted(let failure): failure.text
        case .complained(let words): words
        case .ended: "\(HelperProgram.name) ended"
        case .silent: "\(HelperProgram.name) does not answer"
        case .limited(let reason): "\(reason)"
        }
    }
}
