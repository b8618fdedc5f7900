package import Model
package import StateStore

/// Why a document was not migrated or brought back after all, or why that could not be noted.
package enum MigrationFault: Error, Fact {
    /// It is held.
    case problem(Problem)
    case notInSync
    case changedMeanwhile
    case halted(Halt)
    /// What it held before would be lost.
    case originalNotKept(FileError)
    /// It has its new content, and the log does not know it.
    case unnoted(FileError)
    case file(FileError)
    /// The bridge's own memory of the migration cannot be written.
    case memory(MigrationFailure)
}

/// The bridge's own memory of a migration cannot be written.
package enum MigrationFailure: Error, Sendable, Hashable {
    case file(FileError)
    case journal(JournalError)
}
