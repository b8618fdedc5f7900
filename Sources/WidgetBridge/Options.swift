import BridgeRuntime
package import Documents
public import Logging
import Model
import SyncEngine

/// The settings of a bridge.
public struct Options: Sendable {
    /// Where the profile comes from: the description of an app's documents, their versions, and the kinds
    /// of widgets that show them.
    public enum ProfileSource: Hashable, Sendable {
        /// A built-in profile: `budget`, `habits`, `todo`, `finance` or `balances`.
        case builtIn(String)
        /// The text of a profile; `file` is its name in errors.
        case yaml(String, file: String)
    }

    /// The data that a power cut may destroy. With each of them, every document is complete after the process
    /// is killed.
    public enum Durability: String, CaseIterable, Sendable {
        /// No fsync: a power cut may tear or lose documents.
        case none
        /// The file is synced before its rename: after a power cut it is complete, old or new.
        case file
        /// The file and then its directory are synced, for every document: what was acknowledged survives.
        case dir
        /// Like `dir`, with one sync for all documents that are waiting.
        case batch
    }

    /// How a document is replaced.
    public enum CommitMode: String, CaseIterable, Sendable {
        /// The old and the new file exchange their names, and the displaced file is examined: no racing
        /// save is lost.
        case exchange
        /// The content is checked, then the file is renamed: for directories whose readers mistake an
        /// exchange for a deletion.
        case rename
    }

    /// How the bridge detects changes.
    public enum Watching: String, CaseIterable, Sendable {
        /// The kernel reports them through the program `widgetbridge-watch`. If the containers cannot be
        /// watched, the bridge does not open.
        case inotify
        /// The kernel reports them. If the containers cannot be watched, all documents are checked every
        /// second, and the log and ``Status/watch`` say so.
        case inotifyOrPolling
        /// All documents are checked every second, for file systems without events.
        case polling
    }

    /// The directory for the journal, the lock and the trash, outside both containers. `nil`: a directory
    /// in `$XDG_STATE_HOME/widgetbridge`, named by a hash of both containers' paths.
    public var state: String?
    /// The profile; `nil`: every `*.json` file is a document without versions.
    public var profile: ProfileSource?
    /// Whether to accept a profile with another name than the bridge's previous one, or none. Otherwise
    /// such a change is refused.
    public var changesProfile: Bool
    /// What a power cut may destroy.
    public var durability: Durability
    /// How a document is replaced.
    public var commit: CommitMode
    /// The largest size of a document in bytes; a larger one is held.
    public var maxDocument: Int
    /// The most levels of nesting; a deeper document is held.
    public var maxDepth: Int
    /// The most directories in a document's name; a document with more is held.
    public var maxDirectories: Int
    /// The only documents to sync, by their names; `*` matches any characters within one component of a path,
    /// and a name that ends with `/` is a directory's. `nil`: all.
    public var include: [String]?
    /// Documents and directories that are not synced, by such patterns.
    public var exclude: [String]
    /// How often all documents are checked, to find changes without an event.
    public var rescan: Duration
    /// How the bridge detects changes.
    public var watching: Watching
    /// The path of the program `widgetbridge-watch`. `nil`: beside the running program, as a build places
    /// it, else the environment variable `WIDGETBRIDGE_WATCH`, else the search path.
    public var helper: String?
    /// The logger: changes at `info`; held documents, and polling instead of watching, at `warning`.
    public var logger: Logger

    /// Creates options; the defaults suit most uses.
    ///
    /// - Parameters:
    ///   - state: The state directory, outside both containers.
    ///   - profile: The description of the documents.
    ///   - changesProfile: Whether the bridge's previous profile may have had another name.
    ///   - durability: What a power cut may destroy.
    ///   - commit: How a document is replaced.
    ///   - maxDocument: The largest size of a document, in bytes.
    ///   - maxDepth: The most levels of nesting.
    ///   - maxDirectories: The most directories in a document's name.
    ///   - include: The only documents to sync.
    ///   - exclude: Documents that are not synced.
    ///   - rescan: How often all documents are checked.
    ///   - watching: How the bridge detects changes.
    ///   - helper: The path of the program `widgetbridge-watch`.
    ///   - logger: The logger for the bridge's messages.
    public init(
        state: String? = nil,
        profile: ProfileSource? = nil,
        changesProfile: Bool = false,
        durability: Durability = .batch,
        commit: CommitMode = .exchange,
        maxDocument: Int = 8 << 20,
        maxDepth: Int = 512,
        maxDirectories: Int = 64,
        include: [String]? = nil,
        exclude: [String] = [],
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
        self.maxDirectories = maxDirectories
        self.include = include
        self.exclude = exclude
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
                maxDirectories: maxDirectories,
                changesProfile: changesProfile,
                filter: DocumentFilter(include: include, exclude: exclude)
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
