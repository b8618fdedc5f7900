import Glibc
import Model
import Processes

/// Stops and continues programs, and kills the agent, at random by the seed.
final class ProcessScheduler: RaceControl {
    private struct Player {
        var program: RacedProgram
        /// It is stopped until then.
        var stoppedUntil: Duration?
        /// It waits at a gate.
        var isAtGate = false
        /// When it was last continued.
        var letGo: Duration
        /// How long it was stopped or waited at gates, as of the time when it was last attended to.
        var kept = Duration.zero
        var attended: Duration

        var mayRun: Bool { program.isOver ? program.hasLeftovers : !isAtGate }
        var name: String { program.player.name }
        var command: ChildCommand { program.command }
    }

    private let settings: ProcessSettings
    private let start: (_ command: String, RacePlayer) throws(RaceFailure) -> RacedProgram
    private var bridge: RacedBridge
    private var players: [Player] = []
    private var isStarted = false
    private var schedule: SeededRandom
    private var faults: SeededRandom
    private var nextMove = Duration.zero
    private var killAt: Duration?
    /// The agent is killed before this gate.
    private var killBefore: Int?
    private(set) var failure: RaceFailure?
    private(set) var doubts: [ObservationDoubt] = []
    private(set) var moves: [ProcessMove] = []
    private(set) var gates: [String] = []
    /// The sides whose programs have waited at their gates since all was read, or were over.
    private var still: Set<Side> = []
    /// It stops programs only.
    let bridgeWaited = Duration.zero
    var done: Set<Side> = []
    var readAll: () -> Void = {}
    var report: (LabAct) -> Void = { _ in }

    private static let longestStop = Duration.milliseconds(60)
    private static let longestPause = Duration.milliseconds(40)
    private static let latestKill = Duration.milliseconds(400)
    private static let mostGates = 10
    private static let grace = Duration.milliseconds(500)

    init(
        _ settings: ProcessSettings,
        _ agent: ChildCommand,
        start: @escaping (_ command: String, RacePlayer) throws(RaceFailure) -> RacedProgram,
        restart: @escaping () throws(RaceFailure) -> ChildCommand
    ) {
        self.settings = settings
        self.start = start
        bridge = RacedBridge(settings, agent, restart: restart)
        schedule = SeededRandom(seed: settings.seed, .schedule)
        faults = SeededRandom(seed: settings.seed, .faults)
        guard settings.killsAgent, settings.bridge == nil, faults.coin() else { return }
        killBefore = faults.below(Self.mostGates)
        killAt = faults.duration(upTo: Self.latestKill)
    }

    var programs: [RacedProgram] { players.map(\.program) }

    func close() {
        for player in players { player.command.end() }
        bridge.end()
    }

    /// `true` once all programs have ended, or there can be no verdict.
    func conduct(at now: Duration) -> Bool {
        do throws(RaceFailure) {
            if !isStarted { try begin(at: now) }
            for index in players.indices { try attend(to: index, at: now) }
            if settings.hasGates { try openGate(at: now) } else { try move(at: now) }
        } catch {
            failure = error
        }
        checkBridge(at: now)
        let isOver = failure != nil || !doubts.isEmpty || isSettled(at: now) && !bridge.isStarting
        if isOver { for index in players.indices { continueProgram(index) } }
        return isOver
    }

    private func begin(at now: Duration) throws(RaceFailure) {
        isStarted = true
        for (player, command) in [(RacePlayer.app, settings.app), (.widget, settings.widget)] {
            guard let command else { continue }
            players.append(Player(program: try start(command, player), letGo: now, attended: now))
        }
        killAt = killAt.map { $0 + now }
        nextMove = now
    }

    func attend() {}

    func release() {}

    func isWaiting(_ side: Side) -> Bool { still.contains(side) }

    func kept(_ side: Side, at now: Duration) -> Duration {
        players.first { $0.program.side == side }?.kept ?? .zero
    }

    func report(_ containers: ContainerPaths) -> ControlReport {
        var report = ControlReport()
        report.kind = settings.hasGates ? .gates : .stops
        report.refusal = settings.refusal
        return report
    }

    // MARK: Programs

    private func attend(to index: Int, at now: Duration) throws(RaceFailure) {
        let ending = players[index].program.attend(at: now)
        let player = players[index]
        if player.stoppedUntil != nil || player.isAtGate { players[index].kept += now - player.attended }
        players[index].attended = now
        if let until = player.stoppedUntil, until <= now { continueProgram(index) }
        if settings.hasGates {
            if !player.command.lines().isEmpty { players[index].isAtGate = true }
        } else {
            player.command.discardOutput()
        }
        if let ending, ending.isNotThere { throw .noCommand(player.program.text) }
        if done.contains(player.program.side) { return }
        if let ending {
            if ending != .exited(0) { doubts.append(.ended(command: player.program.text, ending)) }
            if settings.hasGates, !gates.contains(player.name), !players[index].isAtGate {
                doubts.append(.endedWithoutGate(command: player.program.text))
            }
        }
        guard !player.program.isOver, !players[index].isAtGate else { return }
        if settings.hasGates, now - player.letGo > settings.gateLimit {
            doubts.append(.noGate(command: player.program.text, within: settings.gateLimit))
        } else if isLate(player, at: now, for: Self.grace) {
            doubts.append(notEnded(player.program, after: settings.limit))
        }
    }

    /// - Parameter grace: a program that is stopped no more waits again for what it waited for.
    private func isLate(_ player: Player, at now: Duration, for grace: Duration = .zero) -> Bool {
        !player.program.isOver && !done.contains(player.program.side)
            && now - player.letGo > settings.limit + grace
    }

    private func continueProgram(_ index: Int) {
        guard players[index].stoppedUntil != nil else { return }
        players[index].command.send(SIGCONT)
        players[index].stoppedUntil = nil
        report(.continued(players[index].program.player))
    }

    /// Opens one gate once all programs wait at gates.
    private func openGate(at now: Duration) throws(RaceFailure) {
        let waiting = players.indices.filter { !isFinished(players[$0].program) }
        guard !waiting.isEmpty, waiting.allSatisfy({ players[$0].isAtGate }),
            !bridge.isAwaited(at: now, within: settings.gateLimit)
        else { return }
        readAll()
        if killBefore == gates.count { return try killAgent(at: now) }
        let index = schedule.pick(waiting)
        let others = players.indices.filter { $0 != index && !players[$0].mayRun }
        still = Set(others.map { players[$0].program.side })
        gates.append(players[index].name)
        players[index].isAtGate = false
        players[index].letGo = now
        players[index].command.answer()
    }

    // MARK: Stopping

    private func move(at now: Duration) throws(RaceFailure) {
        if let time = killAt, time <= now { try killAgent(at: now) }
        guard now >= nextMove, !players.contains(where: { isLate($0, at: now) }) else { return }
        nextMove = now + schedule.duration(upTo: Self.longestPause)
        let time = schedule.duration(upTo: Self.longestStop)
        let running = players.indices.filter {
            !players[$0].program.isOver && players[$0].stoppedUntil == nil
        }
        guard !running.isEmpty else { return }
        let index = schedule.pick(running)
        players[index].command.send(SIGSTOP)
        players[index].stoppedUntil = now + time
        moves.append(.stopped(program: players[index].name, time))
        report(.stopped(players[index].program.player))
    }

    private func killAgent(at now: Duration) throws(RaceFailure) {
        killAt = nil
        killBefore = nil
        moves.append(.killedAgent)
        report(.killed(.bridge))
        try bridge.killAndRestart(at: now)
        report(.started(.bridge))
    }

    func checkBridge(at now: Duration) {
        guard failure == nil else { return }
        do throws(RaceFailure) {
            if let doubt = try bridge.check(at: now) { doubts.append(doubt) }
            if bridge.hasDoneItsWork, areRunning, !moves.contains(.bridgeEnded) { moves.append(.bridgeEnded) }
        } catch {
            failure = error
        }
    }
}
