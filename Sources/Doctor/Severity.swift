import FileSystem

extension Finding {
    package var severity: Severity {
        switch reason {
        case .refused, .profile(.invalid), .content, .hook(.refused), .state(.noRoom): .error
        case .machine(let machine): machine.severity
        case .container(let container): container.severity
        case .state(.damagedJournal), .profile(.store), .hook(.failing): .warning
        case .state(.othersRights), .profile(.versions): .note
        case .bridge(let bridge): bridge.severity
        case .document(let document): document.severity
        case .placement(let placement): placement.severity
        case .store(let store): store.severity
        }
    }
}

extension Finding.Machine {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .missingCall(.statx): .error
        case .missingCall, .polling, .fewWatches: .warning
        }
    }
}

extension Finding.Container {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .readOnly, .unwritable, .unreadable, .noRoom: .error
        case .remoteChanges, .noExchange, .exposed: .warning
        case .layers, .incomplete: .note
        }
    }
}

extension Finding.Bridge {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .halted: .error
        case .limited: .warning
        case .hook(_, let failures, let runs, _): failures == runs ? .warning : .note
        // What waits is not synced.
        case .paused(_, let waiting), .noAgent(let waiting): waiting == 0 ? .note : .error
        }
    }
}

extension Finding.Document {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .keptInStore: .note
        case .exposed, .looksPrivate, .morePrivate, .looksLike, .linked, .moreLinked: .warning
        case .more(_, let document): document.severity
        case .notRegular, .mounted, .tooLarge, .assetTooLarge, .unreadable, .held: .error
        }
    }
}

extension Finding.Placement {
    fileprivate var severity: Finding.Severity { if case .notInGroup = self { .error } else { .warning } }
}

extension Finding.Store {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .unreadable, .unusable, .mismatch, .otherKey, .locked, .missingDatabase, .otherPlace: .error
        case .doubtfulLong(_, _, let isRead): isRead ? .warning : .error
        case .secondKey(_, let isNewer): isNewer == true ? .error : .warning
        case .missingTable(_, let isMade): isMade ? .note : .warning
        case .tooLarge, .busy, .differs, .exposed, .otherCase, .otherGroupFile, .dataStore:
            .warning
        case .leftover, .missing, .missingKey, .missingRow, .backup, .notExamined: .note
        }
    }
}
