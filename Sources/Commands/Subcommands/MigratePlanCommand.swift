import AgentAPI
import AgentClient
import ArgumentParser
import BridgeRuntime
import Documents
import Model
import StateStore
import SyncEngine

struct MigratePlanCommand: VersionedCommand {
    static let page = HelpPage(
        name: "plan",
        abstract: "Print what a migration would do, and write nothing.",
        example: "widgetbridge migrate plan --profile budget --diff text budget.json",
        exits: [
            (.done, "nothing to do"), (.failed, "error, or a document cannot be migrated"),
            (.changesPending, "documents are to be migrated"),
            (.lossy, "something would be lost; apply needs --allow-lossy"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.drift, "the profile was edited after it was applied"),
            (.needsDecision, "a document violates its schema, or --skip-blocked left one out"),
            (.usage, "wrong usage"),
        ]
    )

    @OptionGroup var options: MigrateOptions
    @OptionGroup var target: TargetVersion

    @Option(help: "Form of the changes: RFC 6902 patch, lines for people, or merge patch (RFC 7386).")
    var diff = DiffFormat.patch

    @Option(help: "Save the plan to this file, for `apply --plan`.", completion: .file())
    var out: String?

    @Flag(help: "List each document, also those that are migrated in the same way as one before.")
    var all = false

    @Flag(help: "Allow data loss: drop fields that the target version cannot represent.")
    var allowLossy = false

    @Flag(help: "Report documents that cannot be migrated, and plan for the others.")
    var skipBlocked = false

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let targets = try options.targets("widgetbridge migrate plan")
        try out.map { out in
            try PlanFile.checkReplaceable(out)
            if targets.contains(where: { $0.hasDocument(at: out) }) { throw PlanFileError.document(out) }
        }
        var printer = MigrationPrinter(terminal: terminal, isJSON: options.json, diff: diff, hint: hint)
        if !all { printer.groups = MigrationGroups() }
        var show = MigrationShow(printer: printer, keepsEntries: out != nil)
        show.skipsBlocked = skipBlocked
        for target in targets { try await show.plan(target, options, options.request(.plan), on: terminal) }
        show.end()
        if let out {
            try PlanFile(
                profile: options.address.profile ?? "",
                to: options.to,
                parts: show.parts.map(\.part)
            )
            .write(to: out)
        }
        return show.planStatus(allowLossy: allowLossy, on: terminal)
    }
}

/// Collects a plan: prints each document, counts, and keeps what is needed to apply it.
struct MigrationShow {
    struct Part {
        var target: MigrationTarget
        var part: PlanFile.Part
        /// The items that a saved plan is compared with.
        var found: [MigrationPlace: MigrationItem] = [:]
    }

    var printer: MigrationPrinter
    /// Prints no documents: `apply` plans before it writes.
    var isQuiet = false
    /// A bridge stopped waiting for what other programs hold.
    var isStalled = false
    var keepsEntries = true
    var keepsFound = false
    /// Documents that cannot be migrated do not stop the others.
    var skipsBlocked = false
    /// Prints documents that cannot be migrated or are invalid, even if `isQuiet`.
    var showsFaults = false
    /// Prints the result of migrating up, down and up again.
    var verifies = false
    /// Prints a line for every document, also for those without a change.
    var lists = false
    var foot = MigrationFoot()
    var parts: [Part] = []
    private(set) var newest: [ErrorProse] = []
    /// The first document that cannot be migrated, and the first that breaks the schema of its version.
    private(set) var faults: [ErrorProse] = []
    /// The exit statuses of `verify`.
    private(set) var verdicts: [CommandStatus] = []

    init(printer: MigrationPrinter, isQuiet: Bool = false, keepsEntries: Bool = true) {
        self.printer = printer
        self.isQuiet = isQuiet
        self.keepsEntries = keepsEntries
    }

    mutating func plan(
        _ target: MigrationTarget,
        _ options: MigrateOptions,
        _ request: MigrationRequest,
        on terminal: Terminal
    ) async throws {
        var part = Part(target: target, part: PlanFile.Part(directory: nil, bridge: nil, documents: []))
        let report: MigrationReport
        switch target {
        case .container(let container, _):
            part.part.directory = container.directory
            report = try await container.planning(request, on: terminal) { take($0, &part) }
        case .bridge(let bridge):
            part.part.bridge = bridge.name
            report = try await withBridge(
                bridge.settings,
                options.logger,
                on: terminal,
                doing: "planning",
                toLook: true
            ) { try await $0.migrate(request) }
            for item in report.items { take(item, &part) }
        }
        if let before = report.treeBefore, let after = report.treeAfter {
            foot.trees.append(MigrationFoot.Tree(container: target.place, before: before, after: after))
        }
        foot.drift += report.drift
        for path in report.damagedLogs { terminal.complain(ErrorProse(damagedLog: path).line) }
        foot.damagedLogs += report.damagedLogs
        foot.isUnfinished = foot.isUnfinished || report.isUnfinished
        foot.originals?.files += report.originals.files
        foot.originals?.bytes += report.originals.bytes
        foot.originals?.needed += report.originals.needed
        parts.append(part)
    }

    private mutating func take(_ item: MigrationItem, _ part: inout Part) {
        let name = part.target.name(of: item.document, item.side)
        foot.summary.add(item, as: name)
        if keepsEntries, let entry = item.entry { part.part.documents.append(entry) }
        if keepsFound {
            part.found[item.place] = item
            part.found[item.place]?.old = nil
        }
        add(item.migration.verdict, of: name, part.target)
        if verifies, let check = item.check { verified(item, name, check, part.target) }
        if lists { printer.list(item, name, isContainer(part.target)) }
        if isQuiet, !(showsFaults && item.migration.verdict.isFault) { return }
        show(item, part.target)
    }

    private mutating func add(
        _ verdict: DocumentMigration.Verdict,
        of name: String,
        _ target: MigrationTarget
    ) {
        switch verdict {
        case .newer(let version): newest.append(ErrorProse(newer: version, at: name))
        case .invalid(let block) where foot.summary.invalid == 1:
            faults.append(ErrorProse(leaving: block, at: name))
        case .blocked(let block) where foot.summary.blocked == 1 && skipsBlocked:
            faults.append(ErrorProse(leaving: block, what: "cannot be migrated: ", at: name))
        case .blocked(let block) where foot.summary.blocked == 1:
            let hint = printer.hint.of(bridge: target.bridge)
            faults.append(ErrorProse(.blocked(document: name, block, count: 1), hint) { $0 })
        default: break
        }
    }

    private func isContainer(_ target: MigrationTarget) -> Bool {
        if case .container = target { true } else { false }
    }

    private mutating func verified(
        _ item: MigrationItem,
        _ name: String,
        _ check: MigrationCheck,
        _ target: MigrationTarget
    ) {
        switch check {
        case .same, .nothing: break
        case .lossy: verdicts.append(.lossy)
        case .differs: verdicts.append(.failed)
        }
        if case .nothing(.current) = check { return }
        if case .nothing(.unversioned) = check { return }
        printer.verify(item, name, check, isContainer(target))
    }

    mutating func show(_ item: MigrationItem, _ target: MigrationTarget) {
        let side = isContainer(target) ? nil : item.side
        let isShown =
            switch item.migration.verdict {
            case .current, .unversioned: false
            default: true
            }
        printer.add(item, target.name(of: item.document, item.side), side: side, shows: isShown)
    }

    mutating func end() { printer.end(foot) }

    /// The exit status of a plan. Reports on standard error what prevents its application.
    func planStatus(allowLossy: Bool, on terminal: Terminal) -> CommandStatus {
        for prose in newest.prefix(1) { terminal.complain(prose.line) }
        var statuses: [CommandStatus] = newest.isEmpty ? [] : [.newerVersion]
        for prose in faults { terminal.complain(prose.line) }
        statuses += faults.map(\.status)
        if !foot.drift.isEmpty {
            let prose = ErrorProse(.lenses(foot.drift), printer.hint) { $0 }
            terminal.complain(prose.line)
            statuses.append(prose.status)
        }
        if foot.summary.lossy > 0, !allowLossy { statuses.append(.lossy) }
        if foot.summary.migrate > 0 || foot.isUnfinished { statuses.append(.changesPending) }
        return .heaviest(statuses)
    }
}

extension ContainerMigration {
    /// Shows how far it is.
    fileprivate func planning(
        _ request: MigrationRequest,
        on terminal: Terminal,
        each: (MigrationItem) -> Void
    ) async throws -> MigrationReport {
        try await withProgress("planning", on: terminal) { progress in
            try await placed { container in
                let goesOn: MigrationProgress.Watcher = {
                    progress.show("planning", $0.done, of: $0.total)
                    return true
                }
                return try container.plan(request, meanwhile: goesOn, each: each)
            }
        }
    }
}

extension DocumentMigration.Verdict {
    /// Whether the document stays unchanged although it should not.
    var isFault: Bool {
        switch self {
        case .blocked, .invalid: true
        case .current, .lossless, .lossy, .newer, .unversioned: false
        }
    }
}
