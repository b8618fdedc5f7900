import Documents
import FileSystem
import Model
import StateStore
import SyncEngine

/// Runs a scenario: its actors take one step at a time, in the scheduler's order, in virtual time.
///
/// The engine is synchronous. So an actor that is chosen between two of its calls acts inside the second
/// call: the engine's file system calls `pass`, which returns once the engine is chosen again.
package final class ScheduleExecutor<G: RaceBackend> {
    let scenario: Scenario
    let backend: G
    let table: VersionTable
    /// Rules of the documents with versions.
    let rules: [DocumentRule?]
    let profile: Profile?
    var recorder: Recorder
    var scheduler: Scheduler
    var faults: SeededRandom
    /// The chosen actors, if they are recorded.
    var schedule = Schedule()
    var trail = Trail()

    /// By lane.
    let codes: [CodeRunner?]
    var programs: [Program<G.Writer>?]
    var agents: [Agent<G>?] { didSet { bridges = agents.compactMap(\.self) } }
    /// The agents that exist.
    private(set) var bridges: [Agent<G>] = []
    /// Of agents: their last recorded step says that they are idle.
    var rested: UInt32 = 0
    /// The current operation of each fate.
    var fates: [Int?]
    /// The current and the initial versions of each side.
    var holding: [BothSides<Int>]
    var start: [BothSides<Int>] = []

    /// The widget kinds of notices.
    var kinds: [String] = []
    /// The events of the widgets of this run.
    var taps: EventQueue?

    var clock = Duration.zero
    /// By how much the wall clock was set.
    var wallOffset = Duration.zero
    var taken = 0
    var current = 0
    var readiness: Readiness
    /// Of fates that may kill an agent, in any of its calls.
    private let fateLanes: UInt32
    /// The world is being built, or has ended: no other actor takes steps.
    var isQuiet = true
    /// The run was aborted: calls in progress fail.
    var unrest: Rest.Unrest?
    var lastOperation = Duration.zero
    /// Engines after the first pause inside their calls on separate stacks; the first entry is the caller's.
    /// The coroutines are created for the first run, and reused.
    var coroutines: [Coroutine] = []
    let strandOfLane: [Int]
    let strandCount: Int
    /// The actor that was chosen when switching coroutines.
    var chosen: Int?
    /// No actor takes another step.
    var isOver = false

    /// Asked every few steps: with large documents, a single run takes long.
    var isTimeUp: @Sendable () -> Bool = { false }

    /// The number of power cuts.
    var boots = 0
    var snapshot: Snapshot?

    init(_ scenario: Scenario, backend: G, table: VersionTable) {
        self.scenario = scenario
        self.backend = backend
        self.table = table
        scheduler = Scheduler(.departing([]))
        faults = SeededRandom(seed: 0, .faults)
        let profile = scenario.knownProfile
        self.profile = profile
        rules = scenario.documents.map { document in
            scenario.profile == nil ? nil : profile?.rule(for: document.path.description)
        }
        recorder = Recorder(lanes: scenario.actors.count)
        holding = scenario.documents.map { _ in BothSides(app: History.absent, group: History.absent) }
        readiness = Readiness(lanes: scenario.actors.count)
        programs = scenario.actors.map { _ in nil }
        agents = scenario.actors.map { _ in nil }
        fates = scenario.actors.map { _ in nil }
        let names = scenario.documents.map(\.path.description)
        codes = scenario.actors.map { actor in actor.code.map { CodeRunner($0, documents: names) } }
        var agents = 0
        strandOfLane = scenario.actors.map { actor in
            guard actor.kind == .agent else { return 0 }
            agents += 1
            return agents - 1
        }
        strandCount = max(1, agents)
        fateLanes = scenario.actors.indices.reduce(0) { bits, lane in
            scenario.actors[lane].operations.contains(where: scenario.strikesAgents)
                ? bits | 1 << UInt32(lane) : bits
        }
    }

    /// 2026-01-18, in nanoseconds.
    private static var wallStart: Int64 { 1_768_746_600_000_000_000 }
    private static var stepTime: Duration { .microseconds(10) }
    /// A run with more steps has failed.
    private static var mostSteps: Int { 200_000 }
    /// A run with only the bridge's own timers for this time does not come to rest.
    private static var patience: Duration { .seconds(20) }

    private var wall: Int64 { Self.wallStart + (clock + wallOffset).nanoseconds }

    var now: Moment { Moment(uptime: clock, unixNanoseconds: wall) }

    // MARK: Choosing

    func set(_ lane: Int, _ state: Readiness.State) { readiness.set(lane, state) }

    /// The actor of the next step; `nil` if there is none any more.
    func next(isPrivate: Bool) -> Int? {
        guard !isOver else { return nil }
        let lane = choose(isPrivate: isPrivate)
        isOver = lane == nil
        return lane
    }

    private func choose(isPrivate: Bool) -> Int? {
        readiness.wake(at: clock)
        guard let ruled = readiness.next(after: current) else { return nil }
        let last = taken > 0 ? current : nil
        let choice = Choice(readiness, after: last, ruled: ruled, onlyFate: isPrivate ? fateLanes : nil)
        let lane = scheduler.choose(choice, at: taken)
        trail.begin(lane, choice)
        if readiness.asleep.has(lane) {
            clock = max(clock, readiness.wakes[lane])
            readiness.wake(at: clock)
            if !isPatient { return nil }
        }
        current = lane
        taken += 1
        schedule.append(lane)
        if taken > Self.mostSteps {
            unrest = .steps(Self.mostSteps)
            return nil
        }
        if taken & 7 == 0, isTimeUp() {
            unrest = .stopped
            return nil
        }
        tick()
        return lane
    }

    /// Whether a program or fate has something to do yet, or had a short time ago.
    private var isPatient: Bool {
        if clock <= lastOperation + Self.patience { return true }
        let isAnybodyElse = scenario.actors.indices.contains { readiness.isBusy($0) && !isAgent($0) }
        // A reload may be due in a day.
        if !isAnybodyElse, !bridges.allSatisfy(\.isIdle) { unrest = .timers(Self.patience) }
        return isAnybodyElse
    }

    func tick() {
        clock += Self.stepTime
        backend.pass(to: wall)
    }

    // MARK: Running

    /// From a world in sync to one at rest.
    func run(_ scheduler: Scheduler, faults: UInt64) -> History {
        self.scheduler = scheduler
        self.faults = SeededRandom(seed: faults, .faults)
        (wallOffset, taps) = (.zero, nil)
        if let snapshot { restore(snapshot) } else { setUp() }
        isQuiet = false
        for lane in codes.indices { code(lane)?.start() }
        begin()
        play(on: 0, next(isPrivate: false))
        end()
        isQuiet = true
        defer { for code in codes { code?.stop() } }
        return history()
    }

    func code(_ lane: Int) -> CodeSteps<G>? {
        codes[lane].map { CodeSteps(executor: self, lane: lane, runner: $0) }
    }

    /// Called before an engine's call: other actors act until the engine is chosen.
    func pass(_ lane: Int, isPrivate: Bool) {
        guard !isQuiet else { return }
        var chosen = next(isPrivate: isPrivate)
        while let other = chosen, other != lane {
            if coroutine(of: other) == coroutine(of: lane) || !isAgent(other) {
                step(other)
                chosen = next(isPrivate: isPrivate)
            } else {
                chosen = handOver(other, from: coroutine(of: lane))
            }
        }
    }

    var widgets: WidgetSteps<G> { WidgetSteps(executor: self) }
    var conditions: ConditionSteps<G> { ConditionSteps(executor: self) }

    func isAgent(_ lane: Int) -> Bool { scenario.actors[lane].kind == .agent }

    func step(_ lane: Int) {
        switch scenario.actors[lane].kind {
        case .app, .widget:
            lastOperation = clock
            advanceProgram(lane)
        case .fate:
            lastOperation = clock
            advanceFate(lane)
        case .agent: advanceAgent(lane)
        }
    }

    private func setUp() {
        backend.pass(to: Self.wallStart)
        for (number, document) in scenario.documents.enumerated() where document.isThere {
            backend.save(Location(firstSide, document.path), table[table.number(of: initial(document))].bytes)
            look(number, firstSide)
        }
        for lane in scenario.actors.indices where scenario.actors[lane].kind == .agent {
            agents[lane] = Agent(lane, self)
            settle(lane)
        }
        widgets.placeWidgets()
        for number in scenario.documents.indices { for side in Side.allCases { look(number, side) } }
        start = holding
        recorder = Recorder(lanes: scenario.actors.count)
        launch()
        // What is in sync at the start, a power cut takes from nobody.
        backend.writeBack()
        for agent in bridges { agent.journal.writeBack() }
        snapshot = save()
    }

    /// The side of the first program.
    private var firstSide: Side { scenario.actors.first { $0.isProgram }?.side ?? .app }

    /// The agent brings the world in sync, undisturbed.
    private func settle(_ lane: Int) {
        for _ in 0..<1_000 {
            advanceAgent(lane)
            guard !readiness.ready.has(lane) else { continue }
            guard readiness.asleep.has(lane) else { break }
            clock = readiness.wakes[lane]
            tick()
        }
    }

    private func launch() {
        // So that the agent's earlier actions are not recent.
        clock += .seconds(1)
        tick()
        for (lane, actor) in scenario.actors.enumerated() {
            switch actor.kind {
            case .app, .widget:
                var program = Program<G.Writer>(actor, documents: scenario.documents.count)
                for number in scenario.documents.indices {
                    program.memory[number] = readable(number, lane, program)
                }
                programs[lane] = program
                setOff(lane)
            case .fate:
                fates[lane] = 0
                setOff(lane)
            case .agent: break
            }
        }
        lastOperation = clock
    }

    /// Starts the next operation of a program or of fate.
    func setOff(_ lane: Int) {
        if let code = code(lane) { return code.setOff() }
        let operations = scenario.actors[lane].operations
        let number = programs[lane]?.operation ?? fates[lane] ?? 0
        guard number < operations.count, programs[lane]?.isOver != true else { return set(lane, .waiting) }
        switch operations[number].verb {
        case .wait: set(lane, .asleep(until: clock + (operations[number].duration ?? .zero)))
        case .readOnNotice:
            let isNotified = (programs[lane]?.inbox ?? 0).has(index(of: operations[number]))
            set(lane, isNotified ? .ready : .waiting)
        case .until: set(lane, conditions.begin(lane))
        default: set(lane, .ready)
        }
    }

    func index(of operation: Operation) -> Int { scenario.index(of: operation) }

    func index(of path: RelativePath) -> Int? { scenario.index(of: path) }
}
