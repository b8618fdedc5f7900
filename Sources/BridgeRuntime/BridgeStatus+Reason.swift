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
    /// Why its state is what it is.
    package enum Reason: Fact {
        case row(DocumentRow.Reason)
        /// It is in sync, but a person may want to decide this conflict, and so many more.
        case conflict(OpenConflict, more: Int)
        /// It is a view of that document.
        case view(of: RelativePath)
        case gone
    }
}

extension BridgeStatus {
    /// What the bridge cannot do now, or cannot promise in its mode.
    package enum Reason: Fact {
        case halted(Halt)
        /// A part of the journal cannot be read or written.
        case damagedJournal(JournalError)
        /// `isFull`: the memory for what it is to record, so that nothing more is carried.
        case unwritableJournal(JournalError, isFull: Bool)
        case trash(TrashProblem)
        /// `nil`: it was asked for.
        case polling(PollingReason?)
        /// Its file systems cannot exchange two names.
        case renames
    }
}
