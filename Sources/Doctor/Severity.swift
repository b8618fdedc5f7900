import FileSystem

extension Finding {
    package var severity: Severity {
        switch reason {
        case .refused, .profile(.invalid), .content, .hook(.refused), .state(.noRoom): .error
        case .machine(let machine): machine.severity
        case .container(let container): container.severity
        case .state(.damagedJournal), .profile(.store), .hook(.failing): .warning
        case .state(.othersRights), .profile(.versions): .note
        case .agent(let agent): agent.severity
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

extension Finding.Agent {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .halted, .held: .error
        case .limited: .warning
        case .hook(_, let failures, let runs, _): failures == runs ? .warning : .note
        case .paused: .note
        }
    }
}

extension Finding.Document {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .keptInStore: .note
        case .looksPrivate, .morePrivate, .looksLike, .linked, .moreLinked: .warning
        default: .error
        }
    }
}

extension Finding.Placement {
    fileprivate var severity: Finding.Severity { if case .notInGroup = self { .error } else { .warning } }
}

extension Finding.Store {
    fileprivate var severity: Finding.Severity {
        switch self {
        case .unreadable, .unusable, .mismatch, .otherKey, .locked, .missingDatabase: .error
        case .doubtfulLong(_, _, let isRead): isRead ? .warning : .error
        case .missingTable(_, let isMade): isMade ? .note : .warning
        case .tooLarge, .busy, .differs, .exposed, .otherCase, .otherGroupFile:
            .warning
        case .leftover, .missing, .missingKey, .missingRow, .backup, .notExamined: .note
        }
    }
}
