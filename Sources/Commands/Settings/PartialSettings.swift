import AgentClient
import BridgeRuntime
import Documents
import Hooks
import Logging
import Model
import StateStore
import SyncEngine

/// The settings of one bridge from one source: the command line, or a part of a file.
struct PartialSettings: Hashable, Sendable {
    var app: String?
    var group: String?
    var state: String?
    var profile: String?
    var appVersion: Int?
    var groupVersion: Int?
    var appStores: StorePlatform?
    var groupStores: StorePlatform?
    var durability: Durability?
    var commit: CommitMode?
    var maxDocument: Int?
    var maxDepth: Int?
    var maxDirectories: Int?
    var include: [String]?
    var exclude: [String]?
    var guardLastDocument: Bool?
    /// In percent.
    var haltThreshold: Int?
    var maxTrash: Int?
    var trashAge: Duration?
    var rescan: Duration?
    var polling: Bool?
    var listen: String?
    var tokenFile: String?
    var logLevel: Logger.Level?
    /// Only a file has these.
    var timeZone: JSONExpression.Zone?
    var hooks: [Hook]?
    /// The positions of the hooks in the file.
    var hookPlaces: [HookPlace]?
    /// The option or the line of a file that names the profile.
    var profilePlace: String?
    /// The bridge's position in the file.
    var place: String?

    /// Fills missing settings from `other`.
    func over(_ other: PartialSettings) -> PartialSettings {
        PartialSettings(
            app: app ?? other.app,
            group: group ?? other.group,
            state: state ?? other.state,
            profile: profile ?? other.profile,
            appVersion: appVersion ?? other.appVersion,
            groupVersion: groupVersion ?? other.groupVersion,
            appStores: appStores ?? other.appStores,
            groupStores: groupStores ?? other.groupStores,
            durability: durability ?? other.durability,
            commit: commit ?? other.commit,
            maxDocument: maxDocument ?? other.maxDocument,
            maxDepth: maxDepth ?? other.maxDepth,
            maxDirectories: maxDirectories ?? other.maxDirectories,
            include: include ?? other.include,
            exclude: exclude ?? other.exclude,
            guardLastDocument: guardLastDocument ?? other.guardLastDocument,
            haltThreshold: haltThreshold ?? other.haltThreshold,
            maxTrash: maxTrash ?? other.maxTrash,
            trashAge: trashAge ?? other.trashAge,
            rescan: rescan ?? other.rescan,
            polling: polling ?? other.polling,
            listen: listen ?? other.listen,
            tokenFile: tokenFile ?? other.tokenFile,
            logLevel: logLevel ?? other.logLevel,
            timeZone: timeZone ?? other.timeZone,
            hooks: hooks ?? other.hooks,
            hookPlaces: hooks == nil ? other.hookPlaces : hookPlaces,
            profilePlace: profile == nil ? other.profilePlace : profilePlace,
            place: place ?? other.place
        )
    }

    /// The first option that only one bridge can have.
    var flagForOneBridge: String? {
        [("--app", app), ("--group", group), ("--state", state), ("--listen", listen)].first { $0.1 != nil }?
            .0
    }

    /// Containers may be missing, and are empty then, if an agent can know them.
    func complete(besideAgent: Bool = false) throws -> BridgeSettings {
        // A file with only one of the containers is incomplete, even if it has a state directory.
        let isMeant = place != nil && (app == nil) != (group == nil)
        if !besideAgent || state == nil || isMeant {
            if app == nil { throw UsageError.noContainer(.app, at: place) }
            if group == nil { throw UsageError.noContainer(.group, at: place) }
        }
        let settings = settings(
            with: try profile.map { try NamedProfile($0, at: profilePlace).profile() }
        )
        try checkStores(of: settings)
        return settings
    }

    /// For `doctor`: an invalid profile is a finding, and the containers may be missing, but must be named.
    func examined() throws -> (settings: BridgeSettings, profile: NamedProfile?) {
        var unchecked = self
        (unchecked.profile, unchecked.appStores, unchecked.groupStores) = (nil, nil, nil)
        _ = try unchecked.complete()
        let named = try profile.map { try NamedProfile($0, at: profilePlace) }
        let settings = settings(with: try? named?.profile())
        if named == nil || settings.profile != nil { try checkStores(of: settings) }
        return (settings, named)
    }

    private func settings(with profile: Profile?) -> BridgeSettings {
        var settings = BridgeSettings(
            app: app ?? "",
            group: group ?? "",
            state: state,
            profile: profile,
            engine: engine,
            rescan: rescan ?? .seconds(60),
            polling: polling ?? false
        )
        settings.stores = BothSides(app: appStores ?? .json, group: groupStores ?? .json)
        if Side.allCases.contains(where: { settings.stores[$0] != .json }) {
            settings.profile?.syncOnlyNamed()
        }
        settings.explicitParts = explicitParts
        return settings
    }

    /// A platform without a store would leave every document where it is, without a word.
    private func checkStores(of settings: BridgeSettings) throws {
        for side in Side.allCases where settings.stores[side] != .json {
            guard let profile = settings.profile else { throw UsageError.storesWithoutProfile }
            let platform = settings.stores[side]
            if !profile.documents.contains(where: { $0.stores[platform] != nil }) {
                throw UsageError.noStores(profile: profile.id, on: platform)
            }
        }
    }

    private var explicitParts: Set<BridgeIdentity.Part> {
        let given: [BridgeIdentity.Part: Bool] = [
            .appVersion: appVersion != nil, .groupVersion: groupVersion != nil,
            .appStores: appStores != nil, .groupStores: groupStores != nil,
            .durability: durability != nil, .commit: commit != nil,
            .maxDocument: maxDocument != nil, .maxDepth: maxDepth != nil,
            .maxDirectories: maxDirectories != nil,
            .include: include != nil, .exclude: exclude != nil,
            .guardLastDocument: guardLastDocument != nil,
            .haltThreshold: haltThreshold != nil, .maxTrash: maxTrash != nil, .trashAge: trashAge != nil,
            .rescan: rescan != nil, .polling: polling != nil,
        ]
        return Set(given.filter(\.value).keys)
    }

    var engine: EngineSettings {
        let standard = EngineSettings()
        var settings = EngineSettings(
            durability: durability ?? standard.durability,
            commit: commit ?? standard.commit,
            maxDocument: maxDocument ?? standard.maxDocument,
            maxDepth: maxDepth ?? standard.maxDepth,
            maxDirectories: maxDirectories ?? standard.maxDirectories,
            lossThreshold: LossThreshold(
                all: guardLastDocument == true ? 1 : standard.lossThreshold.all,
                percent: haltThreshold ?? standard.lossThreshold.percent
            ),
            trash: TrashLimits(
                maxBytes: maxTrash.map { Int64($0) } ?? standard.trash.maxBytes,
                maxAge: trashAge ?? standard.trash.maxAge
            ),
            pinnedVersions: BothSides(app: appVersion, group: groupVersion),
            filter: DocumentFilter(include: include, exclude: exclude ?? [])
        )
        settings.zone = timeZone
        return settings
    }
}
