import Documents
import FileSystem
import Model
import StateStore
import SyncEngine

/// A bridge in a world: an engine, its pending hints, and the notices that it has yet to send.
final class Agent<G: RaceBackend> {
    let lane: Int
    let files: InterposedFileSystem<G>
    var bridge: (any BridgeUnderTest)?
    var journal = LabJournal(instance: "0")
    /// The last versions of the group's side that it sent notices of.
    var known: [Int]
    /// Documents that may have changed.
    var hints: UInt32 = 0
    var notices: [Notice] = []
    var requests: [PutRequest] = []
    /// The pending access events and tokens.
    var words: [WatchMessage] = []
    var isAsking = false
    private var tokens: UInt64 = 0
    var isDead: Bool {
        get { files.isDead }
        set { files.isDead = newValue }
    }
    var isIdle = false
    var starts: UInt64 = 0

    init(_ lane: Int, _ executor: ScheduleExecutor<G>) {
        self.lane = lane
        files = InterposedFileSystem(lane, executor)
        known = executor.scenario.documents.map { _ in History.absent }
        journal.isDead = { [unowned self] in isDead }
    }

    /// Delivers all pending messages in order.
    func hear(at now: Moment) {
        let due = words
        forgetWords()
        for word in due { bridge?.hear(word, at: now) }
    }

    /// Sends a token, which comes back after all earlier events.
    func ask(at now: Moment) {
        guard let bridge, bridge.hasQuestions else { return }
        tokens += 1
        bridge.asked(tokens, at: now)
        words.append(.token(tokens))
        isAsking = true
    }

    func forgetWords() {
        words = []
        isAsking = false
    }

    func forget() {
        hints = 0
        notices = []
        forgetWords()
    }

    /// The documents that its bridge holds, as bits.
    func held(among documents: [ScenarioDocument]) -> Int {
        documents.indices.reduce(0) { bits, number in
            bridge?.isHeld(documents[number].path) == true ? bits | 1 << number : bits
        }
    }

    /// The bridge has started. It may have finished at once what it had not recorded before it was killed.
    func begin(_ documents: [RelativePath], _ table: VersionTable, at now: Moment) {
        bridge?.markAllDirty(at: now)
        guard starts > 1 else { return }
        for (number, path) in documents.enumerated() {
            guard let digest = bridge?.agreed(path, on: .group) else { continue }
            known[number] = table.number(of: digest) ?? History.absent
        }
    }
}

extension ScheduleExecutor {
    /// One step, or all steps of an undisturbed turn.
    func advanceAgent(_ lane: Int) {
        guard let agent = agents[lane] else { return }
        trail.fence()
        if agent.isDead { bury(agent) }
        if agent.bridge == nil {
            start(agent)
        } else if !agent.notices.isEmpty {
            notify(agent.notices.removeFirst(), agent)
        } else if !agent.requests.isEmpty {
            serve(agent.requests.removeFirst(), agent)
        } else {
            turn(agent)
        }
        // The current step may be another one now.
        trail.fence()
        update(agent)
    }

    /// Whether it has something to do.
    func update(_ agent: Agent<G>) {
        let isBusy =
            agent.bridge == nil || agent.hints != 0 || !agent.notices.isEmpty || !agent.requests.isEmpty
            || agent.isAsking || agent.isDead
        if isBusy { return set(agent.lane, .ready) }
        let deadline = agent.bridge?.deadline
        let wake = agent.bridge?.reloadDeadline(at: now)
        guard let next = [deadline, wake].compactMap(\.self).min() else {
            set(agent.lane, .waiting)
            return rest(agent, until: nil)
        }
        set(agent.lane, next <= clock ? .ready : .asleep(until: next))
        if deadline == nil, next > clock { rest(agent, until: wake) } else { agent.isIdle = false }
    }

    /// - Parameter wake: when a reload is due.
    private func rest(_ agent: Agent<G>, until wake: Duration?) {
        if !agent.isIdle {
            record(.idle, agent.lane, held: agent.held(among: scenario.documents), wake: wake)
        }
        agent.isIdle = true
    }

    private func begin(_ name: Call.Name, _ agent: Agent<G>) {
        guard !isQuiet else { return }
        agent.isIdle = false
        recorder.begin(Call(lane: agent.lane, name: name, first: recorder.steps.count, began: clock))
    }

    private func start(_ agent: Agent<G>) {
        begin(.start, agent)
        agent.starts += 1
        record(.started, agent.lane)
        agent.bridge = try? BridgeMaker(executor: self, agent: agent).bridge()
        if agent.bridge == nil { agent.isDead = true }
        agent.begin(scenario.documents.map(\.path), table, at: now)
        recorder.end(agent.lane, agent.isDead ? .died : .done, at: clock)
        guard agent.starts > 1, !agent.isDead else { return }
        notifyOfCurrent()
        widgets.notifyAgain(agent)
    }

    /// Subscribers reconnect to a restarted bridge, and get the current state first.
    private func notifyOfCurrent() {
        for lane in programs.indices {
            for number in scenario.documents.indices where programs[lane]?.subscribed.has(number) == true {
                record(.subscribed, lane, number, .group, version: current(number))
                deliver(number, to: lane)
            }
        }
    }

    private func bury(_ agent: Agent<G>) {
        agent.files.closeAll()
        agent.bridge = nil
        agent.isDead = false
        agent.forget()
        for request in agent.requests { answered(request, isDone: false) }
        agent.requests = []
    }

    private func turn(_ agent: Agent<G>) {
        guard let bridge = agent.bridge else { return }
        begin(.turn, agent)
        agent.hear(at: now)
        var hints = agent.hints
        agent.hints = 0
        while hints != 0 {
            bridge.markDirty(scenario.documents[hints.trailingZeroBitCount].path)
            hints &= hints - 1
        }
        let turn = bridge.turn(at: now)
        if !agent.isDead {
            agent.notices += turn.notices
            for path in turn.published { agreed(path, agent) }
            if scenario.tracksAccess { agent.ask(at: now) }
        }
        recorder.end(agent.lane, agent.isDead ? .died : .done, at: clock)
    }

    private func agreed(_ path: RelativePath, _ agent: Agent<G>) {
        guard let number = index(of: path) else { return }
        for side in Side.allCases {
            let version = table.number(of: agent.bridge?.agreed(path, on: side))
            if side == .group { agent.known[number] = version ?? History.absent }
            record(.agreed, agent.lane, number, side, version: version)
        }
    }

    /// Every subscriber gets it at once; when they react is up to them.
    func notify(_ notice: Notice, _ agent: Agent<G>) {
        guard let number = index(of: notice.document) else { return }
        agent.known[number] = table.number(of: notice.hash) ?? History.absent
        if isQuiet { return }
        trail.fence()
        if notice.cause == .time { return widgets.notifyOfAge(notice, agent) }
        var step = Step(.notified, agent.lane, clock)
        step.call = recorder.call(of: agent.lane)
        step.document = number
        step.side = .group
        step.version = table.number(of: notice.hash)
        step.generation = notice.generation
        step.kind = kind(notice.kind)
        recorder.add(step)
        for lane in scenario.actors.indices where programs[lane]?.subscribed.has(number) == true {
            deliver(number, to: lane)
        }
    }

    /// What a bridge sends to a new subscriber: its base, not the file's content.
    func current(_ document: Int) -> Int {
        bridges.first?.known[document] ?? History.absent
    }

    private func deliver(_ document: Int, to lane: Int) {
        programs[lane]?.inbox |= 1 << UInt32(document)
        if let program = programs[lane], isWaiting(program, lane, document) { set(lane, .ready) }
    }

    /// The number of a widget kind, in the order in which the kinds occur.
    func kind(_ name: String) -> Int {
        if let number = kinds.firstIndex(of: name) { return number }
        kinds.append(name)
        return kinds.count - 1
    }

    private func isWaiting(_ program: Program<G.Writer>, _ lane: Int, _ document: Int) -> Bool {
        if let code = code(lane) { return code.isWaiting(for: document) }
        let operations = scenario.actors[lane].operations
        guard program.operation < operations.count else { return false }
        let operation = operations[program.operation]
        return operation.verb == .readOnNotice && index(of: operation) == document
    }

    private func serve(_ request: PutRequest, _ agent: Agent<G>) {
        let version = table[request.version]
        let isDone = agent.bridge?.put(
            version.bytes,
            as: scenario.documents[request.document].path,
            on: scenario.actors[request.lane].side,
            over: request.expected == History.absent ? nil : table[request.expected].digest,
            at: now
        )
        if agent.isDead { return answered(request, isDone: false) }
        answered(request, isDone: isDone ?? false)
    }

    // MARK: Fate

    func advanceFate(_ lane: Int) {
        guard let number = fates[lane] else { return }
        trail.fence()
        let operation = scenario.actors[lane].operations[number]
        switch operation.verb {
        case .crash:
            for (victim, actor) in scenario.actors.enumerated() where actor.name == operation.target {
                if actor.kind == .agent { kill(victim) } else { killProgram(victim) }
            }
        case .cutPower: cutPower(lane)
        case .putClockBack: widgets.putClockBack(lane, by: operation.duration ?? .zero)
        default: record(.waited, lane)
        }
        fates[lane] = number + 1
        setOff(lane)
    }

    private func kill(_ lane: Int) {
        guard let agent = agents[lane], !agent.isDead else { return }
        agent.isDead = true
        if widgets.isQueueInMemory { taps = nil }
        record(.died, lane)
        set(lane, .ready)
    }

    private func cutPower(_ lane: Int) {
        record(.lostPower, lane)
        boots += 1
        for agent in bridges { kill(agent.lane) }
        for agent in bridges { agent.files.forgetAll() }
        backend.cutPower(&faults)
        var seed = faults
        var tails = SeededRandom(seed: seed.next(), .journal)
        for agent in bridges { agent.journal.powerCut(choosing: &faults, values: &tails) }
        for number in scenario.documents.indices {
            for side in Side.allCases { changed(number, side, lane, .sync) }
        }
        for program in programs.indices {
            // A bridge that is killed ends its call itself, and is restarted.
            guard programs[program] != nil, recorder.call(of: program) != nil else { continue }
            recorder.end(program, .died, at: clock)
            programs[program]?.operation += 1
            // What it had asked the bridge for, it has not asked for any more.
            programs[program]?.kills += 1
            programs[program]?.phase = 0
            programs[program]?.writer = nil
            setOff(program)
        }
    }
}
