import ArgumentParser
import BridgeRuntime

/// For a command about whole bridges, each of which its name in the configuration selects.
struct WholeBridgeOptions: OpeningBridgeOptions {
    @Argument(
        help: ArgumentHelp(
            "Only this bridge of the configuration file, like --bridge; without it, all of them.",
            valueName: "bridge"
        ),
        completion: .bridges
    )
    var named: String?

    @OptionGroup(title: "Bridge") var given: BridgeAddress
    @OptionGroup(title: "Bridge") var opening: OpeningOptions
    @OptionGroup(title: "Bridge") var log: LogOptions
    @OptionGroup(title: "Documents") var documents: DocumentOptions

    var address: BridgeAddress {
        var address = given
        address.bridge = named ?? given.bridge
        return address
    }

    var groups: [any SettingOptions] { [address, log, documents] }

    func validate() throws {
        guard let named, let bridge = given.bridge, named != bridge else { return }
        throw ValidationError("the bridge is named twice, as `\(named)` and as `\(bridge)`")
    }
}

struct PauseCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "pause",
        abstract: "Write nothing to the containers until `resume`, even after a restart of the agent.",
        discussion: """
            Programs can go on saving; `status` shows what waits. Without an agent, the next
            one starts paused, and `sync` is refused.
            """,
        example: "widgetbridge pause --app ~/app --group ~/group",
        exits: [(.done, "paused, or it was already"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: WholeBridgeOptions

    @Flag(help: "Print one JSON object for each bridge.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        try await options.outcome(on: terminal) { bridge throws(BridgeError) in try await bridge.pause() }
    }
}

struct ResumeCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "resume",
        abstract: "End a pause; the agent syncs at once what was saved meanwhile.",
        example: "widgetbridge resume --app ~/app --group ~/group",
        exits: [(.done, "resumed, or it was not paused"), (.failed, "error"), (.usage, "wrong usage")]
    )

    @OptionGroup var options: WholeBridgeOptions

    @Flag(help: "Print one JSON object for each bridge.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        try await options.outcome(on: terminal) { bridge throws(BridgeError) in try await bridge.resume() }
    }
}

extension WholeBridgeOptions {
    fileprivate func outcome(
        on terminal: Terminal,
        _ request: (any BridgeAccess) async throws(BridgeError) -> BridgePause
    ) async throws -> Outcome {
        let (done, failures) = try await eachBridge { bridge in
            try await withBridge(bridge.settings, logger, on: terminal) { access in
                let hasAgent = !(access is Bridge)
                return DonePause(pause: try await request(access), hasAgent: hasAgent)
            }
        }
        return Outcome(report: .paused(done), failures: failures)
    }
}
