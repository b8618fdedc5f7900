import Documents
import Glibc
import Reconciliation
import Storage
import SyncEngine
import Watching

/// What the engine knows, as people and programs are shown it.
extension BridgeCore {
    mutating func status(
        _ settings: BridgeSettings,
        _ places: BridgePlaces,
        _ instance: String
    ) -> BridgeStatus {
        let documents = documents()
        var counters = BridgeStatus.Counters()
        counters.changes = engine.counters.changes
        counters.echoes = engine.counters.echoes
        counters.races = engine.counters.races
        counters.merges = engine.counters.merges
        counters.conflicts = engine.counters.conflicts
        counters.notices = engine.counters.notices
        counters.rescans = engine.counters.rescans
        counters.latencyP50 = latencies.percentile(50)
        counters.latencyP90 = latencies.percentile(90)
        counters.latencyP99 = latencies.percentile(99)
        return BridgeStatus(
            state: engine.halt != nil ? .halted : (isAgent ? .running : .stopped),
            reason: reason,
            watch: isAgent ? (isPolling ? .polling : .inotify) : .none,
            commit: engine.commitInUse,
            durability: settings.engine.durability.rawValue,
            counters: counters,
            app: places.app,
            group: places.group,
            stateDirectory: places.state,
            process: isAgent ? getpid() : nil,
            instance: instance,
            documents: documents
        )
    }

    /// Why it is halted, else what its way of watching or writing cannot promise.
    private var reason: String? {
        if let halt = engine.halt { return halt.reason }
        if case .polling(let reason)? = watcher?.mode { return "polling every second: \(reason)" }
        if isAgent, watcher == nil { return "polling every second, as asked" }
        if engine.commitInUse == CommitMode.rename.rawValue {
            return "commit by rename: a save that lands between the check and the rename is lost"
        }
        return nil
    }

    /// Without an agent nobody has looked since the last sync. So it is looked at here, and what a sync would do is
    /// told; nothing is written.
    private mutating func documents() -> [BridgeStatus.Document] {
        let rows = engine.rows().map(BridgeStatus.Document.init)
        guard !isAgent else { return rows }
        var documents = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
        for change in rehearsal().changes {
            documents[change.document, default: BridgeStatus.Document(change)].take(change)
        }
        return documents.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    mutating func rehearsal() -> SyncReport {
        engine.observeAll(at: Clock.now)
        let changes = engine.rehearse()
        return SyncReport(
            dryRun: true,
            changes: changes + unnamableHolds(besides: changes),
            documents: engine.rows().count,
            halt: engine.halt?.reason
        )
    }

    /// What was done, and what is held: once each.
    func report(_ done: [PlannedChange]) -> SyncReport {
        let changes = done.filter { $0.action != .hold } + engine.heldDocuments.map(PlannedChange.init)
        return SyncReport(
            dryRun: false,
            changes: changes.sorted { ($0.document, $0.action.rawValue) < ($1.document, $1.action.rawValue) },
            documents: engine.rows().count,
            halt: engine.halt?.reason
        )
    }

    private func unnamableHolds(besides changes: [PlannedChange]) -> [PlannedChange] {
        let known = Set(changes.map(\.document))
        return engine.heldDocuments.filter { !known.contains($0.name) }.map(PlannedChange.init)
    }

    mutating func story(of name: RelativePath) throws(JournalError) -> DocumentStory? {
        let events = try engine.journal.events(of: name)
        let known =
            isAgent
            ? engine.row(name).map(BridgeStatus.Document.init)
            : documents().first { $0.name.utf8.elementsEqual(name.description.utf8) }
        guard known != nil || !events.isEmpty else { return nil }
        let now =
            known
            ?? BridgeStatus.Document(name: name.description, state: .synced, reason: "gone from both sides")
        return DocumentStory(
            now: now,
            events: events.map { event in
                DocumentStory.Event(
                    generation: event.generation,
                    cause: Cause(rawValue: event.cause) ?? .app,
                    what: event.what,
                    app: event.hashes.app?.description,
                    group: event.hashes.group?.description,
                    at: event.at
                )
            }
        )
    }

    /// One notice for each document and kind there is now, and the sequence up to which they are true.
    func currentNotices() -> (last: Int64, notices: [Notice]) {
        let at = Clock.now.unixMilliseconds
        let notices = engine.rows().flatMap { row -> [Notice] in
            guard let path = RelativePath(row.name), row.generation > 0 else { return [] }
            return engine.rule(for: path).kinds.map { kind in
                Notice(
                    sequence: 0,
                    kind: kind.name,
                    document: path,
                    generation: row.generation,
                    hash: row.hashes.group,
                    cause: .current,
                    at: at
                )
            }
        }
        return (feed.last, notices)
    }
}

extension BridgeStatus.Document {
    init(_ row: DocumentRow) {
        self.init(
            name: row.name,
            state: State(rawValue: row.state.rawValue) ?? .held,
            side: row.side,
            reason: row.reason,
            version: Versions(app: row.versions.app, group: row.versions.group),
            generation: row.generation,
            hash: (row.hashes.group ?? row.hashes.app)?.description,
            isNewerVersion: row.isNewerVersion
        )
    }
}

extension PlannedChange {
    init(_ row: DocumentRow) {
        self.init(
            document: row.name,
            action: .hold,
            from: row.side,
            reason: row.reason ?? "held",
            isNewerVersion: row.isNewerVersion
        )
    }
}

extension BridgeStatus.Document {
    /// Not known before.
    fileprivate init(_ change: PlannedChange) {
        self.init(name: change.document, state: .synced)
    }

    fileprivate mutating func take(_ change: PlannedChange) {
        switch change.action {
        case .adopt: return
        case .hold: state = .held
        case .conflict: state = .conflict
        case .create, .update, .delete, .merge: state = .pending
        }
        reason = change.reason
        isNewerVersion = change.isNewerVersion
    }
}
