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
    package var failure: String?
    /// Why the log does not know yet that it has its old bytes. The next run finds them, and says so there.
    package var noteFailure: String?
}

extension Engine {
    /// What rolling back would do, or why it will not be begun.
    package func rollbackPlan(
        _ entries: [MigrationEntry],
        of history: MigrationHistory,
        force: Bool
    ) throws(FileError) -> Result<[RollbackItem], RollbackRefusal> {
        if let entry = history.firstFinished(of: entries) {
            return .failure(RollbackRefusal(.finished(document: entry.document.description)))
        }
        var items: [RollbackItem] = []
        for entry in entries {
            var item = RollbackItem(entry: entry)
            let bytes: [UInt8]?
            do { bytes = try self.bytes(of: entry.document, on: entry.side) } catch .missing { bytes = nil }
            if let bytes { item.now = Digest(of: bytes) }
            if item.now != entry.before {
                item.isEdited = item.now != entry.after
                if item.isEdited, !force {
                    return .failure(
                        RollbackRefusal(
                            .edited(
                                document: entry.document.description,
                                isDeleted: item.now == nil
                            )
                        )
                    )
                }
                guard let old = try state.original(entry.before, limit: settings.maxDocument + 1) else {
                    return .failure(
                        RollbackRefusal(
                            .trashGone(document: entry.document.description, hash: entry.before)
                        )
                    )
                }
                item.old = try? JSON(parsing: old, limits: .unbounded)
            }
            items.append(item)
        }
        return .success(items)
    }

    /// Writes the old bytes, and lets the sides speak what they spoke.
    package mutating func rollBack(
        _ items: inout [RollbackItem],
        history: MigrationHistory,
        at now: Moment
    ) throws(MigrationFailure) {
        let run = newRun(.rollback, after: history, at: now)
        var next = rules.pins
        for item in items { next[item.entry.document, item.entry.side] = item.entry.pin }
        try pin(next)
        do throws(FileError) {
            let log = try state.begin(run)
            defer { log.close() }
            for place in items.indices {
                if items[place].old != nil { putBack(&items[place], at: now) }
                guard items[place].failure == nil else { continue }
                // Behind the write: killed in between, the next run finds the old bytes and is content.
                do throws(FileError) {
                    try log.note([items[place].entry.inverted])
                } catch {
                    items[place].noteFailure = error.what
                }
            }
            if items.allSatisfy({ $0.failure == nil && $0.noteFailure == nil }) { try state.end(run) }
        } catch {
            throw .file(error)
        }
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
            item.failure = error.reason
        }
    }
}

/// The bridge's own memory of a migration cannot be written.
package enum MigrationFailure: Error, Sendable, Hashable {
    case file(FileError)
    case journal(JournalError)
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

extension PutFailure {
    fileprivate var reason: String {
        switch self {
        case .mismatch: "it was changed meanwhile"
        case .halted(let halt): halt.text
        case .problem(let problem): problem.text
        case .file(let error): "\(error.what), \(error.place)"
        }
    }
}
