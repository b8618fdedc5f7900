package import Model
package import StateStore
package import SyncEngine
package import Watching

extension SyncReport.Change {
    package enum Reason: Fact {
        case planned(PlannedChange.Reason)
        case held(DocumentRow.Reason?)
    }
}

extension BridgeStatus.Document {
    /// Why the document is in this state.
    package enum Reason: Fact {
        case row(DocumentRow.Reason)
        /// It is in sync, but a person may want to resolve this conflict, and this many more.
        case conflict(OpenConflict, more: Int)
        /// It is a view of that document.
        case view(of: RelativePath)
        case gone
    }
}

extension BridgeStatus {
    /// What the bridge cannot do now, or cannot guarantee in its mode.
    package enum Reason: Fact {
        case halted(Halt)
        /// A person paused it: since when, as RFC 3339.
        case paused(since: String)
        /// A part of the journal cannot be read or written.
        case damagedJournal(JournalError)
        /// `isFull`: the buffer for the journal is full, so syncing stops.
        case unwritableJournal(JournalError, isFull: Bool)
        case trash(TrashProblem)
        /// `nil`: by configuration.
        case polling(PollingReason?)
        /// Its file systems cannot exchange two names.
        case renames
    }
}
