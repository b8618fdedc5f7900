import Documents
import Model
import StateStore
import SyncEngine

/// The bridge that a caller names, as far as the caller specifies it.
package struct BridgeIdentity: Sendable, Hashable {
    package enum Part: String, Sendable, CaseIterable {
        case app, group, profile
        /// A profile of the same name may have been edited since the agent read it.
        case edition
        // Settings, by the names of the options.
        case appVersion = "app-version"
        case groupVersion = "group-version"
        case appStores = "app-stores"
        case groupStores = "group-stores"
        case durability, commit
        case maxDocument = "max-document"
        case maxDepth = "max-depth"
        case maxDirectories = "max-directories"
        case include, exclude
        case guardLastDocument = "guard-last-document"
        case haltThreshold = "halt-threshold"
        case maxTrash = "max-trash"
        case trashAge = "trash-age"
        case rescan, polling

        package var words: String {
            switch self {
            case .app, .group: "syncs another \(rawValue) container"
            case .profile: "uses another profile"
            case .edition: "uses another edition of the profile"
            default: "runs with another --\(rawValue)"
            }
        }

        package var isOption: Bool {
            switch self {
            case .app, .group, .profile, .edition: false
            default: true
            }
        }
    }

    package var parts: [Part: String]

    package init(parts: [Part: String]) { self.parts = parts }

    /// Uses the real paths of the named directories. `nil` for no profile: it may be omitted when an agent
    /// runs.
    package init(_ settings: BridgeSettings) throws(BridgeError) {
        parts = [:]
        if !settings.app.isEmpty { parts[.app] = try BridgeSettings.realPath(settings.app) }
        if !settings.group.isEmpty { parts[.group] = try BridgeSettings.realPath(settings.group) }
        take(settings.profile)
        take(settings.options.filter { settings.explicitParts.contains($0.key) })
    }

    /// The complete identity of an agent's bridge.
    init(app: String, group: String, of settings: BridgeSettings) {
        parts = [.app: app, .group: group, .profile: ""]
        take(settings.profile)
        take(settings.options)
    }

    private mutating func take(_ options: [Part: String]) { parts.merge(options) { $1 } }

    private mutating func take(_ profile: Profile?) {
        guard let profile else { return }
        parts[.profile] = profile.id
        parts[.edition] = Digest(of: Array(profile.yaml.utf8)).description
    }

    /// What stays when an agent reads its profile and settings again.
    package var lasting: BridgeIdentity {
        BridgeIdentity(parts: parts.filter { !$0.key.isOption && $0.key != .edition })
    }

    /// Each part that is specified must match.
    package func check(against actual: BridgeIdentity) throws(BridgeError) {
        for part in Part.allCases {
            guard let given = parts[part], let known = actual.parts[part], given != known else { continue }
            throw .otherBridge(part, given: given, actual: known.isEmpty ? "none" : known)
        }
    }
}

extension BridgeSettings {
    /// The normalized text of each value.
    fileprivate var options: [BridgeIdentity.Part: String] {
        [
            .appVersion: engine.pinnedVersions.app.map { "\($0)" } ?? "",
            .groupVersion: engine.pinnedVersions.group.map { "\($0)" } ?? "",
            .appStores: stores.app.rawValue,
            .groupStores: stores.group.rawValue,
            .durability: engine.durability.rawValue,
            .commit: engine.commit.rawValue,
            .maxDocument: "\(engine.maxDocument) bytes",
            .maxDepth: "\(engine.maxDepth)",
            .maxDirectories: "\(engine.maxDirectories)",
            .include: engine.filter.include.map { $0.joined(separator: " ") } ?? "",
            .exclude: engine.filter.exclude.joined(separator: " "),
            .guardLastDocument: "\(engine.lossThreshold.all == 1)",
            .haltThreshold: "\(engine.lossThreshold.percent)%",
            .maxTrash: "\(engine.trash.maxBytes) bytes",
            .trashAge: engine.trash.maxAge.words,
            .rescan: rescan.words,
            .polling: "\(polling)",
        ]
    }
}
