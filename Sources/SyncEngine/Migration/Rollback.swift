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
    package var failure: Reported<MigrationFault>?
    /// Why the log does not know yet that it has its old bytes. The next run finds them, and says so there.
    package var noteFailure: Reported<MigrationFault>?

    /// It has its old bytes, and the log knows it.
    package var isNoted: Bool { failure == nil && noteFailure == nil }
    /// It is of the old version, but does not have its old bytes: a run that did not come to its end never
    /// migrated it, or a program of that version has saved it since.
    package var isOfOldVersion: Bool { !isEdited && old == nil && now != entry.before }
}

extension MigrationMemory {
    /// What rolling back would do, or why it will not be begun. `now`: what stands there.
    ///
    /// - Parameters:
    ///   - limit: Bytes; no old content is longer.
    ///   - leavesOldVersion: What is of the old version, and may never have been migrated because its run did
    ///     not come to its end, is left as it is. Not where a bridge would carry it across as an edit.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool,
        limit: Int,
        leavesOldVersion: Bool,
        now: (MigrationPlace) throws(FileError) -> [UInt8]?
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        if let entry = history.firstFinished(of: entries) {
            return .failure(RollbackRefusal(.finished(document: entry.document.description)))
        }
        let standing = leavesOldVersion ? history.standing : [:]
        var items: [RollbackItem] = []
        for entry in entries {
            var item = RollbackItem(entry: entry)
            let bytes = try now(entry.place)
            item.now = bytes.map { Digest(of: $0) }
            let isMigrated = standing[entry.place]?.last?.run.isEnded ?? true
            let isOld =
                !isMigrated && item.now != entry.after
                && bytes.map { isOfOldVersion($0, entry) } ?? false
            if item.now != entry.before, !isOld {
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

    private func isOfOldVersion(_ bytes: [UInt8], _ entry: MigrationEntry) -> Bool {
        guard let json = try? JSON(parsing: bytes, limits: .unbounded) else { return false }
        return profile?.rule(for: entry.document.description).known(json) == entry.from
    }

    /// Before anything is written: where it cannot be noted, nothing is.
    func beginRollback(after history: MigrationHistory, at now: Moment) throws(FileError) -> OpenRollback {
        let run = newRun(.rollback, after: history, at: now)
        return OpenRollback(run: run, log: try state.begin(run))
    }

    /// Notes which documents have their old bytes. Behind the writes: killed in between, the next run finds
    /// the old bytes and is content.
    func end(_ rollback: OpenRollback, _ items: inout [RollbackItem]) throws(FileError) {
        let (run, log) = (rollback.run, rollback.log)
        defer { log.close() }
        for place in items.indices where items[place].failure == nil {
            do throws(FileError) {
                try log.note([items[place].entry.inverted])
            } catch {
                items[place].noteFailure = .known(.unnoted(error))
            }
        }
        if items.allSatisfy(\.isNoted) { try state.end(run) }
    }
}

/// A rollback that goes on.
package struct OpenRollback {
    let run: MigrationRun
    let log: OpenMigrationLog
    /// Saves that had met an earlier run.
    var known: Set<ConcurrentSave> = []
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
