import ArgumentParser
import BridgeRuntime
import Model
import SyncEngine

struct ConflictsCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "conflicts",
        abstract: "List the contents that lost a conflict, or decide a conflict with `resolve ID`.",
        example: "widgetbridge conflicts resolve 3fa2c1 --take group --app ~/app --group ~/group",
        exits: [
            (.done, "shown, or decided"), (.failed, "error, or no such conflict"),
            (.needsDecision, "the document is held, or the bridge halted or paused; nothing was decided"),
            (.usage, "wrong usage"),
        ]
    )

    enum Action: String, ExpressibleByArgument, CaseIterable { case resolve }

    @Argument(help: "`resolve`: decide the conflict of that ID. The decision is synced like any edit.")
    var action: Action?

    @Argument(help: "The conflict's ID, or the beginning of it.", completion: .conflictIDs)
    var id: String?

    @Option(
        help: "Content to keep: the app's, the group's, or that of a file (`-` is standard input).",
        completion: .file(extensions: ["json"])
    )
    var take: String?

    @OptionGroup var options: WriterOptions

    @Flag(help: "Print one JSON object for each conflict, or for the decision.")
    var json = false

    func validate() throws {
        let isWhole = (action == nil) == (id == nil) && (id == nil) == (take == nil)
        guard isWhole else {
            throw ValidationError("a conflict is decided with `conflicts resolve ID --take app|group|FILE`")
        }
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        guard let id, let take else {
            let conflicts = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true)
            {
                try await $0.conflicts()
            }
            return Outcome(report: .conflicts(conflicts))
        }
        let taken = try Side(rawValue: take).map { Taken.side($0) } ?? .content(NamedFile(take).bytes)
        let edit = try await withBridge(bridge.settings, options.logger, on: terminal) {
            try await $0.resolve(id, taking: taken)
        }
        return Outcome(report: .edit(edit))
    }
}
