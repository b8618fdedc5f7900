import Model

// The wording in HTTP responses and on the command line.

extension KeptConflict.Reason {
    package var text: String {
        switch self {
        case .settled(let reason): reason.text
        case .unknown: "reason unknown: the journal has no record of it"
        }
    }
}

extension TrashedContent.Reason {
    package var text: String {
        switch self {
        case .overwritten(let reason): reason.text
        case .unknown: "origin unknown"
        }
    }
}
