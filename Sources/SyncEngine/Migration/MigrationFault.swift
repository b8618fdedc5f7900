package import Model
package import StateStore

/// Why a document was not migrated or rolled back, or why that could not be recorded.
package enum MigrationFault: Error, Fact {
    /// It is held.
    case problem(Problem)
    case notInSync
    case changedMeanwhile
    /// A person ended the command before its turn.
    case interrupted
    case halted(Halt)
    /// In milliseconds since 1970.
    case paused(since: Int64)
    /// Its original bytes could not be kept.
    case originalNotKept(FileError)
    /// It has its new content, but the log does not record that.
    case unrecorded(FileError)
    case file(FileError)
    /// The bridge's record of the migration cannot be written.
    case memory(MigrationFailure)
}

/// The bridge's record of a migration cannot be written.
package enum MigrationFailure: Error, Sendable, Hashable {
    case file(FileError)
    case journal(JournalError)
}
