import Documents
import FileSystem
import Model
import StateStore
import SyncEngine

extension Bridge {
    package func migrate(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport {
        switch request.action {
        case .plan, .look, .verify:
            try await onEngineThread { core throws(BridgeError) in try core.planned(request) }
        case .apply: try await apply(request)
        case .rollback: try await rollBack(request)
        case .finish: try await onEngineThread { core throws(BridgeError) in try core.finished(request) }
        case .history: try await onEngineThread { core throws(BridgeError) in try core.known(request) }
        }
    }

    private func apply(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport {
        var begun = try await onEngineThread { core throws(BridgeError) in try core.begun(request) }
        guard let run = begun.run else { return begun.report }
        begun.report.stalled = try await request.unsettled(in: self)
        return try await onEngineThread { [begun] core throws(BridgeError) in
            var report = begun.report
            do throws(MigrationFailure) {
                try core.engine.endMigration(run, &report.items)
            } catch {
                // The documents are migrated already.
                report.endFailure = .known(.memory(error))
            }
            return report
        }
    }

    private func rollBack(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport {
        var report = try await onEngineThread { core throws(BridgeError) in try core.rolledBack(request) }
        // If nothing was rolled back, nothing else may be written either.
        if !report.rollback.isEmpty { report.stalled = try await request.unsettled(in: self) }
        return report
    }

    /// Runs `body` on the engine's thread between two steps.
    fileprivate func onEngineThread<Value: Sendable>(
        _ body: @escaping @Sendable (inout BridgeCore) throws(BridgeError) -> Value
    ) async throws(BridgeError) -> Value {
        let done = await engineThread.run { core -> Result<Value, BridgeError> in
            do throws(BridgeError) {
                return .success(try body(&core))
            } catch {
                return .failure(error)
            }
        }
        guard let done else { throw .noAgent(socket: socketPath) }
        return try done.get()
    }
}

extension MigrationRequest {
    /// Returns once all is in sync, or with what is not after nothing has moved for its patience.
    fileprivate func unsettled(in bridge: Bridge) async throws(BridgeError) -> [SyncReport.Change]? {
        let wait = SyncBarrier.Request(patience: patience, collects: true)
        guard case .stalled = await bridge.outcome(of: wait) else { return nil }
        return try await bridge.onEngineThread { core in core.report([], isStalled: true).changes }
    }
}

extension BridgeCore {
    /// The plan, and why it would be refused.
    fileprivate mutating func planned(_ request: MigrationRequest) throws(BridgeError) -> MigrationReport {
        if let halt = foreseenHalt { throw .halted(reason: .known(halt)) }
        var report = MigrationReport()
        let (files, limit) = (try paths.openFiles(), engine.settings.maxDocument)
        do throws(FileError) {
            report.treeBefore = try files.treeDigest(of: [.app, .group], limit: limit)
            let history = try engine.migrations.history()
            report.isUnfinished = history.unfinished?.kind == .apply
            report.damagedLogs = history.damagedLogs(in: paths.state)
            report.drift = history.drift(from: engine.profile)
            report.originals = try engine.migrations.originals(of: OriginalsScope(sides: request.sides))
            report.items = engine.migrationPlan(to: request.to, sides: request.sides, documents: nil)
            if request.action == .verify { engine.verify(&report.items, to: request.to) }
            report.treeAfter = try files.treeDigest(of: [.app, .group], limit: limit)
        } catch {
            throw .file(error)
        }
        report.refusal = report.items.refusal(request, report.drift)
        return report
    }

    fileprivate mutating func begun(_ request: MigrationRequest) throws(BridgeError) -> (
        report: MigrationReport, run: MigrationRun?
    ) {
        if let since = engine.pausedSince { throw .paused(since: UTCTime.text(since)) }
        var report = try planned(request)
        report.treeBefore = nil
        report.treeAfter = nil
        if let expected = request.expected {
            let places = expected.byPlace
            report.items.removeAll { $0.isPending && places[$0.place] == nil }
        }
        guard report.refusal == nil else { return (report, nil) }
        guard report.items.contains(where: \.isPending) else {
            do throws(FileError) {
                try engine.state.endUnfinished(try engine.migrations.history())
            } catch {
                throw .file(error)
            }
            return (report, nil)
        }
        do throws(MigrationFailure) {
            return (report, try engine.beginMigration(report.items, at: Clock.now))
        } catch {
            throw bridgeError(error)
        }
    }

    fileprivate mutating func rolledBack(_ request: MigrationRequest) throws(BridgeError) -> MigrationReport {
        if let since = engine.pausedSince { throw .paused(since: UTCTime.text(since)) }
        if let halt = foreseenHalt { throw .halted(reason: .known(halt)) }
        var report = MigrationReport()
        do throws(MigrationFailure) {
            let history: MigrationHistory
            let planned: Result<[RollbackItem], RollbackRefusal>
            do throws(FileError) {
                history = try engine.migrations.history()
                report.damagedLogs = history.damagedLogs(in: paths.state)
                let last = history.last(on: request.sides)
                report.stillMigrated = history.remaining(
                    after: last,
                    in: OriginalsScope(sides: request.sides)
                )
                planned = try engine.rollbackPlan(last, of: history, force: request.force)
            } catch {
                throw .file(error)
            }
            switch planned {
            case .failure(let refusal): report.refusal = refusal.refusal
            case .success(var items):
                if !items.isEmpty { try engine.rollBack(&items, history: history, at: Clock.now) }
                report.rollback = items
            }
        } catch {
            throw bridgeError(error)
        }
        return report
    }

    fileprivate mutating func finished(_ request: MigrationRequest) throws(BridgeError) -> MigrationReport {
        do throws(FileError) {
            let scope = OriginalsScope(sides: request.sides)
            return MigrationReport(finished: try engine.finishMigrations(scope, at: Clock.now))
        } catch {
            throw .file(error)
        }
    }

    fileprivate func known(_ request: MigrationRequest) throws(BridgeError) -> MigrationReport {
        var report = MigrationReport()
        do throws(FileError) {
            let history = try engine.migrations.history()
            report.migrations = history.migrations(of: OriginalsScope(sides: request.sides))
            report.damagedLogs = history.damagedLogs(in: paths.state)
        } catch {
            throw .file(error)
        }
        return report
    }

    private func bridgeError(_ failure: MigrationFailure) -> BridgeError {
        switch failure {
        case .file(let error): .file(error)
        case .journal(let error): paths.unusable(error)
        }
    }
}

extension [MigrationItem] {
    /// Why a migration of these documents is refused.
    func refusal(_ request: MigrationRequest, _ drift: [LensDrift]) -> MigrationRefusal? {
        if let expected = request.expected {
            let found = Dictionary(map { ($0.place, $0) }) { first, _ in first }
            for entry in expected.entries {
                if let refusal = entry.refusal(of: found[entry.place]) { return refusal }
            }
        }
        var summary = MigrationSummary()
        let places = request.expected?.byPlace
        for item in self where places.map({ $0[item.place] != nil }) ?? true { summary.add(item) }
        return summary.refusal(
            allowLossy: request.allowLossy,
            skipsBlocked: request.skipsBlocked,
            drift: drift
        )
    }
}

extension MigrationHistory {
    /// The paths of the files that cannot be read.
    func damagedLogs(in state: String) -> [String] { damaged.map { "\(state)/\(Self.log($0))" } }

    func drift(from profile: Profile?) -> [LensDrift] {
        drift { name in
            profile?.documents.first { $0.path.utf8.elementsEqual(name.utf8) } ?? profile?.ruleForOthers
        }
    }
}
