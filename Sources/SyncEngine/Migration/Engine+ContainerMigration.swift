import Documents
package import Model
package import StateStore

/// Documents of one container by itself, which is given as the app's: nothing is carried anywhere.
extension Engine {
    /// Documents that are migrated together, and share their syncs: more than in a turn, for nobody waits
    /// for the first of them.
    package static var migrationBatch: Int { 512 }

    /// Every document there is, after what a run that was killed has left was put in order.
    package mutating func allDocuments(at now: Moment) -> [RelativePath] {
        markAllDirty(at: now)
        defer { debounceQueue = DebounceQueue() }
        return debounceQueue.waiting
    }

    /// Looks at documents, and writes what they become. On an overlay nothing is written, and that is the
    /// plan.
    ///
    /// `expected`: what was planned; a document that is otherwise now is left alone.
    package mutating func migrate(
        _ paths: some Sequence<RelativePath>,
        to target: Int?,
        expecting expected: [MigrationPlace: MigrationEntry]? = nil,
        log: OpenMigrationLog? = nil,
        writes: Bool = true,
        at now: Moment
    ) throws(FileError) -> [MigrationItem] {
        var items: [MigrationItem] = []
        var batch: [(place: Int, snapshot: DocumentSnapshot, result: JSON)] = []
        var size = 0
        for path in paths {
            var (item, snapshot) = migration(of: path, to: target)
            if let expected, item.isPending, item.entry != expected[item.place] {
                item.outcome = .drifted
                item.migration.result = nil
            }
            if writes, let snapshot, let result = item.migration.result {
                batch.append((items.count, snapshot, result))
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

    private func migration(of path: RelativePath, to target: Int?) -> (MigrationItem, DocumentSnapshot?) {
        func blocked(_ verdict: DocumentMigration.Verdict, from: Int? = nil) -> (
            MigrationItem, DocumentSnapshot?
        ) {
            let migration = DocumentMigration(verdict: verdict, from: from)
            return (MigrationItem(document: path, side: .app, migration: migration), nil)
        }
        switch look(.app, path, rehash: true, record: nil) {
        case .absent: return blocked(.blocked(.absent))
        case .unchanged: return blocked(.blocked(.changing))
        case .problem(.newerVersion(let version, _)): return blocked(.newer(version), from: version)
        case .problem(let problem): return blocked(.blocked(.told(problem.located)))
        case .content(let snapshot):
            let migration = rule(for: path).migration(of: snapshot.json, to: target)
            var item = MigrationItem(document: path, side: .app, migration: migration)
            item.old = snapshot.json
            item.before = snapshot.digest
            if let result = migration.result { item.after = Digest(of: result.bytes) }
            return (item, snapshot)
        }
    }

    private mutating func write(
        _ batch: inout [(place: Int, snapshot: DocumentSnapshot, result: JSON)],
        of items: inout [MigrationItem],
        _ log: OpenMigrationLog?,
        at now: Moment
    ) throws(FileError) {
        do throws(FileError) {
            try prepare(batch.map { (items[$0.place], $0.snapshot) }, log)
        } catch {
            // Nothing is begun that could not be taken back.
            if !discards.hasOriginals { throw error }
            let reason = "what it held could not be kept: \(error.what)"
            for (place, _, _) in batch { items[place].outcome = .failed(reason) }
            batch = []
            return
        }
        var jobs = batch.map { job(items[$0.place], $0.snapshot, $0.result) }
        var turn = Turn()
        carryOut(&jobs, at: now, &turn)
        let written = Set(turn.published)
        for (place, _, _) in batch {
            let path = items[place].document
            if written.contains(path) {
                items[place].outcome = .done
            } else {
                let reason = holds[path]?.problem.text
                items[place].outcome = reason.map { .failed($0) } ?? .drifted
            }
        }
        batch = []
        // Nothing is remembered: memory does not grow with the number of documents.
        debounceQueue = DebounceQueue()
        holds.releaseAll()
        records.removeAll()
    }

    /// What is there is kept, and the log tells of it, before anything takes its place.
    private mutating func prepare(
        _ documents: [(item: MigrationItem, snapshot: DocumentSnapshot)],
        _ log: OpenMigrationLog?
    ) throws(FileError) {
        guard let log, !documents.isEmpty else { return }
        let contents = Dictionary(documents.map { ($0.snapshot.digest, $0.snapshot.bytes) }) { first, _ in
            first
        }
        try state.keepOriginals(contents, synced: settings.durability.syncsFiles)
        try log.note(documents.compactMap(\.item.entry))
        discards.noteOriginals(contents.keys)
    }

    private func job(_ item: MigrationItem, _ snapshot: DocumentSnapshot, _ result: JSON) -> PendingCommit {
        let input = PlanInput(
            document: item.document,
            rule: rule(for: item.document),
            record: nil,
            observed: BothSides(app: .content(snapshot), group: .absent),
            pinned: BothSides(app: nil, group: nil),
            limits: limits
        )
        let change = PlannedChange(
            document: item.document.description,
            action: .update,
            from: .app,
            .migrated
        )
        var plan = Plan(change: change, agreement: .same, cause: .migration)
        plan.writes.app = .content(result.bytes)
        return PendingCommit(path: item.document, input: input, plan: plan)
    }

    /// Files that were displaced and that somebody has still open: when to look at them again.
    package var asideDeadline: Duration? { writers.displacedFiles.deadline }

    package mutating func resolveAsides(at now: Moment) {
        var turn = Turn()
        resolveAsides(at: now, &turn)
        debounceQueue = DebounceQueue()
    }
}

extension MigrationItem {
    package var place: MigrationPlace { MigrationPlace(document: document, side: side) }
}
