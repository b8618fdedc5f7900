import Documents
import FileSystem
import Glibc
import Model
import Replica
import StateStore
package import SyncEngine
import Watching

/// Reports of the engine's state for people and programs.
extension BridgeCore {
    func status(_ settings: BridgeSettings, _ paths: BridgePaths, _ instance: String) -> BridgeStatus {
        let found = isSyncing ? engine.known() : engine.rehearsed()
        let pausedSince = engine.pausedSince.map { UTCTime.text($0) }
        let halt = pausedSince == nil ? found.halt : nil
        let pause = pausedSince.map { BridgeStatus.Reason.paused(since: $0) }
        let remarks = DocumentRemarks(engine.profile, found.changes)
        var status = BridgeStatus(
            state: pause != nil ? .paused : halt != nil ? .halted : (isAgent ? .running : .stopped),
            reason: (pause ?? halt.map { .halted($0) } ?? reason).map { .known($0) },
            watch: isAgent ? (isPolling ? .polling : .inotify) : .none,
            commit: engine.commitInUse,
            durability: settings.engine.durability.rawValue,
            counters: BridgeStatus.Counters(engine.counters, latencies),
            app: paths.app,
            group: paths.group,
            stateDirectory: paths.state,
            process: isAgent ? getpid() : nil,
            instance: instance,
            documents: found.rows.map { row in
                var document = BridgeStatus.Document(row)
                document.openedBy = processesHolding(row.name)
                return remarks.added(to: document)
            }
        )
        status.allow = halt == nil ? nil : found.permit
        status.pausedSince = pausedSince
        let filters = [engine.profile?.filter, settings.engine.filter]
        status.filters = filters.compactMap(\.self).filter { !$0.isEmpty }
        status.trash = isAgent ? engine.knownTrashUse : engine.trashUse
        return status
    }

    /// Otherwise nothing keeps this bridge in sync, so its state is determined on request.
    private var isSyncing: Bool { isAgent && engine.pausedSince == nil }

    /// Without the agent, which has a database open. `nil` if no process has a file of that document so.
    private func processesHolding(_ document: String) -> [Int32]? {
        guard let path = RelativePath(document) else { return nil }
        let files = engine.filesHeldOpen(of: path)
        guard !files.isEmpty else { return nil }
        let signatures = files.compactMap { try? engine.status(of: $0).signature }
        return Set(signatures.flatMap(FileWriters.processes)).subtracting([getpid()]).sorted()
    }

    /// What the bridge cannot do now, or what its way of watching or writing cannot guarantee.
    private var reason: BridgeStatus.Reason? {
        if let damage = engine.journal.damage { return .damagedJournal(damage) }
        if let failure = engine.journal.failure {
            return .unwritableJournal(failure, isFull: engine.journal.isFull)
        }
        if let problem = engine.trashProblem { return .trash(problem) }
        if case .polling(let reason)? = watcher?.mode { return .polling(reason) }
        if isAgent, watcher == nil { return .polling(nil) }
        return engine.commitInUse == CommitMode.rename.rawValue ? .renames : nil
    }

    func rehearsal() -> SyncReport {
        let found = engine.rehearsed()
        let known = Set(found.changes.map { RelativePath($0.document) })
        let others = found.rows.filter { $0.state != .synced && !known.contains(RelativePath($0.name)) }
        return SyncReport(
            dryRun: true,
            changes: found.changes.map(SyncReport.Change.init)
                + others.map(SyncReport.Change.rehearsed),
            documents: found.rows.count,
            halt: found.halt.map { .known($0) }
        )
    }

    /// Lists what was done and what is held, each document once. `isStalled`: what still waits is held, too.
    func report(_ done: [PlannedChange], isStalled: Bool = false) -> SyncReport {
        let rows = engine.rows()
        let held = rows.filter { $0.state == .held || isStalled && $0.state == .pending }
        let changes =
            done.filter { $0.action != .hold }.map(SyncReport.Change.init) + held.map(SyncReport.Change.init)
        return SyncReport(
            dryRun: false,
            changes: changes.sorted { ($0.document, $0.action.rawValue) < ($1.document, $1.action.rawValue) },
            documents: rows.count,
            halt: engine.halt.map { .known($0) }
        )
    }

    func story(of name: RelativePath) throws(JournalError) -> DocumentStory? {
        let row =
            isSyncing ? engine.row(name) : engine.rehearsed().rows.first { RelativePath($0.name) == name }
        if row == nil, let document = engine.document(ofView: name) {
            return DocumentStory(now: .synced(name, .view(of: document)), events: [])
        }
        let events = try engine.journal.events(of: name)
        guard row != nil || !events.isEmpty else { return nil }
        return DocumentStory(
            now: row.map(BridgeStatus.Document.init) ?? .synced(name, .gone),
            events: events.map(DocumentStory.Event.init)
        )
    }
}

extension BridgeStatus.Counters {
    fileprivate init(_ counters: EngineCounters, _ latencies: Latencies) {
        self.init()
        changes = counters.changes
        echoes = counters.echoes
        races = counters.races
        merges = counters.merges
        conflicts = counters.conflicts
        notices = counters.notices
        rescans = counters.rescans
        latencyP50 = latencies.percentile(50)
        latencyP90 = latencies.percentile(90)
        latencyP99 = latencies.percentile(99)
    }
}

extension DocumentStory.Event {
    fileprivate init(_ event: JournalEvent) {
        self.init(
            generation: event.generation,
            cause: event.cause,
            what: .known(event.what),
            app: event.hashes.app?.description,
            group: event.hashes.group?.description,
            at: event.at,
            kinds: event.kinds
        )
    }
}

extension EngineThread: ReloadSource where Occupant == BridgeCore {
    func currentNotices() async -> (last: Int64, notices: [Notice])? {
        await run { core in (core.feed.last, core.engine.currentNotices(at: Clock.now.unixMilliseconds)) }
    }

    func notices(after cursor: Int64) async -> [Notice]? {
        await run { core -> [Notice] in
            // What cannot be read is as good as no longer kept.
            do { return try core.engine.journal.notices(after: cursor) ?? [] } catch { return [] }
        }
    }

    func isAcknowledged(_ kind: String) async -> Bool {
        await run { core in core.engine.isAcknowledged(by: Bridge.subscribers, kind) } ?? false
    }
}

extension Engine {
    /// One notice for each document and kind there is now.
    package func currentNotices(at milliseconds: Int64) -> [Notice] {
        rows().flatMap { row -> [Notice] in
            // A document that is not recorded yet could go back to an older generation; its notice follows.
            guard let path = RelativePath(row.name) else { return [] }
            let generation = row.generation - Int64(journal.unwrittenGenerations(of: path))
            guard generation > 0 else { return [] }
            return rule(for: path).kinds.map { kind in
                Notice(
                    sequence: 0,
                    kind: kind.name,
                    document: path,
                    generation: generation,
                    hash: row.hashes.group,
                    cause: .current,
                    at: milliseconds
                )
            }
        }
    }
}

extension BridgeStatus.Document {
    fileprivate static func synced(_ name: RelativePath, _ reason: Reason) -> Self {
        Self(name: name.description, state: .synced, reason: .known(reason))
    }

    package init(_ row: DocumentRow) {
        self.init(
            name: row.name,
            state: Self.state(of: row),
            side: row.side,
            reason: (row.reason.map { .row($0) } ?? Self.conflicts(of: row)).map { .known($0) },
            version: Versions(app: row.versions.app, group: row.versions.group),
            generation: row.generation,
            hash: (row.hashes.group ?? row.hashes.app)?.description,
            isNewerVersion: row.isNewerVersion,
            views: row.views.isEmpty ? nil : row.views.map { "\($0.side.rawValue):\($0.name)" }
        )
    }

    private static func state(of row: DocumentRow) -> State {
        if row.state == .synced, !row.conflicts.isEmpty { return .conflict }
        return State(rawValue: row.state.rawValue) ?? .held
    }

    /// In sync, but with conflicts that a person may want to resolve.
    private static func conflicts(of row: DocumentRow) -> Reason? {
        guard row.state == .synced, let first = row.conflicts.first else { return nil }
        return .conflict(first, more: row.conflicts.count - 1)
    }
}

extension SyncReport.Change {
    fileprivate init(_ change: PlannedChange) {
        self.init(
            document: change.document,
            action: change.action,
            from: change.from,
            reason: .known(.planned(change.reason)),
            isNewerVersion: change.isNewerVersion
        )
    }

    /// What no plan has is held, or was saved in a file that had been replaced.
    fileprivate static func rehearsed(_ row: DocumentRow) -> Self {
        var change = Self(row)
        if row.state == .pending { change.action = .merge }
        return change
    }

    fileprivate init(_ row: DocumentRow) {
        self.init(
            document: row.name,
            action: .hold,
            from: row.side,
            reason: .known(.held(row.reason)),
            isNewerVersion: row.isNewerVersion
        )
    }
}
