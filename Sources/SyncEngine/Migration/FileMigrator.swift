package import Documents
package import Model
package import Replica
package import StateStore

/// Migrates documents of one directory in place, without a bridge.
package struct FileMigrator {
    package let memory: MigrationMemory
    var writer: ReplicaWriter

    /// The number of documents that are migrated together, and share their syncs. It is larger than in a
    /// turn of a bridge, because no caller waits for the first document.
    package static var batchSize: Int { 512 }

    /// `number` distinguishes the names of temporary files from those of an earlier run.
    package init(
        _ replica: any Replica,
        state: StateDirectory,
        profile: Profile,
        settings: EngineSettings,
        number: UInt64
    ) throws(FileError) {
        memory = MigrationMemory(state, profile: profile)
        writer = try ReplicaWriter(
            replica,
            state: state,
            profile: profile,
            settings: settings,
            number: number
        )
    }

    var settings: EngineSettings { writer.settings }

    /// All documents, after the temporary files of a killed run are resolved.
    package mutating func documents(at now: Moment) throws(FileError) -> [RelativePath] {
        try writer.documents(at: now)
    }

    /// When a replaced file that a program has open is examined again; `nil` if there is none.
    package var deadline: Duration? { writer.displacedFiles.deadline }

    /// The saves made during the migration, as far as they are known.
    package var concurrentSaves: [ConcurrentSave] { writer.concurrentSaves }

    /// Examines the replaced files again that could not be examined before.
    package mutating func examineDisplaced(at now: Moment) { writer.examineDisplaced(at: now) }

    /// Deletes the original bytes of these documents, which `rollback` needs; `nil` while a migration is
    /// unfinished.
    package mutating func finish(
        _ scope: OriginalsScope,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        try memory.finish(scope, &writer.discards, at: now)
    }
}
