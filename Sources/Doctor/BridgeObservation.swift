package import BridgeRuntime
package import Documents
package import FileSystem
package import Model
package import Watching

/// What was seen of a bridge and of its machine. Findings follow from it alone.
package struct BridgeObservation: Sendable {
    package var missingCalls: [NeededCall] = []
    /// The most directories that all programs of this user together may watch, if that is known.
    package var watchLimit: Int?
    package var paths: ExaminedPaths
    /// `nil` for a container that cannot be used.
    package var containers: BothSides<ContainerObservation?> = BothSides(app: nil, group: nil)
    /// Of the state directory, if that exists.
    package var stateFileSystem: FileSystemFacts?
    package var watching = WatchingObservation.asConfigured
    package var agent = AgentObservation.absent
    /// Why a bridge cannot use the journal, which was tried with a copy.
    package var journal: BridgeError?
    /// Why the queue of events cannot be used, which was tried with a copy.
    package var events: BridgeError?
    /// The hooks of the configuration with which something is wrong.
    package var configuredHooks: [HookObservation] = []
    /// The hooks of a running agent.
    package var hooks: [HookReport] = []
    package var stores: [StoreObservation] = []
    /// The IDs of the App Groups that the profile names.
    package var groups: [String] = []
    package var profile = ProfileObservation()
    /// Whether documents are replaced by an exchange of names.
    package var exchanges = true
    /// The largest document that is synced, in bytes.
    package var maxDocument = Int.max
    /// The most levels of nesting in a document that is synced.
    package var maxDepth = Int.max

    package init(paths: ExaminedPaths) { self.paths = paths }
}

package enum WatchingObservation: Sendable, Hashable {
    /// The bridge is configured to poll, or could not be watched because it lacks a container.
    case asConfigured
    /// What the watching program did; `nil`: it watches everything.
    case tried(PollingReason?)
    /// A running agent does, and reports how.
    case byAgent
}

package enum AgentObservation: Sendable, Hashable {
    /// It does not run, and there is nothing to know of the bridge.
    case absent
    /// It does not run; a look at the bridge, as a command takes one.
    case looked(BridgeStatus)
    case answered(BridgeStatus)
    /// It does not answer, or refuses the request.
    case refused(BridgeError)
}

package struct ProfileObservation: Sendable, Hashable {
    /// As a person names it; empty without a profile.
    package var name: String
    package var error: ProfileError?
    /// It comes with the program, so that only a release changes it.
    package var isBuiltIn = false
    package var warnings: [Warning] = []

    package init(name: String = "") { self.name = name }

    package struct Warning: Sendable, Hashable {
        package var finding: LintFinding
        package var file: String
        package var line: Int

        package init(_ finding: LintFinding, file: String, line: Int) {
            (self.finding, self.file, self.line) = (finding, file, line)
        }
    }
}

package struct ContainerObservation: Sendable, Hashable {
    package var fileSystem: FileSystemFacts?
    /// Its permission bits.
    package var mode: UInt32 = 0
    /// This user may create files in it.
    package var isWritable: Bool
    package var directories = 0
    /// Directories that cannot be listed; `nil` is the container.
    package var unreadable: [UnreadableDirectory] = []
    /// It has more directories than were looked at.
    package var isIncomplete = false
    package var documents: [DocumentObservation] = []

    package init(fileSystem: FileSystemFacts?, isWritable: Bool) {
        (self.fileSystem, self.isWritable) = (fileSystem, isWritable)
    }

    package struct UnreadableDirectory: Sendable, Hashable {
        package var path: RelativePath?
        package var errno: Int32

        package init(_ path: RelativePath?, errno: Int32) { (self.path, self.errno) = (path, errno) }
    }
}

/// A file that has the name of a document, from `stat` alone: a running agent would take a look into it for
/// that of a program.
package struct DocumentObservation: Sendable, Hashable {
    package var path: RelativePath
    package var kind: FileKind
    package var size: Int64
    package var isReadable: Bool
    /// It is on another mount than the container.
    package var isMounted: Bool
    /// Its permission bits.
    package var mode: UInt32 = 0
    /// The profile's limit of its size, for an asset.
    package var limit: Int?
    /// The profile names it, or a pattern that matches it.
    package var isNamed = false
    /// The document of the profile that its name only looks like.
    package var looksLike: String?
    /// Which file it is.
    package var file: Signature?

    package init(
        _ path: RelativePath,
        kind: FileKind = .regular,
        size: Int64 = 0,
        isReadable: Bool = true,
        isMounted: Bool = false
    ) {
        (self.path, self.kind, self.size) = (path, kind, size)
        (self.isReadable, self.isMounted) = (isReadable, isMounted)
    }
}
