import BridgeRuntime
package import Documents
public import Logging
import Model
import SyncEngine

/// How a bridge works.
public struct Options: Sendable {
    /// The app described as data: its documents, their versions, which widget kinds show them.
    public enum ProfileSource: Hashable, Sendable {
        /// `budget`, `habits`, `todo`, `finance` or `balances`.
        case builtIn(String)
        /// The text of a profile; `file` names it in errors.
        case yaml(String, file: String)
    }

    /// What of a written document survives what. All four survive a killed process with every document whole.
    public enum Durability: String, CaseIterable, Sendable {
        /// No fsync: a power cut may tear or lose.
        case none
        /// The file is synced before it takes its name: whole after a power cut, old or new.
        case file
        /// The file, then its directory, for every document: what was acknowledged is kept.
        case dir
        /// As `dir`, with one sync for all documents that wait together.
        case batch
    }

    /// How a document takes the place of another.
    public enum CommitMode: String, CaseIterable, Sendable {
        /// The two swap places, and what came out is examined: no racing save is lost.
        case exchange
        /// Checked, then renamed over: for folders whose readers take an exchange for a deletion.
        case rename
    }

    /// How the bridge learns of changes.
    public enum Watching: String, CaseIterable, Sendable {
        /// The kernel tells it, through the program `widgetbridge-watch`. Where the containers cannot be
        /// watched, the bridge does not open.
        case inotify
        /// The kernel tells it. Where the containers cannot be watched, everything is looked at every second,
        /// and the log and ``Status/watch`` say so.
        case inotifyOrPolling
        /// Everything is looked at every second, for file systems that raise no events.
        case polling
    }

    /// Where the journal, the lock and what was replaced are kept, apart from both containers. `nil`: beneath
    /// `$XDG_STATE_HOME/widgetbridge`, named by a hash of both containers' paths.
    public var state: String?
    /// `nil`: every `*.json` file is a document without versions.
    public var profile: ProfileSource?
    /// Go on by this profile, or by none, where the bridge has worked by one of another name: else it is
    /// refused.
    public var changesProfile: Bool
    /// What of a written document survives a power cut.
    public var durability: Durability
    /// How a document takes the place of another.
    public var commit: CommitMode
    /// Bytes; a larger document is held, not carried.
    public var maxDocument: Int
    /// Levels of nesting; a deeper document is held.
    public var maxDepth: Int
    /// How often everything is looked at again, for what raises no event.
    public var rescan: Duration
    /// How it learns of changes.
    public var watching: Watching
    /// The program `widgetbridge-watch`. `nil`: beside the running program, where a build puts it; else where
    /// the environment's `WIDGETBRIDGE_WATCH` says; else on the search path.
    public var helper: String?
    /// Gets what the bridge does: each change at `info`, what is held, or polled instead of watched, at
    /// `warning`.
    public var logger: Logger

    /// All have a standard, which is right for most.
    ///
    /// - Parameters:
    ///   - state: The state directory, apart from both containers.
    ///   - profile: What is known of the documents.
    ///   - changesProfile: Whether the bridge may have worked by a profile of another name.
    ///   - durability: What survives a power cut.
    ///   - commit: How a document takes the place of another.
    ///   - maxDocument: In bytes.
    ///   - maxDepth: In levels of nesting.
    ///   - rescan: How often everything is looked at again.
    ///   - watching: How it learns of changes.
    ///   - helper: The program `widgetbridge-watch`.
    ///   - logger: Gets what the bridge does.
    public init(
        state: String? = nil,
        profile: ProfileSource? = nil,
        changesProfile: Bool = false,
        durability: Durability = .batch,
        commit: CommitMode = .exchange,
        maxDocument: Int = 8 << 20,
        maxDepth: Int = 512,
        rescan: Duration = .seconds(60),
        watching: Watching = .inotifyOrPolling,
        helper: String? = nil,
        logger: Logger = Logger(label: "widgetbridge")
    ) {
        self.state = state
        self.profile = profile
        self.changesProfile = changesProfile
        self.durability = durability
        self.commit = commit
        self.maxDocument = maxDocument
        self.maxDepth = maxDepth
        self.rescan = rescan
        self.watching = watching
        self.helper = helper
        self.logger = logger
    }

    func settings(app: String, group: String) throws(BridgeFailure) -> BridgeSettings {
        BridgeSettings(
            app: app,
            group: group,
            state: state,
            profile: try loadedProfile(),
            engine: EngineSettings(
                durability: SyncEngine.Durability(rawValue: durability.rawValue) ?? .batch,
                commit: SyncEngine.CommitMode(rawValue: commit.rawValue) ?? .exchange,
                maxDocument: maxDocument,
                maxDepth: maxDepth,
                changesProfile: changesProfile
            ),
            rescan: rescan,
            polling: watching == .polling,
            helper: helper
        )
    }

    package func loadedProfile() throws(BridgeFailure) -> Profile? {
        switch profile {
        case nil: return nil
        case .builtIn(let name):
            guard let profile = Profile.builtIn(name) else {
                let known = Profile.builtInNames.joined(separator: ", ")
                throw BridgeFailure(.unusableSettings, "unknown profile `\(name)`; built in are \(known)")
            }
            return profile
        case .yaml(let text, let file):
            do throws(ProfileError) {
                return try Profile(yaml: text, file: file)
            } catch {
                let place = "\(error.file):\(error.line):\(error.column)"
                throw BridgeFailure(.unusableSettings, "\(place): \(error.key): \(error.reason.text)")
            }
        }
    }
}
