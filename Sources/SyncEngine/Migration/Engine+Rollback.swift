import Documents
package import Model
package import StateStore

/// Rolls a bridge's migration back, or makes it final.
extension Engine {
    /// The steps of a rollback, or why it is refused.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        try migrations.rollbackPlan(
            entries,
            of: history,
            force: force,
            limit: settings.maxDocument,
            leavesOldVersion: false
        ) { place throws(FileError) in
            do throws(FileError) {
                return try bytes(of: place.document, on: place.side)
            } catch .missing {
                return nil
            }
        }
    }

    /// Writes the old bytes, and restores the pins from before the migration.
    package mutating func rollBack(
        _ items: inout [RollbackItem],
        history: MigrationHistory,
        at now: Moment
    ) throws(MigrationFailure) {
        var next = rules.pins
        for item in items { next[item.entry.document, item.entry.side] = item.entry.pin }
        try pin(next)
        let rollback: OpenRollback
        do { rollback = try migrations.beginRollback(after: history, at: now) } catch { throw .file(error) }
        for index in items.indices { putBack(&items[index], at: now) }
        do { try migrations.end(rollback, &items) } catch { throw .file(error) }
    }

    private mutating func putBack(_ item: inout RollbackItem, at now: Moment) {
        guard let old = item.old else { return }
        do throws(PutFailure) {
            try put(
                old.bytes,
                as: item.entry.document,
                on: item.entry.side,
                expecting: .some(item.now),
                like: item.now == nil ? model(ofDeleted: item.entry.document) : nil,
                at: now
            )
            item.isDone = true
        } catch {
            item.failure = .known(MigrationFault(error))
        }
    }

    /// Deletes the original bytes of these documents; `nil` while a migration is unfinished.
    package mutating func finishMigrations(
        _ scope: OriginalsScope,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        try migrations.finish(scope, &discards, at: now)
    }
}

extension MigrationFault {
    fileprivate init(_ failure: PutFailure) {
        self =
            switch failure {
            case .mismatch: .changedMeanwhile
            case .halted(let halt): .halted(halt)
            case .paused(let since): .paused(since: since)
            case .problem(let problem): .problem(problem)
            case .file(let error): .file(error)
            }
    }
}
