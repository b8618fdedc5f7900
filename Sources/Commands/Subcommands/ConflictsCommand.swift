import ArgumentParser
import BridgeRuntime
import Model
import SyncEngine

struct ConflictsCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "conflicts",
        abstract: "Show what lost a conflict and is kept, or decide one with `resolve ID`.",
        example: "widgetbridge conflicts resolve 3fa2c1 --take group --app ~/app --group ~/group",
        exits: [
            (.done, "shown, or decided"), (.failed, "error, or no such conflict"),
            (.needsDecision, "the document is held, or the bridge is halted; nothing was decided"),
            (.usage, "wrong usage"),
        ]
    )

    enum Action: String, ExpressibleByArgument, CaseIterable { case resolve }

    @Argument(help: "`resolve`: decide the one that is named. The decision is an edit, and crosses as one.")
    var action: Action?

    @Argument(help: "The conflict's id, or the beginning of it.", completion: .conflictIDs)
    var id: String?

    @Option(
        help: "Decide for what the app had, what the group had, or what stands in a file (`-`: input).",
        completion: .file(extensions: ["json"])
    )
    var take: String?

    @OptionGroup(title: "Bridge") var options: BridgeOptions

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
