import Glibc
import Model
import Processes

/// What conducts a race of real programs.
protocol RaceControl: AnyObject {
    var failure: RaceFailure? { get }
    var doubts: [ObservationDoubt] { get }
    var moves: [ProcessMove] { get }
    /// The programs that passed gates of their own, in order.
    var gates: [String] { get }

    /// `true` once all programs have ended, or there can be no verdict.
    func conduct(at now: Duration) -> Bool
    /// To be called again and again once the programs have ended.
    func attend()
    func checkBridge(at now: Duration)
    var programs: [RacedProgram] { get }
    /// The sides whose programs reported that they had done their work.
    var done: Set<Side> { get set }
    /// Reads all documents; called before a program goes on whose changes may raise no event.
    var readAll: () -> Void { get set }
    /// How long the bridge has waited at its gates in all.
    var bridgeWaited: Duration { get }
    /// Whether the program of a side waits at a gate of its own, or is over.
    func isWaiting(_ side: Side) -> Bool
    /// How long the lab has kept the program of a side from going on.
    func kept(_ side: Side, at now: Duration) -> Duration
    /// Hears at once what is done to a program, or what it does at a gate.
    var report: (LabAct) -> Void { get set }
    /// From now on nothing waits for its turn.
    func release()
    /// Reports at once what passed gates since the last call.
    func reportSteps()
    /// Ends everything.
    func close()
    /// - Parameter containers: at rest.
    func report(_ containers: ContainerPaths) -> ControlReport
}

extension RaceControl {
    func reportSteps() {}

    func isWaiting(_ side: Side) -> Bool { false }

    /// Where the programs report what they do.
    var channels: [(side: Side, channel: LabChannel)] {
        programs.compactMap { program in program.command.channel.map { (program.side, $0) } }
    }

    /// The sides whose programs have ended, with all that they started, or will save nothing any more.
    var over: Set<Side> { done.union(programs.filter(\.isGone).map(\.side)) }

    /// Programs that have ended and left processes running may go on saving.
    var leftRunning: [ObservationDoubt] {
        programs.filter { !done.contains($0.side) && $0.hasLeftovers }.map { .leftRunning(command: $0.text) }
    }

    /// The sides whose programs did not end as they should.
    var failed: Set<Side> {
        Set(
            programs.filter { program in
                doubts.contains { if case .ended(command: program.text, _) = $0 { true } else { false } }
            }
            .map(\.side)
        )
    }

    /// Some program has not ended, or not begun.
    var areRunning: Bool { programs.isEmpty || !programs.allSatisfy(\.isOver) }

    /// - Parameter files: where it has looked again and again.
    func notEnded(
        _ program: RacedProgram,
        after limit: Duration,
        lookingAt files: [String] = []
    ) -> ObservationDoubt {
        .notEnded(
            command: program.text,
            after: limit,
            waits: LockWait.chain(from: program.player, among: programs),
            looks: files
        )
    }

    /// Whether it has ended, or will save nothing any more.
    func isFinished(_ program: RacedProgram) -> Bool { program.isOver || done.contains(program.side) }

    /// Whether the race need wait for no program any more.
    func isSettled(at now: Duration) -> Bool {
        programs.allSatisfy { done.contains($0.side) || $0.isSettled(at: now) }
    }
}

/// Lets the system calls of all players through their gates one at a time.
final class CallScheduler: RaceControl {
    private let settings: ProcessSettings
    private let gate: Gate
    private let start: (_ command: String, RacePlayer) throws(RaceFailure) -> RacedProgram
    private var bridge: RacedBridge
    private(set) var programs: [RacedProgram] = []
    var done: Set<Side> = []
    var readAll: () -> Void = {}
    var report: (LabAct) -> Void = { _ in }
    private var isStarted = false
    /// The steps whose changes have been looked at, and those whose reads have been reported.
    private var granted = 0
    /// The steps whose last change is looked at before the next round.
    private var awaited: Int?
    private var reportedSteps = 0
    private let kill: Int?
    private var hasKilled = false
    private(set) var failure: RaceFailure?
    private(set) var doubts: [ObservationDoubt] = []
    private(set) var moves: [ProcessMove] = []
    let gates: [String] = []

    /// How long one round may take: files are looked at between two rounds.
    private static let round = Duration.milliseconds(20)

    init(
        _ settings: ProcessSettings,
        _ gate: Gate,
        _ agent: ChildCommand,
        start: @escaping (_ command: String, RacePlayer) throws(RaceFailure) -> RacedProgram,
        restart: @escaping () throws(RaceFailure) -> ChildCommand
    ) {
        self.settings = settings
        self.gate = gate
        self.start = start
        bridge = RacedBridge(settings, agent, restart: restart)
        kill = settings.killStep
    }

    func close() {
        release()
        for program in programs { program.command.end() }
        bridge.end()
        gate.close()
    }

    var bridgeWaited: Duration { gate.progress.bridgeWaited }

    func kept(_ side: Side, at now: Duration) -> Duration {
        let (progress, player) = (gate.progress, side == .app ? RacePlayer.app : .widget)
        return now - (progress.ran[player] ?? .zero) - (progress.slept[player] ?? .zero)
    }

    func release() { gate.order(.open) }

    // MARK: Conducting

    func conduct(at now: Duration) -> Bool {
        do throws(RaceFailure) {
            if !isStarted { try begin() }
            for index in programs.indices { try attend(to: index, at: now) }
            if gate.progress.isPaused, !hasKilled { try killAgent(at: now) }
        } catch {
            failure = error
        }
        attend()
        checkBridge(at: now)
        let progress = gate.progress
        if progress.isFull { add(.tooMuchToSee) }
        for case .late(let player, let step) in progress.escapes {
            add(.notControlled(player, step: step))
        }
        // The gate learns of their end later.
        let isBehind = programs.allSatisfy(\.isOver) && progress.programSteps == nil
        let isOver = isSettled(at: now) && !isBehind && !bridge.isStarting
        return failure != nil || isOver || doubts.contains(where: \.isFinal)
    }

    /// Whoever calls it has looked at the last change; returns once there is another, or after a round.
    func attend() {
        if let steps = awaited {
            (granted, awaited) = (steps, nil)
            if gate.progress.escapes.contains(where: \.isMapping) { readAll() }
            gate.order(.grant(steps))
        }
        let granted = granted
        gate.wait(within: Self.round) { progress in
            progress.awaitsGrant.map { $0 > granted } ?? false || progress.isPaused || progress.isFull
                || progress.programSteps != nil
        }
        awaited = gate.progress.awaitsGrant.flatMap { $0 > granted ? $0 : nil }
        reportSteps()
    }

    func reportSteps() {
        let steps = gate.steps(from: reportedSteps)
        guard !steps.isEmpty else { return }
        reportedSteps += steps.count
        let isOrdered = !gate.progress.escapes.contains(where: \.isUnordered)
        for step in steps { report(.called(step, isOrdered: isOrdered)) }
    }

    private func begin() throws(RaceFailure) {
        isStarted = true
        for (player, command) in [(RacePlayer.app, settings.app), (.widget, settings.widget)] {
            guard let command else { continue }
            programs.append(try start(command, player))
        }
        gate.order(.begin)
    }

    private func attend(to index: Int, at now: Duration) throws(RaceFailure) {
        let ending = programs[index].attend(at: now)
        let program = programs[index]
        program.command.discardOutput()
        if let ending, ending.isNotThere { throw .noCommand(program.text) }
        if done.contains(program.side) { return }
        if let ending {
            if ending != .exited(0) { add(.ended(command: program.text, ending)) }
        } else if !program.isOver, isHung(program) {
            let files = gate.progress.standstill?.files[program.player] ?? []
            add(notEnded(program, after: settings.limit, lookingAt: files))
        }
    }

    /// It ran for so long, or all programs have done nothing for so long while the bridge went on, or nothing
    /// but look again where they had looked.
    private func isHung(_ program: RacedProgram) -> Bool {
        let progress = gate.progress
        let times = [
            progress.ran[program.player] ?? .zero, progress.quiet, progress.standstill?.time ?? .zero,
        ]
        return times.contains { $0 > settings.limit }
    }

    private func add(_ doubt: ObservationDoubt) { if !doubts.contains(doubt) { doubts.append(doubt) } }

    private func killAgent(at now: Duration) throws(RaceFailure) {
        hasKilled = true
        moves.append(.killedAgent)
        report(.killed(.bridge))
        try bridge.killAndRestart(at: now)
        report(.started(.bridge))
        gate.order(.resume)
    }

    func checkBridge(at now: Duration) {
        guard failure == nil else { return }
        do throws(RaceFailure) {
            if let doubt = try bridge.check(at: now) { add(doubt) }
            if bridge.hasDoneItsWork, areRunning, !moves.contains(.bridgeEnded) { moves.append(.bridgeEnded) }
        } catch {
            failure = error
        }
    }

    // MARK: Results

    func report(_ containers: ContainerPaths) -> ControlReport {
        let progress = gate.progress
        let steps = gate.steps.prefix(progress.programSteps ?? .max)
        let files = containers.files()
        var report = ControlReport()
        report.kind = .calls
        report.ran = [StepChooser.Segment](steps.map(\.lane))
        report.order = ProcessOrder(segments: report.ran, kill: hasKilled ? kill : nil)
        report.steps = Array(steps).texts(lasting: Set(files.keys))
        report.escapes = progress.escapes.sorted { $0.text < $1.text }
        let lines = files.sorted { $0.key < $1.key }.map { "\($0.key) \(Digest(of: $0.value).hex)\n" }
        report.end = Digest(of: Array(lines.joined().utf8))
        return report
    }
}

extension ObservationDoubt {
    /// Nothing more can be learned by going on.
    fileprivate var isFinal: Bool {
        if case .notControlled = self { return false }
        return true
    }
}

extension ProcessSettings {
    /// The step before which the agent is killed; `nil` if it is not.
    fileprivate var killStep: Int? {
        if let order { return order.kill }
        var faults = SeededRandom(seed: seed, .faults)
        guard killsAgent, bridge == nil, faults.coin() else { return nil }
        return faults.below(Self.latestKill)
    }

    private static let latestKill = 40

    /// Chooses the next call, by the saved order or by the seed.
    var chooser: StepChooser {
        order.map { StepChooser(.replaying($0.segments)) } ?? StepChooser(seed: seed)
    }

    /// - Parameter mark: what a variable in each player's environment has before the player's name.
    func gate(_ containers: ContainerPaths, marking mark: String) -> Gate {
        let marks = RacePlayer.allCases.map { ($0, mark + $0.name) }
        return Gate(
            Gate.Settings(
                containers: containers,
                chooser: chooser,
                marks: Dictionary(uniqueKeysWithValues: marks),
                pause: killStep,
                patience: gateLimit
            )
        )
    }
}
