import BridgeRuntime
import FileSystem
import Glibc
import Model
import StateStore
import SyncEngine

// What a person can do about an error.

extension BridgeError {
    /// - Parameter hint: builds commands for the bridge that the error is about.
    func advice(_ hint: CommandHint) -> String {
        switch self {
        case .noDocument: "\(hint("status")) lists all documents"
        case .unknownKind(_, let known):
            known.isEmpty
                ? "without a profile it is a document's name" : "there are \(known.joined(separator: ", "))"
        case .unknownFamily(_, _, let known):
            known.isEmpty ? "give one word, such as `small`" : "there are \(known.joined(separator: ", "))"
        case .notADocument(_, .known(.view(let document))): "change \(document) instead"
        case .notADocument(_, .known(.excluded)): "change that in the configuration or the profile to sync it"
        case .notADocument: "give the path of a document inside the container"
        case .invalidDocument(_, let fault) where fault.isViolation: "correct it, or give --force"
        case .invalidDocument: "correct it; nothing was written"
        case .mismatch: "read it again, and apply your change to that"
        case .held(_, _, .notRegular): "replace it by the document; just removing it is synced as a deletion"
        case .held(_, _, .newerVersion): "take a newer profile, or give its hash with --expect to replace it"
        case .held(_, _, .onlyFrom): "give the other --side"
        case .held(let document, _, .invalid):
            "write a valid one with \(hint("put", document)), or take back an earlier one: "
                + "\(hint("history", document)) shows their IDs for `undo`"
        case .held(let document, _, _): "\(hint("why", document)) shows why"
        case .halted: "restore what is missing, or allow it: \(hint("status")) shows how"
        case .paused: "\(hint("resume")) ends that"
        case .unknownID(let subject): subject.advice(hint)
        case .event(let fault): fault.advice(hint)
        case .ambiguousID: "give more characters of it"
        case .undecidable(_, let hindrance): hindrance.advice
        case .timedOut: "\(hint("status")) shows what is pending; give a longer --timeout to wait longer"
        case .otherBridge(let part, _, _): part.advice
        case .noAgent where !hint.namesContainers:
            "start one with this --state, --app and --group: \(CommandHint()("agent --help")) says how"
        case .noAgent: "start one: \(hint("agent"))"
        case .subscriptionEnded(_, isServed: true): "subscribe again"
        case .subscriptionEnded(_, isServed: false):
            "if \(hint("status")) shows a running agent, subscribe again; else start it: \(hint("agent"))"
        case .agent(503, _): "wait until other programs have closed their connections, and run again"
        case .agent: "its log, on standard error, may say more; restart an agent of another version"
        default: adviceToStart
        }
    }

    private var adviceToStart: String {
        switch self {
        case .silentAgent: "it is stopped or overloaded: continue it, or restart it"
        case .file(let error): error.advice
        case .nestedContainers: "give two separate directories"
        case .swappedContainers: "exchange --app and --group, or give a --state to make another bridge"
        case .stateInsideContainer: "give a --state outside of both containers"
        case .socketPathTooLong: "give a shorter --state"
        case .otherProfile(let known, _, _):
            (known.isEmpty ? "leave out --profile" : "name that one with --profile")
                + ", or give --change-profile to change to the other"
        case .missingDirectory: "create it, or name another"
        case .unreadableDirectory(_, ENOTDIR): "name the directory that has the documents"
        case .unreadableDirectory: "let this user read, write and enter it"
        case .unwritableState(_, let errno) where DiskRoom.isMissing(errno): room
        case .unwritableState(_, ENOTDIR): "name a directory with --state"
        case .unwritableState: "let this user write it, or name another with --state"
        case .foreignState, .exposedState(_, _, .some): "name another with --state, or run as that user"
        case .exposedState: "remove that permission, set the sticky bit, or name another with --state"
        case .noHome: "set HOME, or give --state"
        case .pairTaken(_, let state?, _, _):
            "stop that process, or give its state: `--state \(state.quotedForShell)`"
        case .pairTaken: "stop that process, or give its --state"
        case .alreadyRunning: "stop that process; for other containers, give another --state"
        case .journal(.database(let failure), _) where failure.isOfRights:
            "let this user read and write it, and its directory"
        case .journal(.broken, _):
            "there is nothing to mend: the agent's next start, or without an agent the next sync, sets it "
                + "aside, and merges the two containers as if they had never been in sync; nothing is deleted"
        case .journal(let error, _):
            error.remedy + "; without one the two containers are merged as if they had never been in sync, "
                + "and nothing is deleted"
        case .journalLocked: "try again once the process that has it open has ended"
        case .noRoom: room
        default: "correct that and run again"
        }
    }
}

extension JournalError {
    /// What to do if it is not damaged.
    fileprivate var remedy: String {
        switch self {
        case .replaced: "put it back, or run again"
        case .otherSchema: "use that release, or move it away"
        default: "mend it or move it away"
        }
    }
}

extension BridgeError.Subject {
    /// Where the IDs are that there are.
    fileprivate func advice(_ hint: CommandHint) -> String {
        switch self {
        case .conflict: "\(hint("conflicts")) lists all conflicts; give at least 4 characters of an ID"
        case .trash: "\(hint("history")) lists what can be restored; give at least 4 characters of an ID"
        case .halt: "\(hint("status")) shows the current ID, if the bridge is halted"
        case .widget: "\(hint("widget list")) lists all widgets"
        case .event: "\(hint("event list")) lists those that wait; nothing was acknowledged"
        case .notice: "acknowledge the cursor of a notice from the agent that runs now"
        }
    }
}

extension BridgeIdentity.Part {
    fileprivate var advice: String {
        switch self {
        case .edition: "restart the agent with the edited profile, or leave out --profile"
        case _ where isOption: "leave that out, or restart the agent with it"
        default: "leave that option out, or give the --state of the intended bridge"
        }
    }
}

private let room = "free some space there and run again"

extension FileError {
    fileprivate var advice: String {
        switch self {
        case _ where lacksRoom: room
        case .missing, .exists, .noDirectory: "another program changed it; run again"
        case .notRegular:
            "no link is followed; replace it by the document: just removing it is synced as a deletion"
        case .unsupported: "use another file system, or --commit rename"
        case .system, .directory: "correct that and run again"
        }
    }
}
