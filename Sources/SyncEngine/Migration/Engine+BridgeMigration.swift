import Documents
package import Model
package import StateStore

/// Migration of a bridge: its sides are pinned to another version, and the next turns translate the
/// documents like any other change. Changes that are not in sync yet are merged in the same turns.
extension Engine {
    package var migrations: MigrationMemory { MigrationMemory(state, profile: profile) }

    /// The content that each container would have. Nothing is written, and the engine's state is unchanged.
    package func migrationPlan(to target: Int?, sides: [Side], documents: [RelativePath]?) -> [MigrationItem]
    {
        var copy = self
        _ = copy.markAll()
        let paths = documents ?? copy.debounceQueue.waiting
        return paths.flatMap { copy.migrationItems(of: $0, to: target, sides: sides) }
    }

    private func migrationItems(of path: RelativePath, to target: Int?, sides: [Side]) -> [MigrationItem] {
        let rule = rule(for: path)
        guard !rule.isAsset, let goal = target ?? rule.newest else { return [] }
        let (pinned, record) = (rules.pinnedVersions(of: path), records[path])
        let isOutdated = record.map { !rule.canRead($0) } ?? false
        let input = PlanInput(
            document: path,
            rule: rule,
            record: record,
            observed: BothSides { look($0, path, rehash: true, record: record, isOutdated: isOutdated) },
            pinned: BothSides { sides.contains($0) ? goal : pinned[$0] },
            limits: limits
        )
        var items = sides.compactMap { item(of: input, $0, to: goal) }
        for index in items.indices where items[index].isPending {
            guard let fixed = settings.pinnedVersions[items[index].side], fixed != goal else { continue }
            items[index].block(.pinned(version: fixed))
        }
        guard items.contains(where: \.isPending) else { return items }
        let planned: Plan
        do throws(BaseFailure) {
            planned = try plan(input) { () throws(BaseFailure) in try base(of: path) }
        } catch {
            for index in items.indices { items[index].block(.unreadableBase) }
            return items
        }
        for index in items.indices where items[index].isPending { items[index].take(planned) }
        return items
    }

    /// Migrates each document, migrates it back and migrates it again, in memory.
    package func verify(_ items: inout [MigrationItem], to target: Int?) {
        for index in items.indices { items[index].verify(to: target, by: rule(for: items[index].document)) }
    }

    /// What the side's document would become by itself; `nil` if the side has none.
    private func item(of input: PlanInput, _ side: Side, to target: Int) -> MigrationItem? {
        func refused(_ verdict: DocumentMigration.Verdict, _ from: Int? = nil) -> MigrationItem {
            MigrationItem(
                document: input.document,
                side: side,
                migration: DocumentMigration(verdict: verdict, from: from)
            )
        }
        let old: JSON
        switch input.observed[side] {
        case .absent: return nil
        case .problem(.newerVersion(let version, _)): return refused(.newer(version), version)
        case .problem(let problem): return refused(.blocked(.reported(problem.located)))
        case .content(let snapshot): old = snapshot.json
        case .unchanged:
            guard let bytes = try? bytes(of: input.document, on: side),
                let json = try? JSON(parsing: bytes, limits: limits)
            else { return refused(.blocked(.changing)) }
            old = json
        }
        var item = MigrationItem(
            document: input.document,
            side: side,
            migration: input.rule.migration(of: old, to: target)
        )
        item.old = old
        item.before = Digest(of: old.bytes)
        return item
    }

    /// Records what is about to be done, and pins the sides to the target version.
    package mutating func beginMigration(_ items: [MigrationItem], at now: Moment) throws(MigrationFailure)
        -> MigrationRun
    {
        var run: MigrationRun
        do throws(FileError) {
            let history = try migrations.history()
            let earlier = history.pinsBeforeUnfinished
            let entries = items.compactMap { item in
                var entry = item.entry
                entry?.pin = earlier[item.place] ?? rules.pins[item.document, item.side]
                return entry
            }
            run = migrations.newRun(entries, after: history, at: now)
            run.entries = entries
            try keepOriginals(of: items)
            try recordRun(run)
        } catch {
            throw .file(error)
        }
        var next = rules.pins
        for entry in run.entries { next[entry.document, entry.side] = entry.to }
        do throws(MigrationFailure) {
            try pin(next)
        } catch {
            state.abandon(run)
            throw error
        }
        for entry in run.entries { debounceQueue.enqueue(entry.document) }
        return run
    }

    private func recordRun(_ run: MigrationRun) throws(FileError) {
        let log = try state.begin(run)
        defer { log.close() }
        do throws(FileError) {
            try log.record(run.entries)
        } catch {
            state.abandon(run)
            throw error
        }
    }

    /// Must precede the pinning of the sides: after that, a turn may replace a document.
    private func keepOriginals(of items: [MigrationItem]) throws(FileError) {
        let old = items.compactMap { item in
            item.entry.flatMap { entry in item.old.map { (entry.before, $0.bytes) } }
        }
        let isSynced = settings.durability.syncsFiles
        try state.keepOriginals(Dictionary(old) { first, _ in first }, synced: isSynced)
    }

    /// Records the outcome, after the turns.
    package mutating func endMigration(_ run: MigrationRun, _ items: inout [MigrationItem])
        throws(MigrationFailure)
    {
        for index in items.indices where items[index].isPending {
            let item = items[index]
            let side = records[item.document]?.sides[item.side]
            if side?.version == item.migration.to {
                items[index].outcome = .done
                items[index].after = side?.digest
            } else {
                let problem = holds[item.document]?.problem
                items[index].outcome = .failed(.known(problem.map { .problem($0) } ?? .notInSync))
            }
        }
        guard items.allSatisfy({ !$0.isPending || $0.outcome == .done }) else { return }
        do throws(FileError) { try state.end(run) } catch { throw .file(error) }
    }
}

extension MigrationItem {
    fileprivate mutating func block(_ block: MigrationBlock) {
        migration.verdict = .blocked(block)
        migration.result = nil
    }

    /// Takes the result of the plan, which may contain more than the migrated document: values from the
    /// base, and the other side's edits.
    fileprivate mutating func take(_ plan: Plan) {
        if let (side, problem) = plan.problem {
            return block(.reported(problem.located.behind("\(side.rawValue): ")))
        }
        guard case .content(let bytes)? = plan.writes[side],
            let json = try? JSON(parsing: bytes, limits: .unbounded)
        else { return block(.notInSync) }
        migration.result = json
        after = Digest(of: bytes)
    }
}
