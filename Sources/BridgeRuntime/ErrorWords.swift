package import Documents
import FileSystem
import Glibc
import Model
import StateStore
import SyncEngine

// What happened, and where: the wording that the command line, HTTP and the library share. Each of them adds
// its own advice.

extension BridgeError {
    package var what: String {
        switch self {
        case .nestedContainers: "the containers overlap"
        case .swappedContainers(_, _, let state):
            "a bridge syncs these containers the other way round; its state directory is \(state)"
        case .stateInsideContainer: "the state directory is inside a container"
        case .socketPathTooLong(_, let limit): "the path of the socket is longer than \(limit) bytes"
        case .otherProfile(let known, "", _):
            "the bridge uses \(known.asProfile), and none is named"
        case .otherProfile(let known, let named, _):
            "the bridge uses \(known.asProfile), not \(named.asProfile)"
        case .missingDirectory: "no such directory"
        case .unreadableDirectory(_, ENOTDIR): "not a directory"
        case .unreadableDirectory(_, let errno): "cannot read the directory: \(systemMessage(errno))"
        case .unwritableState(_, let errno): "cannot write the state directory: \(systemMessage(errno))"
        case .foreignState(_, let owner): "the state directory belongs to another user, \(owner)"
        case .exposedState(_, let directory, let owner?):
            "user \(owner) can replace the state directory, as \(directory) belongs to that user"
        case .exposedState(_, let directory, nil):
            "any user can replace the state directory, as \(directory) is writable by all"
        case .noHome: "no default state directory: HOME is not set, and this user has no home directory"
        case .alreadyRunning(let process, _): "\(Self.name(of: process)) already runs this bridge"
        case .pairTaken(let process, let state, _, _):
            "\(Self.name(of: process)) already syncs these containers"
                + (state.map { ", with its state in \($0)" } ?? "")
        case .journal(let error, _): "cannot use the journal: \(error.reason)"
        case .journalLocked: "another process has locked the journal"
        case .noRoom: "the disk is full"
        case .unknownKind: "unknown widget kind"
        case .unknownFamily(_, let kind, _): "unknown family of \(kind)"
        case .noDocument: "no such document"
        case .notADocument(_, .known(.excluded(let exclusion))):
            "the document is not synced: \(exclusion.text)"
        case .notADocument(_, let reason): "not a document: \(reason.text)"
        case .invalidDocument: "invalid document"
        case .mismatch: "the document does not have the expected content"
        case .held(_, let reason, _): "the document is held: \(reason?.text ?? "")"
        case .halted(let reason): "the bridge is halted: \(reason.text)"
        case .paused(let since): "the bridge is paused since \(since)"
        case .unknownID(.conflict): "no such conflict"
        case .unknownID(.trash): "no such content in the trash"
        case .unknownID(.halt): "no such held deletion"
        case .unknownID(.widget): "no such widget"
        case .unknownID(.event): "no such event"
        case .unknownID(.notice): "no such notice"
        case .ambiguousID: "ambiguous ID prefix"
        case .undecidable(_, let hindrance): hindrance.text
        case .event(let fault): fault.what
        case .timedOut(let time): "not in sync after \(time.text)"
        case .noAgent: "no agent answers"
        case .subscriptionEnded(_, isServed: true):
            "the subscription ended, because the agent opened the bridge again with other settings"
        case .subscriptionEnded(_, isServed: false):
            "the subscription ended, because the agent stopped or no longer runs the bridge on this socket"
        case .otherBridge(let part, _, _): "the agent on this socket \(part.words)"
        case .silentAgent(let process, _):
            "the agent\(process.map { ", process \($0)," } ?? "") does not answer"
        case .agent(_, let detail): detail
        case .file(let error): error.what
        }
    }

    private static func name(of process: Int32?) -> String {
        process.map { "process \($0)" } ?? "another process"
    }

    package var place: String? {
        switch self {
        case .nestedContainers(let app, let group), .swappedContainers(let app, let group, _),
            .pairTaken(_, _, let app, let group):
            "\(app) and \(group)"
        case .stateInsideContainer(let state, let container): "\(state) in \(container)"
        case .socketPathTooLong(let path, _), .missingDirectory(let path), .unreadableDirectory(let path, _),
            .unwritableState(let path, _), .foreignState(let path, _), .exposedState(let path, _, _),
            .journal(_, let path), .journalLocked(let path), .noRoom(let path), .noAgent(let path),
            .silentAgent(_, let path), .subscriptionEnded(let path, _):
            path
        case .alreadyRunning(_, let state), .otherProfile(_, _, let state): state
        case .unknownKind(let kind, _), .unknownFamily(let kind, _, _): "`\(kind)`"
        case .noDocument(let name, let side): (side.map { "\($0.rawValue):" } ?? "") + name
        case .notADocument(let name, _), .held(let name, _, _): name
        case .invalidDocument(let name, let fault):
            "\(name):\(fault.position == nil ? " " : "")\(fault.text)"
        case .mismatch(let name, let side, let actual):
            "\(side.rawValue):\(name) is \(actual?.description ?? "absent")"
        case .otherBridge(_, let given, let actual): "\(actual), not \(given)"
        case .noHome, .halted, .paused, .timedOut, .agent: nil
        case .unknownID(let subject), .undecidable(let subject, _): "`\(subject.id)`"
        case .ambiguousID(let subject, let ids): "`\(subject.id)`: \(ids.joined(separator: ", "))"
        case .event(let fault): fault.place
        case .file(let error): error.place
        }
    }

    /// What happened, and where.
    package var words: String { place.map { "\(what), \($0)" } ?? what }
}

extension BridgeError.NameFault {
    package var text: String {
        switch self {
        case .noPath: "its name is not a path inside a container"
        case .notJSON: "only *.json files are documents, except hidden files and editors' temporary files"
        case .view(let document): "it is a view of \(document), which the bridge writes"
        case .excluded(let exclusion): exclusion.text
        }
    }
}

extension BridgeError.ContentFault {
    package var text: String {
        switch self {
        case .json(let error): error.reason
        case .violation(let violation): violation.text
        case .newer(let version): newerVersionWords(version)
        case .version(let fault): fault.located.withoutPosition
        case .reported(let text, _), .reportedViolation(let text, _): text
        }
    }

    package var position: JSONPosition? {
        switch self {
        case .json(let error): error.position
        case .violation(let violation): violation.position
        case .newer: nil
        case .version(let fault): fault.located.position
        case .reported(_, let position), .reportedViolation(_, let position): position
        }
    }
}

extension BridgeError.Hindrance {
    package var text: String {
        switch self {
        case .known(let reason): reason.text
        case .reported(let text, _): text
        }
    }

    package var advice: String {
        switch self {
        case .known(let reason): reason.advice
        case .reported(_, let advice): advice
        }
    }
}

extension JournalDamage {
    var text: String {
        switch self {
        case .marked: "an earlier run could not read or write a part of it"
        case .unusable(let error): error.reason
        }
    }
}

extension String {
    /// Of a profile's name.
    fileprivate var asProfile: String { isEmpty ? "no profile" : "the profile `\(self)`" }
}

extension TrashUse {
    /// Warns before files are deleted earlier than by their age.
    package var warning: String? {
        let (unit, shift) = limit < 10 << 20 ? ("KiB", 10) : ("MiB", 20)
        let room = "\(bytes >> shift) of \(limit >> shift) \(unit)"
        if droppedEarly > 0 {
            return "the trash is full (\(room)): \(droppedEarly) of its files were deleted early"
        }
        return isNearlyFull ? "the trash is nearly full (\(room)): its oldest files are deleted next" : nil
    }
}
