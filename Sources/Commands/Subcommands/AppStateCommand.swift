import ArgumentParser
import BridgeRuntime
import Reloads
import SyncEngine

extension AppActivity: ExpressibleByArgument {}

struct AppStateCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "app-state",
        abstract: "Say what the app does: its widgets reload for free unless it is in the background.",
        discussion: """
            As on a phone, reloads cost nothing while the app is in the foreground, or has
            a session of audio or navigation. That lapses after --for, unless it is said
            again.
            """,
        example: "widgetbridge app-state foreground --for 10m --app ~/app --group ~/group",
        exits: [(.done, "noted"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @Argument(help: "What it does from now on. (default: only show what it does)")
    var state: AppActivity?

    @Option(
        name: .customLong("for"),
        help: "How long it counts, at most a day. (default: 10m)",
        transform: TimeSpan.parsed
    )
    var time = TimeSpan(.milliseconds(AppActivity.lapse))

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard AppActivity.times.contains(time.duration) else {
            throw ValidationError("expected --for from 1ms to 1d")
        }
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let entered = try await withBridge(
            bridge.settings,
            options.logger,
            on: terminal,
            toLook: state == nil
        ) {
            guard let state else { return try await $0.appState() }
            return try await $0.enter(state, for: time.duration)
        }
        return Outcome(report: .appState(entered))
    }
}
