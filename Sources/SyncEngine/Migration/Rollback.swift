package import Documents
package import Model
package import StateStore

/// One document that is to get its old bytes back.
package struct RollbackItem: Sendable, Codable {
    package var entry: MigrationEntry
    /// Of what is there now; `nil` without a document.
    package var now: Digest?
    /// `nil` where it has its old bytes already.
    package var old: JSON?
    /// It was edited since the migration.
    package var isEdited = false
    package var isDone = false
    package var failure: MigrationFault?
    /// Why the log does not know yet that it has its old bytes. The next run finds them, and says so there.
    package var noteFailure: MigrationFault?

    /// It has its old bytes, and the log knows it.
    package var isNoted: Bool { failure == nil && noteFailure == nil }
}

extension MigrationMemory {
    /// What rolling back would do, or why it will not be begun. `now`: what stands there.
    ///
    /// - Parameter limit: Bytes; no old content is longer.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool,
        limit: Int,
        now: (MigrationPlace) throws(FileError) -> [UInt8]?
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        if let entry = history.firstFinished(of: entries) {
            return .failure(RollbackRefusal(.finished(document: entry.document.description)))
        }
        var items: [RollbackItem] = []
        for entry in entries {
            var item = RollbackItem(entry: entry)
            item.now = try now(entry.place).map { Digest(of: $0) }
            if item.now != entry.before {
                item.isEdited = item.now != entry.after
                let document = entry.document.description
                if item.isEdited, !force {
                    return .failure(RollbackRefusal(.edited(document: document, isDeleted: item.now == nil)))
                }
                guard let old = try state.original(entry.before, limit: limit + 1) else {
                    return .failure(RollbackRefusal(.trashGone(document: document, hash: entry.before)))
                }
                item.old = try? JSON(parsing: old, limits: .unbounded)
            }
            items.append(item)
        }
        return .success(items)
    }

    /// Brings each document back by `putBack`, and notes in the run's log which have their old bytes.
    func rollBack(
        _ items: inout [RollbackItem],
        as run: MigrationRun,
        putBack: (RollbackItem, JSON) throws(MigrationFault) -> Void
    ) throws(FileError) {
        let log = try state.begin(run)
        defer { log.close() }
        for place in items.indices {
            if let old = items[place].old {
                do throws(MigrationFault) {
                    try putBack(items[place], old)
                    items[place].isDone = true
                } catch {
                    items[place].failure = error
                    continue
                }
            }
            // Behind the write: killed in between, the next run finds the old bytes and is content.
            do throws(FileError) {
                try log.note([items[place].entry.inverted])
            } catch {
                items[place].noteFailure = .unnoted(error)
            }
        }
        if items.allSatisfy(\.isNoted) { try state.end(run) }
    }
}

package struct RollbackRefusal: Error, Sendable {
    package var refusal: MigrationRefusal

    init(_ refusal: MigrationRefusal) { self.refusal = refusal }
}

extension MigrationEntry {
    fileprivate var inverted: MigrationEntry {
        MigrationEntry(
            document: document,
            side: side,
            from: to,
            to: from,
            before: after,
            after: before,
            pin: pin
        )
    }
}
