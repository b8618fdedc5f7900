import Documents
package import Model
package import StateStore

extension FileMigrator {
    /// What rolling back would do, or why it will not be begun.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        try memory.rollbackPlan(entries, of: history, force: force, limit: settings.maxDocument) {
            place throws(FileError) in
            try writer.bytes(of: place.document)
        }
    }

    /// Writes the old bytes.
    package mutating func rollBack(
        _ items: inout [RollbackItem],
        after history: MigrationHistory,
        at now: Moment
    ) throws(FileError) {
        let run = memory.newRun(.rollback, after: history, at: now)
        try memory.rollBack(&items, as: run) { item, old throws(MigrationFault) in
            try putBack(old.bytes, item, at: now)
        }
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
