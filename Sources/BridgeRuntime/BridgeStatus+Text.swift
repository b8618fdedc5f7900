import Model
import StateStore
import SyncEngine
import Watching

// The command line and the answers over HTTP say it in the same words.

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
            "settled by rule: \(first.words), conflict \(first.id)"
                + (more > 0 ? " and \(more) more" : "")
        case .view(let document):
            "a view of \(document), published by the bridge and read-only: edit that instead"
        case .gone: "gone from both sides"
        }
    }
}

extension BridgeStatus.Reason {
    package var text: String {
        switch self {
        case .halted(let halt): halt.text
        case .damagedJournal(let error):
            "the journal is damaged and is set aside by the next start: \(error.reason)"
        case .unwritableJournal(let error, let isFull):
            "the journal cannot be written: \(error.reason)"
                + (isFull ? "; nothing more is carried until it can be" : "")
        case .trash(let problem): problem.text
        case .polling(let reason?): "polling every second: \(reason.text)"
        case .polling(nil): "polling every second, as asked"
        case .renames: "commit by rename: a save that lands between the check and the rename is lost"
        }
    }
}
