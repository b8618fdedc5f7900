import BridgeRuntime
import Doctor
import Documents
import FileSystem
import Hooks
import Model
import Watching

extension Finding.Reason {
    typealias Prose = (what: String, advice: String)

    /// Why something is wrong, and how to mend it.
    func prose(_ hint: CommandHint) -> Prose {
        switch self {
        case .refused(let error): (error.isOfPath ? error.what : error.words, error.advice(hint))
        case .machine(let machine): machine.prose
        case .container(let container): container.prose
        case .state(let state): state.prose(hint)
        case .bridge(let bridge): bridge.prose(hint)
        case .hook(let hook): hook.prose(hint)
        case .document(let document): document.prose(hint)
        case .placement(let placement): placement.prose
        case .store(let store): store.prose
        case .content(let content): content.prose
        case .profile(.invalid(let error)):
            invalid(ErrorProse(invalidProfile: error))
        case .profile(.store(let finding)):
            ("\(finding.document) \(finding.place): \(finding.reason.text)", "correct the profile")
        case .profile(.versions(let count, let profile)):
            (
                "it has changes that may break programs of another version: "
                    + (count == 1 ? "one warning" : "\(count.grouped) warnings"),
                "\(CommandHint()("profile lint", profile)) shows them"
            )
        }
    }
}

private func invalid(_ profile: ErrorProse) -> Finding.Reason.Prose {
    (profile.what, profile.advice ?? "correct the profile")
}

private let nearlyFull: Finding.Reason.Prose = ("the file system is nearly full", "free some space there")

extension Finding.Machine {
    fileprivate var prose: Finding.Reason.Prose {
        switch self {
        case .missingCall(.statx):
            ("there is no `statx`", "use Linux 4.11 or later, or allow the call in the sandbox")
        case .missingCall(.openat2):
            (
                "there is no `openat2`: paths are opened in several steps, which is slower",
                "use Linux 5.6 or later, or allow the call in the sandbox"
            )
        case .missingCall(.renameat2):
            (
                "there is no `renameat2`: documents cannot be exchanged, so a save that comes at the same "
                    + "moment may be lost",
                "use Linux 3.15 or later, or allow the call in the sandbox"
            )
        case .polling(.limited(.watchLimit(let count, _))):
            (
                (count == 1 ? "one directory" : "\(count.grouped) directories")
                    + " cannot be watched, so the bridge would poll every second",
                "raise the limit of all programs of this user: "
                    + "`sudo sysctl fs.inotify.max_user_watches=524288`"
            )
        case .polling(let reason): ("the bridge would poll every second: \(reason.text)", reason.advice)
        case .fewWatches(let needed, let limit):
            (
                "the containers have \(needed.grouped) directories, and all programs of this user together "
                    + "may watch \(limit.grouped)",
                "raise it: `sudo sysctl fs.inotify.max_user_watches=\(max(2 * limit, 4 * needed))`"
            )
        }
    }
}

extension PollingReason {
    fileprivate var advice: String {
        switch self {
        case .noHelper:
            "install widgetbridge-watch beside widgetbridge, or name it in WIDGETBRIDGE_WATCH"
        case .notStarted: "let this user execute it, or install it again"
        case .complained, .ended, .silent, .limited:
            "look at the limits in /proc/sys/fs/inotify, or install the program again"
        }
    }
}

extension Finding.Container {
    fileprivate var prose: Finding.Reason.Prose {
        switch self {
        case .readOnly(let type):
            (
                "the file system\(type.map { ", \($0)," } ?? "") is mounted read-only",
                "mount it writable: the bridge writes to both containers"
            )
        case .unwritable:
            ("this user may not create files here", "give this user write permission, or run as its owner")
        case .exposed(let mode): mode.exposedProse
        case .unreadable(let errno):
            (
                "the directory cannot be listed: \(systemMessage(errno))",
                "let this user read and enter it: its documents are not synced"
            )
        case .remoteChanges(let type):
            (
                "on \(type), changes by another machine raise no event, so they are found only by the rescan",
                "set `polling: true` in the configuration, or give the agent --polling"
            )
        case .layers:
            (
                "on overlay, a change made directly in one of its layers raises no event",
                "change files only through this directory"
            )
        case .noExchange(let type):
            (
                "\(type) cannot exchange two files, so a save that comes at the same moment may be lost",
                "use another file system if programs save on both sides"
            )
        case .noRoom: nearlyFull
        case .incomplete(let directories):
            (
                "it has more than \(directories.grouped) directories, and the others were not looked at",
                "keep in the container only what is synced"
            )
        }
    }
}

extension Finding.State {
    fileprivate func prose(_ hint: CommandHint) -> Finding.Reason.Prose {
        switch self {
        case .othersRights(let rights):
            (
                "other users may access the state directory (\(String(rights, radix: 8)) of its mode)",
                "nothing to do: the next \(hint("sync")) removes that"
            )
        case .noRoom: nearlyFull
        case .damagedJournal:
            (
                "the journal is damaged",
                "nothing to do: the next \(hint("sync")) sets it aside, and then merges the two containers "
                    + "as if they had never been in sync; nothing is deleted"
            )
        }
    }
}

extension Finding.Bridge {
    fileprivate func prose(_ hint: CommandHint) -> Finding.Reason.Prose {
        switch self {
        case .halted(let reason):
            (
                "the bridge is halted" + (reason.map { ": \($0.text)" } ?? ""),
                "\(hint("status")) shows how to go on"
            )
        case .paused(let since, let waiting):
            (
                "the bridge is paused" + (since.map { " since \($0)" } ?? "") + ": nothing is synced"
                    + Self.waiting(waiting),
                "\(hint("resume")) ends the pause"
            )
        case .noAgent(let waiting):
            (
                "no agent runs" + Self.waiting(waiting),
                "\(hint("agent")) keeps the containers in sync; \(hint("sync")) does it once"
            )
        case .limited(let reason): (reason.text, "\(hint("status")) shows the mode of the bridge")
        case .hook(let name, let failures, let runs, let reason):
            (
                "the hook `\(name)` failed \(failures.grouped) of \(runs.grouped) times, the last time: \(reason)",
                "correct it in the configuration, or what it starts"
            )
        }
    }
}

extension Finding.Bridge {
    private static func waiting(_ documents: Int) -> String {
        switch documents {
        case 0: ""
        case 1: "; a changed document waits to be synced"
        default: "; \(documents.grouped) changed documents wait to be synced"
        }
    }
}

extension Finding.Hook {
    fileprivate func prose(_ hint: CommandHint) -> Finding.Reason.Prose {
        switch self {
        case .refused(let name, let error):
            ("the hook `\(name)` would never run: \(error.words)", error.advice(hint))
        case .failing(let name, let failure):
            ("the hook `\(name)` cannot run: \(failure.text)", "correct it, or install the program")
        }
    }
}

extension Finding.Document {
    fileprivate func prose(_ hint: CommandHint) -> Finding.Reason.Prose {
        switch self {
        case .notRegular(.symbolicLink):
            ("a symbolic link, not a file", "replace it by the document: no link is followed")
        case .notRegular(.directory): ("a directory, not a file", "rename it, or exclude it with --exclude")
        case .notRegular: ("not a regular file", "remove it, or exclude it with --exclude")
        case .mounted: Self.mounted
        case .tooLarge(let bytes, let limit):
            (
                "\(Int(bytes).grouped) bytes are more than the limit of \(limit.grouped)",
                "split the document, or raise the limit with --max-document"
            )
        case .assetTooLarge(let bytes, let limit):
            (
                "\(Int(bytes).grouped) bytes are more than the profile's limit of \(limit.grouped)",
                "make the file smaller, or raise `limit` in the profile"
            )
        case .unreadable: ("this user may not read it", "give this user read permission, or run as its owner")
        case .keptInStore(let store):
            ("the profile keeps this document in \(store), so this file is ignored", "remove it")
        case .looksPrivate: Self.privateFile
        case .morePrivate(let count):
            ("\(count.grouped) more files look private by their names, and are copied", Self.exclusion)
        case .looksLike(let name):
            ("its name only looks like \(name) of the profile: it is another document", "rename it")
        case .linked: Self.linked
        case .moreLinked(let count):
            ("\(count.grouped) more are hard links to the app's documents", "let the bridge sync them")
        case .exposed(let mode): mode.exposedProse
        case .held(let reason):
            (
                "the bridge holds it" + (reason.map { ": \($0.text)" } ?? ""),
                "mend it and save it again, `put` a whole one, or `undo` one that \(hint("history")) lists; "
                    + "\(hint("status --only held")) shows all that are held"
            )
        case .more(1, _): ("one more document is like that", "mend it in the same way")
        case .more(let count, _):
            ("\(count.grouped) more documents are like that", "mend them in the same way")
        }
    }

    private static let privateFile: Finding.Reason.Prose = (
        "by its name the app keeps it for itself, and it is copied to the other container",
        "leave it out with `exclude`, or name it in the profile"
    )
    private static let exclusion = "leave them out with `exclude`"
    private static let mounted: Finding.Reason.Prose = (
        "another file system is mounted over it or over its directory, so it is held",
        "unmount that, or name the mounted directory as the container"
    )
    private static let linked: Finding.Reason.Prose = (
        "it and the app's document are hard links to one file, so a save in place shows half written",
        "let the bridge write it: a sync gives each container a file of its own"
    )
}
