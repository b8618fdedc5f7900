package import Documents
package import Model
package import StateStore

/// One document that is to get its old bytes back.
package struct RollbackItem: Sendable, Codable {
    package var entry: MigrationEntry
    /// The hash of the current content; `nil` if the document does not exist.
    package var now: Digest?
    /// `nil` if it already has its old bytes.
    package var old: JSON?
    /// It was edited since the migration.
    package var isEdited = false
    package var isDone = false
    package var failure: Reported<MigrationFault>?
    /// Why the log does not record that it has its old bytes. The next run finds the bytes and records it.
    package var noteFailure: Reported<MigrationFault>?

    /// Whether it has its old bytes and the log records that.
    package var isRecorded: Bool { failure == nil && noteFailure == nil }
    /// Whether it has the old version without its old bytes: an incomplete run did not migrate it, or a
    /// program of that version has saved it since.
    package var isOfOldVersion: Bool { !isEdited && old == nil && now != entry.before }
}

extension MigrationMemory {
    /// The steps of a rollback, or why it is refused. `now` returns the current bytes.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of an old content, in bytes.
    ///   - leavesOldVersion: Whether documents of the old version stay unchanged, which an incomplete run
    ///     may not have migrated. In a bridge they do not, because it would copy them to the other side as an
    ///     edit.
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

    /// Begins the record of a rollback, before anything is written: if it cannot be recorded, nothing is.
    func beginRollback(after history: MigrationHistory, at now: Moment) throws(FileError) -> OpenRollback {
        let run = newRun(.rollback, after: history, at: now)
        return OpenRollback(run: run, log: try state.begin(run))
    }

    /// Records which documents have their old bytes. It comes after the writes: if the run is killed in
    /// between, the next one finds the old bytes and only records them.
    func end(_ rollback: OpenRollback, _ items: inout [RollbackItem]) throws(FileError) {
        let (run, log) = (rollback.run, rollback.log)
        defer { log.close() }
        for index in items.indices where items[index].failure == nil {
            do throws(FileError) {
                try log.record([items[index].entry.inverted])
            } catch {
                items[index].noteFailure = .known(.unrecorded(error))
            }
        }
        if items.allSatisfy(\.isRecorded) { try state.end(run) }
    }
}

/// A rollback in progress.
package struct OpenRollback {
    let run: MigrationRun
    let log: OpenMigrationLog
    /// Saves that an earlier run already reported.
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
