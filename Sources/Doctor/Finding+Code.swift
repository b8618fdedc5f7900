import BridgeRuntime
import Documents

extension Finding.Reason {
    /// The same for every finding of one kind, for programs.
    package var code: String {
        switch self {
        case .refused(let error): error.code
        case .machine(.missingCall): "missing-system-call"
        case .machine(.polling): "polling"
        case .machine(.fewWatches): "few-watches"
        case .container(let container): container.code
        case .state(.othersRights): "state-not-private"
        case .state(.damagedJournal): "journal"
        case .state(.noRoom): "no-room"
        case .bridge(.halted): "halted"
        case .bridge(.paused): "paused"
        case .bridge(.noAgent): "no-agent"
        case .bridge(.limited): "limited"
        case .bridge(.hook), .hook: "hook"
        case .document(let document): document.code
        case .placement(let placement): placement.code
        case .store(let store): store.code
        case .content(let content): content.code
        case .profile(.invalid): "profile-invalid"
        case .profile(.versions): "profile-versions"
        case .profile(.store(let finding)):
            finding.rule.rawValue.lowercased().split(separator: "_").joined(separator: "-")
        }
    }
}

extension BridgeError {
    fileprivate var code: String {
        switch self {
        case .nestedContainers: "containers-overlap"
        case .swappedContainers: "containers-swapped"
        case .missingDirectory: "missing-directory"
        case .unreadableDirectory: "unreadable-directory"
        case .stateInsideContainer: "state-inside-container"
        case .unwritableState, .foreignState, .exposedState, .noHome: "state-unusable"
        case .socketPathTooLong: "socket-path-too-long"
        case .pairTaken: "containers-taken"
        case .journal, .journalLocked: "journal"
        case .noRoom: "no-room"
        case .event: "events"
        case .otherBridge: "other-bridge"
        case .otherProfile: "other-profile"
        case .silentAgent: "silent-agent"
        default: "bridge"
        }
    }
}

extension BridgeError {
    /// It is about one file or directory, which is its place.
    package var isOfPath: Bool {
        switch self {
        case .missingDirectory, .unreadableDirectory, .unwritableState, .foreignState, .exposedState,
            .socketPathTooLong, .journal, .journalLocked, .noRoom, .silentAgent, .event(.queue),
            .event(.misplaced):
            true
        default: false
        }
    }
}

extension Finding.Container {
    fileprivate var code: String {
        switch self {
        case .readOnly: "read-only"
        case .unwritable: "unwritable"
        case .exposed: "exposed"
        case .unreadable: "unreadable-directory"
        case .remoteChanges: "remote-changes"
        case .layers: "overlay"
        case .noExchange: "no-exchange"
        case .noRoom: "no-room"
        case .incomplete: "incomplete"
        }
    }
}

extension Finding.Document {
    fileprivate var code: String {
        switch self {
        case .notRegular: "not-regular"
        case .mounted: "mounted"
        case .tooLarge, .assetTooLarge: "too-large"
        case .unreadable: "unreadable"
        case .exposed: "exposed"
        case .held: "held"
        case .keptInStore: "kept-in-store"
        case .looksPrivate, .morePrivate: "private-file"
        case .looksLike: "lookalike"
        case .linked, .moreLinked: "linked"
        case .more: "more"
        }
    }
}

extension Finding.Placement {
    fileprivate var code: String {
        switch self {
        case .otherPlatform: "other-platform"
        case .notInGroup: "not-in-group"
        case .notUserDefaults, .notPreferences: "other-directory"
        case .otherGroup: "other-group"
        }
    }
}

extension Finding.Store {
    fileprivate var code: String {
        switch self {
        case .exposed: "exposed"
        case .otherCase: "other-case"
        case .otherGroupFile: "other-group-file"
        case .leftover: "leftover"
        case .doubtfulLong: "doubtful-long"
        case .missing: "missing-store"
        case .otherPlace: "other-place"
        case .busy: "busy"
        case .locked: "locked"
        case .unreadable: "unreadable"
        case .unusable: "unusable-store"
        case .notExamined: "not-examined"
        case .mismatch: "wrong-type"
        case .differs: "differing-value"
        case .otherKey: "other-key"
        case .secondKey: "second-key"
        case .dataStore: "data-store"
        case .missingDatabase: "missing-database"
        case .missingKey: "missing-key"
        case .missingTable: "missing-table"
        case .missingRow: "missing-row"
        case .backup: "backup"
        case .tooLarge: "too-large"
        }
    }
}

extension Finding.Content {
    fileprivate var code: String {
        switch self {
        case .notJSON: "not-json"
        case .newerVersion: "newer-version"
        case .unknownVersion: "unknown-version"
        case .invalid: "invalid"
        }
    }
}
