import Documents
package import Model
import Replica
package import StateStore

extension FileMigrator {
    /// Reads documents, and writes what they become. On an overlay nothing is written; that is how a plan
    /// is made.
    ///
    /// - Parameters:
    ///   - expected: The plan; a document that differs from it is left unchanged.
    ///   - log: Records each document before it is written.
    package mutating func migrate(
        _ documents: some Sequence<RelativePath>,
        to target: Int?,
        expecting expected: [MigrationPlace: MigrationEntry]? = nil,
        log: OpenMigrationLog? = nil,
        writes: Bool = true,
        at now: Moment
    ) throws(FileError) -> [MigrationItem] {
        var items: [MigrationItem] = []
        var batch: [Write] = []
        var size = 0
        for document in documents {
            var (item, snapshot) = migration(of: document, to: target)
            if let expected, item.isOther(than: expected[item.place]) {
                item.outcome = .drifted
                item.migration.result = nil
            }
            if writes, let snapshot, let result = item.migration.result {
                batch.append(
                    Write(index: items.count, document: document, snapshot: snapshot, result: result.bytes)
                )
                size += result.bytes.count
            }
            items.append(item)
            if size > settings.maxDocument {
                try write(&batch, of: &items, log, at: now)
                size = 0
            }
        }
        try write(&batch, of: &items, log, at: now)
        return items
    }

    /// Migrates each document, migrates it back and migrates it again, in memory.
    package func verify(_ items: inout [MigrationItem], to target: Int?) {
        for index in items.indices {
            items[index].verify(to: target, by: writer.rule(for: items[index].document))
        }
    }

    private func migration(of document: RelativePath, to target: Int?) -> (MigrationItem, DocumentSnapshot?) {
        func blocked(_ verdict: DocumentMigration.Verdict, from: Int? = nil) -> (
            MigrationItem, DocumentSnapshot?
        ) {
            let migration = DocumentMigration(verdict: verdict, from: from)
            return (MigrationItem(document: document, side: writer.side, migration: migration), nil)
        }
        switch writer.read(document) {
        case .absent: return blocked(.blocked(.absent))
        case .unchanged: return blocked(.blocked(.changing))
        case .problem(.newerVersion(let version, _)): return blocked(.newer(version), from: version)
        case .problem(let problem): return blocked(.blocked(.reported(problem.located)))
        case .content(let snapshot):
            let migration = writer.rule(for: document).migration(of: snapshot.json, to: target)
            var item = MigrationItem(document: document, side: writer.side, migration: migration)
            item.old = snapshot.json
            item.before = snapshot.digest
            if let result = migration.result { item.after = Digest(of: result.bytes) }
            return (item, snapshot)
        }
    }

    /// A document that is being written.
    private struct Write {
        let index: Int
        let document: RelativePath
        let snapshot: DocumentSnapshot
        let result: [UInt8]
        var staged: Staged?
        var outcome = MigrationItem.Outcome.planned
    }

    /// First all are prepared, then all are synced, then all are committed.
    private mutating func write(
        _ batch: inout [Write],
        of items: inout [MigrationItem],
        _ log: OpenMigrationLog?,
        at now: Moment
    ) throws(FileError) {
        guard !batch.isEmpty else { return }
        defer { batch = [] }
        do throws(FileError) {
            try keepOriginals(batch.map { (items[$0.index], $0.snapshot) }, log)
        } catch {
            // Without the originals a rollback would be impossible, so nothing is written.
            if !writer.discards.hasOriginals { throw error }
            for write in batch { items[write.index].outcome = .failed(.known(.originalNotKept(error))) }
            return
        }
        for index in batch.indices { prepare(&batch[index]) }
        for index in batch.indices { sync(&batch[index]) }
        for index in batch.indices { commit(&batch[index], at: now) }
        for index in batch.indices { syncName(&batch[index]) }
        writer.flushDiscards()
        for write in batch { items[write.index].outcome = write.outcome }
    }

    private mutating func prepare(_ write: inout Write) {
        do throws(FileError) {
            write.staged = try writer.prepare(write.result, as: write.document, over: write.snapshot.digest)
        } catch .missing {
            write.outcome = .drifted
        } catch {
            write.outcome = .failed(.known(.problem(.unwritable(error))))
        }
    }

    /// After all of them are written, because the first sync takes most of the others along.
    private mutating func sync(_ write: inout Write) {
        guard let staged = write.staged else { return }
        do throws(FileError) {
            try writer.sync(staged)
        } catch {
            (write.staged, write.outcome) = (nil, .failed(.known(.problem(.unwritable(error)))))
        }
    }

    private mutating func commit(_ write: inout Write, at now: Moment) {
        guard let staged = write.staged else { return }
        do throws(FileError) {
            let expected = (digest: write.snapshot.digest, bytes: write.snapshot.bytes)
            switch try writer.commit(staged, over: expected, at: now) {
            case .done: write.outcome = .done
            case .raced: write.outcome = .drifted
            case .replaced(let displaced):
                write.outcome = writer.receive(displaced, at: now) == .nameRestored ? .drifted : .done
            }
        } catch {
            write.outcome = .failed(.known(.problem(.unwritable(error))))
        }
    }

    private mutating func syncName(_ write: inout Write) {
        guard write.outcome == .done else { return }
        do throws(FileError) {
            try writer.syncName(of: write.document)
        } catch {
            write.outcome = .failed(.known(.problem(.unwritable(error))))
        }
    }

    /// Keeps the original bytes and records them in the log, before anything replaces them.
    private mutating func keepOriginals(
        _ documents: [(item: MigrationItem, snapshot: DocumentSnapshot)],
        _ log: OpenMigrationLog?
    ) throws(FileError) {
        guard let log else { return }
        let contents = Dictionary(documents.map { ($0.snapshot.digest, $0.snapshot.bytes) }) { first, _ in
            first
        }
        try memory.state.keepOriginals(contents, synced: settings.durability.syncsFiles)
        try log.record(documents.compactMap(\.item.entry))
        writer.discards.addOriginals(contents.keys)
    }
}
