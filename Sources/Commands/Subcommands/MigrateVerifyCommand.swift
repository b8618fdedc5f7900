import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import SyncEngine

struct MigrateVerifyCommand: VersionedCommand {
    static let page = HelpPage(
        name: "verify",
        abstract: "Migrate documents up, down and up again, in memory, and report what is not restored.",
        example: "widgetbridge migrate verify --profile budget budget.json",
        exits: [
            (.done, "everything is restored, or nothing is to be migrated"),
            (.failed, "a document is not restored as it was, or cannot be migrated"),
            (.undecided, "the result cannot be printed"),
            (.lossy, "something would be lost"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.needsDecision, "a document of that version violates its schema"),
            (.usage, "wrong usage"),
        ],
        unprinted: .undecided
    )

    @OptionGroup var options: MigrateOptions
    @OptionGroup var target: TargetVersion

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let printer = MigrationPrinter(terminal: terminal, isJSON: options.json, diff: nil, hint: hint)
        var show = MigrationShow(printer: printer, isQuiet: true, keepsEntries: false)
        show.verifies = true
        for target in try options.targets("widgetbridge migrate verify") {
            try await show.plan(target, options, options.request(.verify), on: terminal)
        }
        show.end()
        for prose in show.newest.prefix(1) + show.faults { terminal.complain(prose.line) }
        return .heaviest((show.newest + show.faults).map(\.status) + show.verdicts)
    }
}

extension TextPrinter {
    func verification(_ item: MigrationItem, _ name: String, _ check: MigrationCheck) -> String {
        let (from, to) = (item.migration.from ?? 0, item.migration.to ?? 0)
        func row(_ result: String, _ colour: Colour?, _ more: String = "", way: Bool = true) -> [String] {
            layout.row([
                Layout.Part(text: name.withoutControls, style: bold),
                Layout.Part(text: way ? "\(from) → \(to) → \(from) → \(to)" : ""),
                Layout.Part(text: result) { coloured($0, colour) }, Layout.Part(text: more),
            ])
        }
        var lines: [String]
        switch check {
        case .same(let isExact): lines = row("SAME", .green, isExact ? "byte for byte" : "by value")
        case .differs(let places):
            lines = row("DIFFERS", .red)
            lines += places.flatMap { wrapped("  differs at ", "`\($0)`".withoutControls) }
        case .lossy(let losses):
            lines = row("LOSSY", .yellow)
            lines += losses.flatMap { wrapped("  loses ", $0.line) }
        case .nothing(let verdict):
            lines = row(verdict.name, verdict.colour, way: false)
            if let reason = verdict.reason { lines += wrapped("  ", reason.withoutControls) }
        }
        return lines.map { "\($0)\n" }.joined()
    }
}
