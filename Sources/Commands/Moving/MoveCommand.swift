import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import FileSystem
import Model
import StoreReplica

struct MoveCommand: BridgeCommand {
    static let page = HelpPage(
        name: "move",
        abstract: "Move a file or a database from one container to the other, in steps.",
        discussion: """
            The first run copies it and compares the copy, a database with its log and
            without what a program did not finish. The original is kept until --confirm.
            A killed run is continued by running it again.

            With a profile and --stores, the name of a document means its database, which
            may have another path in each container.
            """,
        example: "widgetbridge move habits.json --from app --to group --profile habits --stores ios",
        exits: [
            (.done, "done, or done already"), (.failed, "error, or a program has it open"),
            (.changesPending, "not done yet (--dry-run)"),
            (.needsDecision, "both containers have it, and differ; or the bridge syncs it, or is paused"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The file, as its path inside the container, or a document.", completion: .documents)
    var name: String

    @Option(help: "Container to move it from.")
    var from: Side

    @Option(help: "Container to move it to.")
    var to: Side

    @Flag(help: "Remove the original, if the other container has the same.")
    var confirm = false

    @Flag(help: "Print what would be done, and write nothing.")
    var dryRun = false

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        if from == to { throw ValidationError("--from and --to are the same container") }
    }

    func perform(on terminal: Terminal) async throws -> CommandStatus {
        let name = try documentName(name)
        let settings = try options.onlyBridge().settings
        let places = try MovedPlaces(name, from: from, settings)
        let status = try await withBridge(settings, options.logger, on: terminal, toLook: true) {
            try await $0.status()
        }
        if let since = status.pausedSince, !dryRun { throw BridgeError.paused(since: since) }
        let known = status.documents.filter { $0.generation > 0 }.map(\.name)
        let syncing = places.documents.first { known.contains($0.description) }
        if confirm, let syncing { throw MoveFault(places, .syncs(syncing)) }
        let report = try moved(places, settings)
        let printer = TextPrinter(columns: terminal.columns, hint: hint)
        terminal.print(json ? "\(report.json)\n" : report.text(printer), endingWith: report.status)
        return report.status
    }

    private func moved(_ places: MovedPlaces, _ settings: BridgeSettings) throws -> MoveReport {
        let files: LinuxFileSystem
        do throws(FileError) {
            files = try LinuxFileSystem(app: settings.app, group: settings.group, state: settings.app)
        } catch {
            throw BridgeError.file(error)
        }
        let move = ContainerMove(
            places.source,
            to: places.target,
            in: files,
            containers: [.app: settings.app, .group: settings.group],
            limit: NamedFile.limit
        )
        do throws(ContainerMove.Fault) {
            return try moved(by: move, places)
        } catch {
            throw MoveFault(places, .move(error))
        }
    }

    private func moved(by move: ContainerMove, _ places: MovedPlaces) throws(ContainerMove.Fault)
        -> MoveReport
    {
        let before = try move.progress(onlyLooks: dryRun)
        let after = max(before, confirm ? .moved : .copied)
        if !dryRun {
            try move.resume()
            if before < .copied { try move.copy() }
            if before < .moved, after == .moved { try move.removeSource() }
        }
        return MoveReport(places: places, before: before, after: after, isDry: dryRun)
    }
}
