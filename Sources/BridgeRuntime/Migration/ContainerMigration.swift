import DirectoryReplica
package import Documents
import FileSystem
import Glibc
package import Model
import StateStore
package import SyncEngine
import Synchronization

/// Migrates the documents of one directory without a bridge: a single container, or files that a person
/// named.
package struct ContainerMigration: Sendable {
    /// The real path.
    package let directory: String
    /// `nil`: every document in the directory.
    package let names: [RelativePath]?
    package let state: String
    /// The parent of the state directories of all directories.
    private let base: String
    let profile: Profile
    let settings: EngineSettings

    /// `state`: contains a state directory for each directory, with its log and trash.
    package init(
        directory: String,
        names: [RelativePath]?,
        state: String?,
        profile: Profile,
        settings: EngineSettings
    ) throws(BridgeError) {
        guard let real = unsafe realpath(directory, nil) else { throw .missingDirectory(directory) }
        defer { unsafe free(real) }
        self.directory = unsafe String(cString: real)
        self.names = names
        let name = Digest(of: Array("migrate\0\(self.directory)".utf8)).hex.prefix(16)
        if let state {
            base = BridgePaths.resolved(state)
        } else {
            base = try BridgeSettings.stateHome() + "/widgetbridge"
        }
        self.state = "\(base)/\(name)"
        self.profile = profile
        self.settings = settings
        if names == nil, BridgePaths.isInside(self.state, self.directory) {
            throw .stateInsideContainer(state: self.state, container: self.directory)
        }
    }

    /// The full path of a file in the state directory, for messages.
    package func path(inState place: Location) -> String { "\(state)/\(place.path)" }

    /// The full path of the document, for messages.
    package func path(of document: RelativePath) -> String { "\(directory)/\(document)" }

    /// Whether a file at `path`, which need not exist, would be a document of the container.
    package static func isDocument(_ path: String, of container: String) -> Bool {
        let (path, container) = (BridgePaths.resolved(path), BridgePaths.resolved(container))
        return BridgePaths.isInside(path, container)
            && isDocumentName(String(path.dropFirst(container.count).drop { $0 == "/" }))
    }

    private var scope: OriginalsScope { OriginalsScope(names: names) }

    /// - Throws: If that is unknown: what this user may not see was not "never migrated".
    private func hasState() throws(BridgeError) -> Bool { try BridgePaths.exists(state) }
}

// Reading.
extension ContainerMigration {
    /// Performs `apply` on an overlay instead of the disk, and reports each document. Nothing is opened for
    /// writing. With `verify`, each document goes up, down and up again.
    package func plan(
        _ request: MigrationRequest,
        meanwhile goesOn: MigrationProgress.Watcher = { _ in true },
        each: (MigrationItem) -> Void
    ) throws(BridgeError) -> MigrationReport {
        var report = MigrationReport()
        let hasState = try hasState()
        do throws(FileError) {
            let disk = try files(state: hasState ? state : directory)
            let overlay = OverlayFileSystem(disk, hasState: hasState)
            var migrator = try migrator(on: overlay)
            let isTrial = request.action != .look
            if isTrial { report.treeBefore = try treeDigest(disk) }
            let history = try migrator.memory.history()
            report.isUnfinished = history.unfinished?.kind == .apply
            report.damagedLogs = history.damagedLogs(in: state)
            report.drift = history.drift(from: profile)
            if hasState { report.originals = try migrator.memory.originals(of: scope) }
            let documents = if let names { names } else { try migrator.documents(at: Clock.now) }
            for batch in batches(documents) {
                if !goesOn(MigrationProgress(done: batch.startIndex, of: documents.count)) { break }
                var items = try migrator.migrate(batch, to: request.to, writes: isTrial, at: Clock.now)
                for index in items.indices { items[index].outcome = .planned }
                if request.action == .verify { migrator.verify(&items, to: request.to) }
                overlay.forget()
                for item in items { each(item) }
            }
            if isTrial { report.treeAfter = try treeDigest(disk) }
        } catch {
            throw .file(error)
        }
        return report
    }

    private func treeDigest(_ files: LinuxFileSystem) throws(FileError) -> Digest {
        guard let names else { return try files.treeDigest(of: [.app], limit: settings.maxDocument) }
        return files.treeDigest(of: names.map { Location(Root.app, $0) }, limit: settings.maxDocument)
    }

    private func batches(_ paths: [RelativePath]) -> [ArraySlice<RelativePath>] {
        let size = FileMigrator.batchSize
        return stride(from: 0, to: paths.count, by: size).map { paths[$0..<min($0 + size, paths.count)] }
    }
}

// Writing.
extension ContainerMigration {
    /// Writes what was planned, and reports each document. A document that changed since the plan is skipped.
    /// Returns the saves that programs made meanwhile.
    package func apply(
        _ request: MigrationRequest,
        _ expected: ExpectedMigration,
        meanwhile goesOn: MigrationProgress.Watcher = { _ in true },
        each: (MigrationItem) -> Void
    ) async throws(BridgeError) -> [ConcurrentSave] {
        if expected.entries.isEmpty, try !hasState() { return [] }
        let lock = Mutex<ProcessLock?>(try await open())
        defer { lock.withLock { $0 = nil } }
        do throws(FileError) {
            var migrator = try migratorAfterLeftovers()
            let (memory, history) = (migrator.memory, try migrator.memory.history())
            var (run, isWhole): (MigrationRun?, Bool) = (nil, true)
            if !expected.entries.isEmpty {
                let next = memory.newRun(expected.entries, after: history, at: Clock.now)
                isWhole = try write(expected, request.to, next, &migrator, goesOn, each)
                run = next
            }
            await migrator.settle()
            let saves = migrator.concurrentSaves
            if !isWhole || saves.contains(where: \.isMissing) { return saves }
            if let run { try memory.state.end(run) } else { try memory.state.endUnfinished(history) }
            return saves
        } catch {
            throw .file(error)
        }
    }

    /// `false` if a document was not written.
    private func write(
        _ expected: ExpectedMigration,
        _ target: Int?,
        _ run: MigrationRun,
        _ migrator: inout FileMigrator,
        _ goesOn: MigrationProgress.Watcher,
        _ each: (MigrationItem) -> Void
    ) throws(FileError) -> Bool {
        let state = migrator.memory.state
        let log = try state.begin(run)
        defer { log.close() }
        let places = expected.byPlace
        var isWhole = true
        for batch in batches(expected.entries.map(\.document)) {
            if !goesOn(MigrationProgress(done: batch.startIndex, of: expected.entries.count)) { return false }
            let items: [MigrationItem]
            do throws(FileError) {
                items = try migrator.migrate(batch, to: target, expecting: places, log: log, at: Clock.now)
            } catch {
                state.abandon(run)
                throw error
            }
            for item in items {
                each(item)
                if item.isUndone { isWhole = false }
            }
        }
        return isWhole
    }

    /// Restores the original bytes of the last migration, of the named files or of all.
    package func rollBack(
        _ request: MigrationRequest,
        meanwhile goesOn: MigrationProgress.Watcher = { _ in true }
    ) async throws(BridgeError) -> (report: MigrationReport, saves: [ConcurrentSave]) {
        var report = MigrationReport()
        guard try hasState() else { return (reportWithoutState, []) }
        let lock = Mutex<ProcessLock?>(try await open())
        defer { lock.withLock { $0 = nil } }
        do throws(FileError) {
            var migrator = try migratorAfterLeftovers()
            let history = try migrator.memory.history()
            let entries = history.last(of: names)
            report.damagedLogs = history.damagedLogs(in: state)
            report.stillMigrated = history.remaining(after: entries, in: scope)
            switch try migrator.rollbackPlan(entries, of: history, force: request.force) {
            case .failure(let refusal): report.refusal = refusal.refusal
            case .success(let items) where items.isEmpty: await migrator.settle()
            case .success(var items):
                let rollback = try migrator.beginRollback(after: history, at: Clock.now)
                migrator.putBack(&items, at: Clock.now, meanwhile: goesOn)
                await migrator.settle()
                try migrator.end(rollback, &items)
                report.rollback = items
            }
            return (report, migrator.concurrentSaves)
        } catch {
            throw .file(error)
        }
    }

    /// Deletes what `rollback` needs, for the named files or for all of the profile.
    package func finish() async throws(BridgeError) -> MigrationReport {
        guard try hasState() else { return reportWithoutState }
        let lock = Mutex<ProcessLock?>(try await open())
        defer { lock.withLock { $0 = nil } }
        do throws(FileError) {
            var migrator = try migrator(on: files(state: state))
            return MigrationReport(finished: try migrator.finish(scope, at: Clock.now))
        } catch {
            throw .file(error)
        }
    }

    /// Which migrations there were, of the named files or of all.
    package func history() throws(BridgeError) -> MigrationReport {
        guard try hasState() else { return reportWithoutState }
        var report = MigrationReport()
        do throws(FileError) {
            let memory = MigrationMemory(StateDirectory(try files(state: state)), profile: profile)
            let history = try memory.history()
            report.migrations = history.migrations(of: scope)
            report.damagedLogs = history.damagedLogs(in: state)
        } catch {
            throw .file(error)
        }
        return report
    }

    /// For a directory without state: it was never migrated, or was renamed since.
    private var reportWithoutState: MigrationReport {
        var report = MigrationReport()
        let others = MigratedDirectories(in: base).all
        if !others.isEmpty { report.refusal = .unknownDirectory(directory, others: others) }
        return report
    }

    /// Makes the state directory and takes its lock.
    private func open() async throws(BridgeError) -> ProcessLock {
        let places = BridgePaths(app: directory, group: directory, state: state)
        try places.makeState()
        let lock = try await places.takeLock(patiently: false)
        MigratedDirectories.record(directory, in: state)
        return lock
    }

    /// Recovers from a killed run first.
    private func migratorAfterLeftovers() throws(FileError) -> FileMigrator {
        var migrator = try migrator(on: files(state: state))
        _ = try migrator.documents(at: Clock.now)
        return migrator
    }

    /// The directory is used as the app container; there is no group container.
    private func files(state: String) throws(FileError) -> LinuxFileSystem {
        try LinuxFileSystem(app: directory, group: directory, state: state)
    }

    private func migrator(on files: any FileSystem) throws(FileError) -> FileMigrator {
        try FileMigrator(
            DirectoryReplica(.app, of: files),
            state: StateDirectory(files),
            profile: profile,
            settings: settings,
            number: UInt64(max(0, Clock.now.unixNanoseconds))
        )
    }
}

extension FileMigrator {
    /// Waits for programs that still have a displaced file open, and merges what they write. A file that
    /// stays open is left where it is, and the next run examines it.
    fileprivate mutating func settle() async {
        let end = Clock.uptime + .seconds(5)
        while let deadline, Clock.uptime < end {
            try? await Task.sleep(for: max(deadline - Clock.uptime, .milliseconds(1)))
            examineDisplaced(at: Clock.now)
        }
    }
}

extension MigrationHistory {
    /// The changes of the last migration of these files; of all, if none is named.
    fileprivate func last(of names: [RelativePath]?) -> [MigrationEntry] {
        guard let names else { return last }
        let standing = standing
        return names.compactMap { standing[MigrationPlace(document: $0, side: .app)]?.last?.entry }
    }
}
