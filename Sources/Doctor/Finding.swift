package import BridgeRuntime
package import Documents
package import FileSystem
package import Hooks
package import Model
package import Watching

/// What is wrong with a bridge, or may become so.
package struct Finding: Sendable, Hashable {
    package var place: Place
    package var reason: Reason

    package init(_ reason: Reason, at place: Place) { (self.place, self.reason) = (place, reason) }

    package enum Severity: String, Sendable, CaseIterable {
        /// The bridge does not start, or does not sync that document.
        case error
        /// It works, but slower or with weaker guarantees, or what it syncs cannot be of use.
        case warning
        case note
    }

    package enum Place: Sendable, Hashable {
        case machine
        case bridge
        /// Outside of the containers, or a container itself.
        case path(String)
        /// A document, where the side does not matter.
        case document(String)
        /// A file or directory in a container, and a key in that file.
        case container(Side, String, key: String? = nil)
        case profile(line: Int, file: String)
    }

    package enum Reason: Sendable, Hashable {
        /// What keeps the bridge from starting.
        case refused(BridgeError)
        case machine(Machine)
        case container(Container)
        case state(State)
        case bridge(Bridge)
        case hook(Hook)
        case document(Document)
        case profile(Profile)
        case placement(Placement)
        case store(Store)
        case content(Content)
    }

    package enum Machine: Sendable, Hashable {
        case missingCall(NeededCall)
        /// The bridge would poll.
        case polling(PollingReason)
        /// The containers take more than half of the watches that all programs of this user may have.
        case fewWatches(needed: Int, limit: Int)
    }

    package enum Container: Sendable, Hashable {
        case readOnly(fileSystem: String?)
        case unwritable
        /// Every user of the machine may replace its files: its permission bits.
        case exposed(UInt32)
        /// A directory that cannot be listed: why.
        case unreadable(errno: Int32)
        /// A change by another machine raises no event on such a file system.
        case remoteChanges(fileSystem: String)
        /// A change of a layer raises no event.
        case layers
        case noExchange(fileSystem: String)
        case noRoom
        /// There are too many directories to look at all of them.
        case incomplete(directories: Int)
    }

    package enum State: Sendable, Hashable {
        case othersRights(UInt32)
        case damagedJournal
        case noRoom
    }

    package enum Bridge: Sendable, Hashable {
        case halted(Reported<BridgeStatus.Reason>?)
        /// So many documents have changes that are not synced meanwhile.
        case paused(since: String?, waiting: Int)
        /// No agent runs; so many documents have changes that nobody syncs.
        case noAgent(waiting: Int)
        /// What it cannot guarantee in its mode.
        case limited(Reported<BridgeStatus.Reason>)
        /// So many of its runs have failed, the last one for this reason.
        case hook(String, failures: Int, runs: Int, String)
    }

    package enum Hook: Sendable, Hashable {
        /// An agent does not start with this hook, which would never run.
        case refused(String, BridgeError)
        /// It would fail each time.
        case failing(String, HookFailure)
    }

    package enum Document: Sendable, Hashable {
        case notRegular(FileKind)
        /// It is on another mount than the container, and is held.
        case mounted
        case tooLarge(Int64, limit: Int)
        /// It is above the profile's limit for this asset.
        case assetTooLarge(Int64, limit: Int)
        case unreadable
        /// Every user of the machine may change it: its permission bits.
        case exposed(UInt32)
        /// The bridge holds it, for this reason.
        case held(Reported<BridgeStatus.Document.Reason>?)
        /// The profile names this store of the side instead: the file is ignored.
        case keptInStore(String)
        /// By its name, an app keeps it for itself.
        case looksPrivate
        /// So do this many more.
        case morePrivate(Int)
        /// Its name only looks like this one, which the profile names.
        case looksLike(String)
        /// It and the app's document are hard links to one file.
        case linked
        /// So are this many more.
        case moreLinked(Int)
        /// This many more documents have the same problem as the ones before.
        indirect case more(Int, like: Document)
    }

    package enum Profile: Sendable, Hashable {
        case invalid(ProfileError)
        /// A store cannot be right.
        case store(LintFinding)
        /// Programs of another version may not read its documents: so many warnings, of the profile by this
        /// name.
        case versions(Int, profile: String)
    }
}
