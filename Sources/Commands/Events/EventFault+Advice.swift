import BridgeRuntime
import StateStore

extension EventFault {
    /// What a person can do about it.
    func advice(_ hint: CommandHint) -> String {
        switch self {
        case .unusable: "give 1 to 200 bytes without control characters"
        case .tooLarge: "keep large data in a document, and name it in the event"
        case .invalidData: "correct it; nothing was queued"
        case .unknownLink(_, let known): "there are \(known.joined(separator: ", "))"
        case .linkNotText: "it is the event's link: give a text, or call the member something else"
        case .otherContent: "give each event an ID of its own, or none"
        case .full: "let the app acknowledge some: \(hint("event list")) lists them"
        case .queue(.locked, _): "try again once the process that has it open has ended"
        case .queue(.otherSchema, _): "run that release"
        case .queue(.noRoom, _): "make room; the events in it are kept"
        case .queue(.database(let failure), _) where failure.isOfRights:
            "let this user read and write it; the events in it are kept"
        case .misplaced(.file, _): "move it away; if it is a link to a file, put that file in its place"
        case .misplaced: "move it away"
        case .queue: "mend it or move it away; the events in it are lost to the app then"
        }
    }
}
