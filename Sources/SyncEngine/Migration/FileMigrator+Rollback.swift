import Documents
package import Model
package import StateStore

extension FileMigrator {
    /// The steps of a rollback, or why it is refused.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        try memory.rollbackPlan(
            entries,
            of: history,
            force: force,
            limit: settings.maxDocument,
            leavesOldVersion: true
        ) { place throws(FileError) in try writer.bytes(of: place.document) }
    }

    package func beginRollback(
        after history: MigrationHistory,
        at now: Moment
    ) throws(FileError) -> OpenRollback {
        var rollback = try memory.beginRollback(after: history, at: now)
        rollback.known = writer.examined
        return rollback
    }

    /// Writes the old bytes. `end` records which documents have them, once no program has a replaced file
    /// open.
    package mutating func putBack(
        _ items: inout [RollbackItem],
        at now: Moment,
        meanwhile goesOn: MigrationProgress.Watcher = { _ in true }
    ) {
        var isInterrupted = false
        for index in items.indices {
            isInterrupted = isInterrupted || !goesOn(MigrationProgress(done: index, of: items.count))
            if isInterrupted {
                items[index].failure = .known(.interrupted)
                continue
            }
            guard let old = items[index].old else { continue }
            do throws(MigrationFault) {
                try putBack(old.bytes, items[index], at: now)
                items[index].isDone = true
            } catch {
                items[index].failure = .known(error)
            }
        }
    }

    /// Records which documents have their old bytes.
    package func end(_ rollback: OpenRollback, _ items: inout [RollbackItem]) throws(FileError) {
        let changed = Set(
            concurrentSaves.filter { $0.isChange && !rollback.known.contains($0) }.map(\.document)
        )
        for index in items.indices where items[index].isDone && changed.contains(items[index].entry.document)
        {
            (items[index].isDone, items[index].failure) = (false, .known(.changedMeanwhile))
        }
        try memory.end(rollback, &items)
    }

    private mutating func putBack(
        _ old: [UInt8],
        _ item: RollbackItem,
        at now: Moment
    ) throws(MigrationFault) {
        do throws(FileError) {
            if try writer.put(old, as: item.entry.document, over: item.now, at: now) { return }
        } catch {
            throw .file(error)
        }
        throw .changedMeanwhile
    }
}
