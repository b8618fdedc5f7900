import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import Model
import StateStore
import Stores
import SyncEngine

struct MigrateApplyCommand: VersionedCommand {
    static let page = HelpPage(
        name: "apply",
        abstract: "Migrate documents; the old bytes are kept, and `rollback` brings them back.",
        example: "widgetbridge migrate apply --profile budget --dry-run budget.json",
        exits: [
            (.done, "migrated, or nothing to do"),
            (.failed, "error, or a document cannot be migrated; nothing was written"),
            (.changesPending, "--dry-run: documents are to be migrated"),
            (.lossy, "something would be lost; needs --allow-lossy; nothing was written"),
            (.newerVersion, "a document is newer than the profile knows; it stays as it is"),
            (.drift, "an input has changed since the plan, or the profile since it was applied"),
            (.partlyDone, "partly done; run it again to go on"),
            (
                .needsDecision,
                "a save made meanwhile is kept as a copy, or a document is left or held"
            ),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions
    @OptionGroup var target: TargetVersion
    @OptionGroup var patience: MigrationPatience

    @Option(
        help: "Plan to carry out, from `plan --out`; if an input has changed, nothing is done.",
        completion: .file(extensions: ["json"])
    )
    var plan: String?

    @Flag(help: "Allow data loss: drop fields that the target version cannot represent.")
    var allowLossy = false

    @Flag(help: "Report documents that cannot be migrated, leave them, and migrate the others.")
    var skipBlocked = false

    @Flag(help: "Print what would be done, like `plan`, and write nothing.")
    var dryRun = false

    @Option(help: "Form of the changes: RFC 6902 patch, lines for people, or merge patch (RFC 7386).")
    var diff: DiffFormat?

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let plan = try plan.map { try PlanFile(reading: $0) }
        var options = options
        options.to = options.to ?? plan?.to
        let targets = try targets(plan, options)
        let format = dryRun ? diff ?? .patch : diff
        var printer = MigrationPrinter(
            terminal: terminal,
            isJSON: options.json,
            diff: format,
            hint: hint(plan)
        )
        printer.holdsBack = !dryRun
        if dryRun { printer.groups = MigrationGroups() }
        var show = MigrationShow(printer: printer, isQuiet: !dryRun)
        show.keepsFound = plan != nil
        (show.skipsBlocked, show.showsFaults) = (skipBlocked, !dryRun)
        var request = options.request(dryRun ? .plan : .look)
        (request.allowLossy, request.skipsBlocked) = (allowLossy, skipBlocked)
        for target in targets {
            request.expected = plan.map { ExpectedMigration(entries: $0.entries(for: target)) }
            try await show.plan(target, options, request, on: terminal)
        }
        if let refusal = try refusal(show, plan) {
            terminal.complain(refusal.line)
            if dryRun { show.end() }
            return .heaviest([refusal.status] + show.newest.map(\.status))
        }
        if dryRun {
            show.end()
            return show.planStatus(allowLossy: allowLossy, on: terminal)
        }
        return try await apply(show, plan, options, on: terminal)
    }

    private var isNamed: Bool {
        let address = options.address
        return !options.files.isEmpty || address.app != nil || address.group != nil || address.config != nil
    }

    /// If the command line names no target, the plan does.
    private func hint(_ plan: PlanFile?) -> CommandHint {
        var hint = hint
        guard let plan, !isNamed else { return hint }
        hint.files = plan.directories.flatMap { directory, names in names.map { "\(directory.text)/\($0)" } }
            .sorted()
        if options.address.profile == nil {
            hint.options += CommandHint.option("--profile", plan.profile)
        }
        return hint
    }

    private func targets(_ plan: PlanFile?, _ options: MigrateOptions) throws -> [MigrationTarget] {
        guard let plan, let path = self.plan, !isNamed else {
            return try options.targets("widgetbridge migrate apply", profile: plan?.profile)
        }
        if plan.parts.contains(where: { $0.directory == nil }) {
            guard try options.address.configuration() != nil else { throw PlanFileError.otherTarget(path) }
            return try options.targets("widgetbridge migrate apply")
        }
        try options.refuseBridgeOptions("widgetbridge migrate apply", beside: "the plan is for files")
        return try options.containers(of: plan.directories, profile: plan.profile)
    }

    /// Checks all targets before any is written: if one document is refused, nothing is migrated.
    private func refusal(_ show: MigrationShow, _ plan: PlanFile?) throws -> ErrorProse? {
        for part in show.parts {
            guard let plan else { break }
            if let document = part.unplanned(plan) {
                throw PlanFileError.notPlanned(document: document, plan: self.plan ?? "")
            }
            for entry in plan.entries(for: part.target) {
                if let refusal = entry.refusal(of: part.found[entry.place]) {
                    return ErrorProse(refusal, show.printer.hint) { _ in
                        part.target.name(of: entry.document, entry.side)
                    }
                }
            }
        }
        let refusal = show.foot.summary.refusal(
            allowLossy: allowLossy,
            skipsBlocked: skipBlocked,
            drift: show.foot.drift
        )
        guard let refusal else { return nil }
        return ErrorProse(refusal, show.printer.hint) { $0 }
    }

    private func apply(
        _ show: MigrationShow,
        _ plan: PlanFile?,
        _ options: MigrateOptions,
        on terminal: Terminal
    ) async throws -> CommandStatus {
        var show = show
        let summary = show.foot.summary
        let damagedLogs = show.foot.damagedLogs
        show.foot = MigrationFoot(damagedLogs: damagedLogs, isApplied: true)
        show.foot.summary.keep(of: summary)
        let left = show.newest + show.faults
        var statuses: [CommandStatus] = left.map(\.status)
        Interruption.listen(on: terminal)
        for part in show.parts where !Interruption.isAsked {
            let prose: ErrorProse?
            do {
                prose = try await show.apply(part, plan, options, self, on: terminal)
            } catch  where show.foot.summary.done > 0 {
                var failure = ErrorProse(error, show.printer.hint.of(bridge: part.target.bridge))
                failure.status = .partlyDone
                prose = failure
            }
            if let prose {
                terminal.complain(prose.line)
                statuses.append(prose.status)
            }
        }
        let isInterrupted = Interruption.isAsked && show.foot.summary.done < summary.migrate
        show.foot.isUnfinished = show.foot.summary.failed > 0 || isInterrupted
        show.end()
        if isInterrupted { terminal.complain(interrupted(show.foot.summary.done, of: summary.migrate).line) }
        for prose in show.newest.prefix(1) + show.faults { terminal.complain(prose.line) }
        if show.foot.isUnfinished, !show.isStalled { statuses.append(.partlyDone) }
        return .heaviest(statuses)
    }
}

extension MigrateApplyCommand {
    private func interrupted(_ done: Int, of all: Int) -> ErrorProse {
        let advice =
            "run the same command again to go on, or \(hint.migrate("rollback")) to bring back what they had"
        return ErrorProse(
            "interrupted: \(done.grouped) of \(all.grouped) documents are migrated",
            advice,
            .partlyDone
        )
    }
}

extension ContainerMigration {
    /// Shows how far it is, and ends early if a person asks for that.
    fileprivate func applying(
        _ request: MigrationRequest,
        _ expected: ExpectedMigration,
        on terminal: Terminal,
        each: (MigrationItem) -> Void
    ) async throws -> [ConcurrentSave] {
        try await withProgress("migrating", on: terminal) { progress in
            try await placed { container in
                let goesOn: MigrationProgress.Watcher = {
                    progress.show("migrating", $0.done, of: $0.total)
                    return !Interruption.isAsked
                }
                return try await container.apply(request, expected, meanwhile: goesOn, each: each)
            }
        }
    }
}

extension MigrationShow {
    /// Returns why the target was not migrated completely; `nil` if it was.
    fileprivate mutating func apply(
        _ part: Part,
        _ plan: PlanFile?,
        _ options: MigrateOptions,
        _ command: MigrateApplyCommand,
        on terminal: Terminal
    ) async throws -> ErrorProse? {
        var request = options.request(.apply)
        (request.allowLossy, request.skipsBlocked) = (command.allowLossy, command.skipBlocked)
        request.patience = command.patience.timeout.duration
        let planned = plan.map { Set($0.entries(for: part.target)) }
        let pending = part.part.documents.filter { planned?.contains($0) ?? true }
        let expected = ExpectedMigration(entries: pending)
        switch part.target {
        case .container(let container, _):
            let saves = try await container.applying(request, expected, on: terminal) {
                count($0, part.target)
            }
            let proses = saves.map { save in
                ErrorProse(save, of: container, called: part.target.name(of: save.document, .app))
            }
            for prose in proses.dropLast() { terminal.complain(prose.line) }
            guard var last = proses.last else { break }
            last.status = .heaviest(proses.map(\.status))
            return last
        case .bridge(let bridge):
            request.expected = plan == nil ? nil : expected
            let report = try await withBridge(bridge.settings, options.logger, on: terminal) {
                try await $0.migrate(request)
            }
            let items = report.refusal == nil ? report.items : []
            for item in items where item.isPending { count(item, part.target) }
            let proses = outcome(of: report, request, bridge.name)
            for prose in proses.dropLast() { terminal.complain(prose.line) }
            return proses.last
        }
        return nil
    }

    /// Why a bridge was not migrated completely.
    private mutating func outcome(
        of report: MigrationReport,
        _ request: MigrationRequest,
        _ bridge: String?
    ) -> [ErrorProse] {
        if let refusal = report.refusal {
            return [ErrorProse(refusal, printer.hint.of(bridge: bridge)) { $0 }]
        }
        if let stalled = report.stalled {
            isStalled = true
            return [ErrorProse](stalled: stalled, after: request.patience)
        }
        guard let fault = report.endFailure else { return [] }
        let what = "the end of the migration could not be recorded: \(fault.text)"
        return [ErrorProse(what, nil, .partlyDone)]
    }

    private mutating func count(_ item: MigrationItem, _ target: MigrationTarget) {
        if item.isUndone { foot.summary.failed += 1 } else { foot.summary.done += 1 }
        if case .lossy = item.migration.verdict { foot.summary.lossy += 1 }
        show(item, target)
    }
}

extension MigrationShow.Part {
    /// A file from the command line that needs a migration but is not in the plan.
    fileprivate func unplanned(_ plan: PlanFile) -> String? {
        let planned = Set(plan.entries(for: target).map(\.place))
        guard case .container(let container, _) = target, container.names != nil || planned.isEmpty else {
            return nil
        }
        let items = found.values.sorted { $0.place < $1.place }
        return items.first { ($0.isPending || $0.migration.verdict.isFault) && !planned.contains($0.place) }
            .map { target.name(of: $0.document, $0.side) }
    }
}

extension MigrationSummary {
    /// Takes over the counts of documents that `apply` leaves unchanged.
    fileprivate mutating func keep(of plan: MigrationSummary) {
        (current, newer, unversioned) = (plan.current, plan.newer, plan.unversioned)
        (invalid, blocked) = (plan.invalid, plan.blocked)
    }
}
