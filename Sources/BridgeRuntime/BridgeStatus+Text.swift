import Model
import StateStore
import SyncEngine
import Watching

// The wording on the command line and in HTTP responses.

extension SyncReport.Change.Reason {
    package var text: String {
        switch self {
        case .planned(let reason): reason.text
        case .held(let reason): reason?.text ?? "held"
        }
    }
}

extension BridgeStatus.Document.Reason {
    package var text: String {
        switch self {
        case .row(let reason): reason.text
        case .conflict(let first, let more):
            "resolved by rule: \(first.words), conflict \(first.id)"
                + (more > 0 ? " and \(more) more" : "")
        case .view(let document):
            "a view of \(document), published by the bridge and read-only: edit that instead"
        case .gone: "deleted on both sides"
        }
    }
}

extension BridgeStatus.Reason {
    package var text: String {
        switch self {
        case .halted(let halt): halt.text
        case .paused(let since): "paused since \(since): nothing is written to either container"
        case .damagedJournal(let error):
            "the journal is damaged; the next start sets it aside: \(error.reason)"
        case .unwritableJournal(let error, let isFull):
            "the journal cannot be written: \(error.reason)"
                + (isFull ? "; nothing is synced until then" : "")
        case .trash(let problem): problem.text
        case .polling(let reason?): "polling every second: \(reason.text)"
        case .polling(nil): "polling every second, as configured"
        case .renames: "commit by rename: a save that lands between the check and the rename is lost"
        }
    }
}
