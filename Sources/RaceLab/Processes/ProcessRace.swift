import CLinux
import Glibc
import Model
import Processes
import StateStore

/// Runs real programs against each other in new directories, controls which of them goes on, and observes.
package final class ProcessRace {
    private let settings: ProcessSettings
    private let tree: RealTree
    private let environment: [String: String]
    private let containers: ContainerPaths
    /// Where system calls are controlled.
    private let gate: Gate?
    private let reaper: RaceReaper

    /// An agent that fails ends at once; this limit is for one that hangs, and large enough for a busy
    /// machine.
    static let startLimit = Duration.seconds(120)

    /// - Parameter parent: the parent of the new directories; the temporary directory if `nil`.
    package init(_ settings: ProcessSettings, in parent: String? = nil) throws {
        self.settings = settings
        tree = try RealTree(in: parent)
        reaper = try RaceReaper(settings.program, of: tree.path)
        for side in Side.allCases { unsafe mkdir("\(tree.path)/\(side.rawValue)", 0o755) }
        environment = [
            "WIDGETBRIDGE_PROGRAM": settings.program, "WIDGETBRIDGE_APP": "\(tree.path)/app",
            "WIDGETBRIDGE_GROUP": "\(tree.path)/group", "WIDGETBRIDGE_STATE": RaceReaper.state(in: tree.path),
            "WIDGETBRIDGE_PROFILE": settings.profile?.name ?? "",
        ]
        containers = ContainerPaths(BothSides(app: "\(tree.path)/app", group: "\(tree.path)/group"))
        gate =
            settings.controlsCalls
            ? settings.gate(containers, marking: "\(Self.player)=\(tree.path):") : nil
    }

    /// The variable that shows whose process it is, even if its parent has ended.
    private static let player = "WIDGETBRIDGE_LAB_PLAYER"

    /// The options of the agent and its clients.
    private static let bridge =
        #"--app "$WIDGETBRIDGE_APP" --group "$WIDGETBRIDGE_GROUP" --state "$WIDGETBRIDGE_STATE""#
        + #" ${WIDGETBRIDGE_PROFILE:+--profile "$WIDGETBRIDGE_PROFILE"}"#

    /// What it becomes is not left behind if the lab is killed.
    private static let bound = #"exec "$WIDGETBRIDGE_PROGRAM" \#(BoundProgram.word) $PPID"#

    /// Reconnects when the agent is restarted.
    private static let subscribing =
        #"\#(bound) /bin/sh -c 'while :; do "$WIDGETBRIDGE_PROGRAM" subscribe \#(bridge) 2>/dev/null; done'"#

    private static let asking = #"exec "$WIDGETBRIDGE_PROGRAM" status --json \#(bridge)"#

    /// - Parameter isAsked: whether the user asked to stop.
    package func run(isAsked: @escaping () -> Bool = { false }) throws(RaceFailure) -> ProcessReport {
        defer { RaceReaper.leftovers(of: tree.path).end() }
        if gate != nil { _ = linux_adopt_orphans(1) }
        defer { if gate != nil { _ = linux_adopt_orphans(0) } }
        let scheduler = try control(isAsked)
        defer { scheduler.close() }
        let observer = try Observer(observerSettings)
        defer { observer.close() }
        connect(scheduler, observer)
        var observation = try observer.observe(
            until: { now in conduct(scheduler, observer, at: now) || isAsked() },
            isHurried: {
                scheduler.attend()
                recordWaits(scheduler, observer)
                return isAsked() || scheduler.failure != nil
            }
        )
        var control = scheduler.report(containers)
        if let ungated = observation.ungatedEscape, !control.escapes.contains(where: \.isLate) {
            control.escapes.append(ungated)
            observation.noticed.append(.ungated(count: observation.ungated.count))
        }
        // What sleeps at a gate wakes when that opens, and may be gone before somebody looks.
        let leftRunning = scheduler.leftRunning
        scheduler.release()
        scheduler.checkBridge(at: observer.now)
        if let failure = scheduler.failure { throw failure }
        observation.noticed += scheduler.doubts + leftRunning
        observation.history.bridgeHasEnded = scheduler.moves.contains(.bridgeEnded)
        complete(&observation, observer, isAsked)
        return ProcessReport(
            seed: settings.seed,
            observation: observation,
            moves: scheduler.moves,
            gates: scheduler.gates,
            control: control
        )
    }

    private func connect(_ scheduler: any RaceControl, _ observer: Observer) {
        scheduler.readAll = { observer.readAll() }
        scheduler.report = { observer.record($0) }
        observer.isWaiting = { [weak scheduler] in scheduler?.isWaiting($0) ?? false }
        observer.hearCalls = { [weak scheduler] in scheduler?.reportSteps() }
        if gate != nil { observer.seesCalls() }
    }

    /// Asks the agent what it holds, and runs the checks of the user's.
    private func complete(
        _ observation: inout ObservationReport,
        _ observer: Observer,
        _ isAsked: () -> Bool
    ) {
        for kind in observation.noticed.compactMap(\.kind) where observation.skipped[kind] != nil {
            observation.skipped[kind] = .undecided
        }
        if settings.bridge == nil, observation.history.rest != nil, !isAsked() {
            observation.record(
                held: HeldDocument.ask(Self.asking, environment: environment, within: Self.startLimit)
            )
        }
        settings.checks.judge(
            &observation,
            in: BothSides { "\(tree.path)/\($0.rawValue)" },
            environment: environment,
            isDocument: observer.isWatched,
            isAsked: isAsked
        )
    }

    /// Reads what the programs report, and passes to the observer which of them are over.
    private func conduct(_ scheduler: any RaceControl, _ observer: Observer, at now: Duration) -> Bool {
        let isFirst = scheduler.programs.isEmpty
        scheduler.done = observer.done
        let isOver = scheduler.conduct(at: now)
        recordWaits(scheduler, observer)
        if isFirst { scheduler.channels.forEach { observer.hear($0.channel, of: $0.side) } }
        scheduler.over.forEach(observer.programEnded)
        for program in scheduler.programs where program.isGone { observer.programGone(program.side) }
        scheduler.failed.forEach(observer.programFailed)
        return isOver
    }

    /// What the lab kept each of them waiting.
    private func recordWaits(_ scheduler: any RaceControl, _ observer: Observer) {
        observer.record(bridgeWaited: scheduler.bridgeWaited)
        for side in Side.allCases { observer.record(kept: scheduler.kept(side, at: observer.now), side) }
    }

    private func control(_ isAsked: @escaping () -> Bool) throws(RaceFailure) -> any RaceControl {
        let agent: ChildCommand
        do throws(RaceFailure) {
            agent = try startBridge()
            try awaitReady(agent, isAsked)
        } catch {
            gate?.close()
            throw error
        }
        gate?.order(.hold(.bridge))
        func start(_ command: String, _ player: RacePlayer) throws(RaceFailure) -> RacedProgram {
            let directory = "cd \"$WIDGETBRIDGE_\(player == .app ? "APP" : "GROUP")\" || exit 1\n"
            let child = try self.start(
                directory + command,
                player,
                isHeard: true,
                isAnswered: settings.hasGates
            )
            return RacedProgram(
                player,
                child,
                text: command,
                in: containers,
                leaving: Leftovers(Self.player, mark(of: player))
            )
        }
        func restart() throws(RaceFailure) -> ChildCommand { try startBridge(isFree: false) }
        if let gate { return CallScheduler(settings, gate, agent, start: start, restart: restart) }
        return ProcessScheduler(settings, agent, start: start, restart: restart)
    }

    private func mark(of player: RacePlayer) -> String { "\(tree.path):\(player.name)" }

    /// With its gates, where there are any.
    private func start(
        _ command: String,
        _ player: RacePlayer,
        isHeard: Bool,
        isAnswered: Bool = false,
        isFree: Bool = false
    ) throws(RaceFailure) -> ChildCommand {
        var environment = environment
        environment[Self.player] = mark(of: player)
        let isReporting = player != .bridge
        guard let gate else {
            return try ChildCommand(
                command,
                environment: environment,
                isHeard: isHeard,
                isAnswered: isAnswered,
                isReporting: isReporting
            )
        }
        let (child, listener) = try ChildCommand.gated(
            command,
            environment: environment,
            isHeard: isHeard,
            isReporting: isReporting,
            by: settings.program,
            within: Self.startLimit
        )
        gate.order(.attach(player, listener, process: child.id, isFree: isFree))
        return child
    }

    private var observerSettings: ObserverSettings {
        var observed = ObserverSettings(app: "\(tree.path)/app", group: "\(tree.path)/group")
        observed.profile = settings.profile?.value
        observed.patience = settings.patience
        // All wait at gates; only a timer can still bring a change, and that may take the patience.
        observed.quiet = settings.controlsCalls ? min(settings.quiet, settings.patience) : settings.quiet
        observed.unrest = settings.unrest
        observed.environment = environment
        observed.programs = BothSides(app: settings.app != nil, group: settings.widget != nil)
        let users: [RacePlayer] = settings.bridge == nil ? [.app, .widget] : RacePlayer.allCases
        observed.processes = Dictionary(
            uniqueKeysWithValues: users.map { ($0, Leftovers(Self.player, mark(of: $0))) }
        )
        if settings.bridge == nil {
            observed.reloads = Self.subscribing
            observed.copies = "\(tree.path)/state/\(Trash.conflicts)"
            observed.trash = "\(tree.path)/state/\(Trash.directory)"
        }
        return observed
    }

    /// - Parameter isFree: an agent passes all gates until it is held.
    private func startBridge(isFree: Bool = true) throws(RaceFailure) -> ChildCommand {
        if let bridge = settings.bridge {
            return try start(bridge, .bridge, isHeard: false)
        }
        // On a terminal the agent would log what it does, between the lines of the report.
        let command = #"\#(Self.bound) "$WIDGETBRIDGE_PROGRAM" agent --log-level warning \#(Self.bridge)"#
        return try start(command, .bridge, isHeard: true, isFree: isFree)
    }

    /// Returns once the agent is ready.
    private func awaitReady(_ agent: ChildCommand, _ isAsked: () -> Bool) throws(RaceFailure) {
        guard settings.bridge == nil else { return }
        let deadline = ContinuousClock.now + Self.startLimit
        while !isAsked(), !agent.lines().contains("ready") {
            if let ending = agent.ended() { throw .agentFailed(ending.words) }
            if ContinuousClock.now > deadline { throw .agentFailed("was not ready in time") }
            agent.wait(milliseconds: 20)
        }
    }
}
