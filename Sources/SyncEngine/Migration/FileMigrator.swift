package import Documents
package import Model
package import Replica
package import StateStore

/// Migrates documents of one directory where they lie, with no bridge: nothing is carried anywhere.
package struct FileMigrator {
    package let memory: MigrationMemory
    var writer: ReplicaWriter

    /// Documents that are migrated together, and share their syncs: more than in a turn of a bridge, for
    /// nobody waits for the first of them.
    package static var batchSize: Int { 512 }

    /// `number` keeps the names of temporaries apart from those of an earlier run.
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

    /// Every document there is, after what a run that was killed has left was put in order.
    package mutating func documents(at now: Moment) throws(FileError) -> [RelativePath] {
        try writer.documents(at: now)
    }

    /// When a file that somebody has still open is looked at again; `nil` where none is.
    package var deadline: Duration? { writer.displacedFiles.deadline }

    /// Saves that met what was written, as far as is known by now.
    package var concurrentSaves: [ConcurrentSave] { writer.concurrentSaves }

    /// Looks again at what could not be examined.
    package mutating func examineDisplaced(at now: Moment) { writer.examineDisplaced(at: now) }

    /// Deletes what `rollback` needs of these documents; `nil` where a migration is not at its end yet.
    package mutating func finish(
        _ scope: OriginalsScope,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        try memory.finish(scope, &writer.discards, at: now)
    }
}
