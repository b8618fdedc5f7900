import Model

// The answers over HTTP and the command line say it in the same words.

extension KeptConflict.Reason {
    package var text: String {
        switch self {
        case .settled(let reason): reason.text
        case .unknown: "nothing more is known of it: the journal was lost"
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
