import Glibc
import Model
import Processes

/// Runs real programs against each other in new directories, stops and continues them, and observes.
package final class ProcessRace {
    private let settings: ProcessSettings
    private let tree: RealTree
    private let environment: [String: String]

    /// An agent that fails ends at once; this limit is for one that hangs, and large enough for a busy
    /// machine.
    private static let startLimit = Duration.seconds(120)

    /// - Parameter parent: the parent of the new directories; the temporary directory if `nil`.
    package init(_ settings: ProcessSettings, in parent: String? = nil) throws(RealTree.Failure) {
        self.settings = settings
        tree = try RealTree(in: parent)
        for side in Side.allCases { unsafe mkdir("\(tree.path)/\(side.rawValue)", 0o755) }
        environment = [
            "WIDGETBRIDGE_PROGRAM": settings.program, "WIDGETBRIDGE_APP": "\(tree.path)/app",
            "WIDGETBRIDGE_GROUP": "\(tree.path)/group", "WIDGETBRIDGE_STATE": "\(tree.path)/state",
            "WIDGETBRIDGE_PROFILE": settings.profile?.name ?? "",
        ]
    }

    /// The options of the agent and its clients.
    private static let bridge =
        #"--app "$WIDGETBRIDGE_APP" --group "$WIDGETBRIDGE_GROUP" --state "$WIDGETBRIDGE_STATE""#
        + #" ${WIDGETBRIDGE_PROFILE:+--profile "$WIDGETBRIDGE_PROFILE"}"#

    /// Reconnects when the agent is restarted.
    private static let subscribing =
        #"while :; do "$WIDGETBRIDGE_PROGRAM" subscribe \#(bridge) 2>/dev/null; done"#

    /// - Parameter isAsked: whether the user asked to stop.
    package func run(isAsked: @escaping () -> Bool = { false }) throws(RaceFailure) -> ProcessReport {
        defer { Leftovers("WIDGETBRIDGE_STATE", environment["WIDGETBRIDGE_STATE"] ?? "").end() }
        let agent = try startBridge(isAsked)
        let scheduler = ProcessScheduler(settings, agent) { command, side throws(RaceFailure) in
            try ChildCommand(
                "cd \"$WIDGETBRIDGE_\(side == .app ? "APP" : "GROUP")\" || exit 1\n\(command)",
                environment: self.environment,
                isHeard: true,
                isAnswered: self.settings.hasGates
            )
        } restart: { () throws(RaceFailure) in
            try self.startBridge(isAsked)
        }
        defer { scheduler.close() }
        let observer = try Observer(observerSettings)
        defer { observer.close() }
        var observation = try observer.observe(
            until: { now in scheduler.conduct(at: now) || isAsked() },
            isHurried: { isAsked() || scheduler.failure != nil }
        )
        scheduler.checkBridge()
        if let failure = scheduler.failure { throw failure }
        observation.noticed += scheduler.doubts
        return ProcessReport(
            seed: settings.seed,
            observation: observation,
            moves: scheduler.moves,
            gates: scheduler.gates
        )
    }

    private var observerSettings: ObserverSettings {
        var observed = ObserverSettings(app: "\(tree.path)/app", group: "\(tree.path)/group")
        observed.profile = settings.profile?.value
        observed.patience = settings.patience
        observed.environment = environment
        if settings.bridge == nil { observed.reloads = Self.subscribing }
        return observed
    }

    /// Returns once the agent is ready.
    private func startBridge(_ isAsked: () -> Bool) throws(RaceFailure) -> ChildCommand {
        if let bridge = settings.bridge {
            return try ChildCommand(bridge, environment: environment, isHeard: false)
        }
        let command = #"exec "$WIDGETBRIDGE_PROGRAM" agent \#(Self.bridge)"#
        let agent = try ChildCommand(command, environment: environment, isHeard: true)
        let deadline = ContinuousClock.now + Self.startLimit
        while !isAsked(), !agent.lines().contains("ready") {
            if let ending = agent.ended() { throw .agentFailed(ending.words) }
            if ContinuousClock.now > deadline { throw .agentFailed("was not ready in time") }
            var output = pollfd(fd: agent.output, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&output, 1, 20)
        }
        return agent
    }
}
