import CLinux
import Glibc
import Processes

/// The state of the gates, which only their thread touches.
///
/// It alternates between two things: it answers or holds what has called, and once all players wait, it lets
/// one call through.
struct GateKeeper {
    /// A command, and all that it started.
    private struct Attached {
        let player: RacePlayer
        let listener: GateListener
        let process: Int32
        var isFree: Bool
        /// Whether its first call has come.
        var hasStarted = false
    }

    /// A call at its gate.
    private struct Held {
        let id: UInt64
        let listener: GateListener
        let waiting: LaneTable.Waiting
        let process: RacedProcess
        let sleep: Duration?
        let arrived: ContinuousClock.Instant
        var since: Int?

        var isLongSleep: Bool { sleep.map { $0 > GateKeeper.shortSleep } ?? false }

        func isReady(at now: ContinuousClock.Instant) -> Bool {
            guard isLongSleep, let sleep else { return true }
            return now - arrived >= sleep
        }

        /// Whether it could go on: it is no sleep, or one that is over.
        func isKept(at now: ContinuousClock.Instant) -> Bool { now - arrived >= sleep ?? .zero }

        func candidate(in lane: RaceLane) -> StepChooser.Candidate {
            let kind: StepChooser.Candidate.Sleep = sleep == nil ? .awake : isLongSleep ? .long : .short
            return StepChooser.Candidate(lane, sleep: kind, since: since ?? 0)
        }
    }

    private let settings: Gate.Settings
    private let gate: Gate
    private let reader: CallReader
    private var chooser: StepChooser
    private var table: ProcessTable
    private var lanes = LaneTable()
    private var attached: [Attached] = []
    /// Keyed by thread.
    private var held: [Int32: Held] = [:]
    /// The thread whose sleep is over at that time.
    private var sleeper: (thread: Int32, until: ContinuousClock.Instant)?
    /// The threads beside which others went on.
    private var late: Set<Int32> = []
    private var looks = RepeatedLooks()
    private var progress = Gate.Progress()
    private var fresh: [GatedStep] = []
    private var hasBegun = false
    private var isOpen = false
    private var isClosed = false
    private var isResumed = false
    private var needsGrant = false
    private var awaitsSince = ContinuousClock.now
    private var lastStep = ContinuousClock.now
    private var lastTick = ContinuousClock.now
    private var backoff = Duration.zero

    /// A thread that sleeps for longer is waited for, and not chosen while another can go.
    fileprivate static let shortSleep = Duration.milliseconds(200)
    /// On a busy machine the owner takes its time, and what it does not look at it does not judge.
    private static let longestGrant = Duration.seconds(60)
    private static let mostSteps = 100_000
    private static let closingLimit = Duration.seconds(5)

    init(_ settings: Gate.Settings, _ gate: Gate) {
        self.settings = settings
        self.gate = gate
        reader = CallReader(settings.containers)
        chooser = settings.chooser
        table = ProcessTable(marks: settings.marks)
    }

    mutating func run() {
        while !isClosed {
            for order in gate.takeOrders() { follow(order) }
            if !receive(within: isOpen ? .milliseconds(20) : wait) { advance() }
        }
        end()
        gate.publishEnd()
    }

    private mutating func follow(_ order: Gate.Order) {
        switch order {
        case .attach(let player, let listener, let process, let isFree):
            attached.append(
                Attached(player: player, listener: listener, process: process, isFree: isFree)
            )
            table.add(process, player)
        case .hold(let player):
            for index in attached.indices where attached[index].player == player {
                attached[index].isFree = false
            }
        case .begin:
            hasBegun = true
            lastTick = .now
            lastStep = .now
        case .grant(let steps):
            if steps == progress.steps { needsGrant = false }
        case .resume: isResumed = true
        case .open, .close:
            isOpen = true
            isClosed = order.isClose
            for thread in held.keys { pass(thread) }
        }
        backoff = .zero
        lastStep = .now
        publish()
    }

    // MARK: Calls

    /// Until the next call, or the next look at those that run.
    private var wait: Duration {
        guard hasBegun else { return .milliseconds(20) }
        if let sleeper { return max(.zero, min(sleeper.until - .now, .milliseconds(20))) }
        return backoff
    }

    /// `false` if nobody calls.
    private mutating func receive(within limit: Duration) -> Bool {
        var polled = attached.map {
            pollfd(fd: $0.listener.descriptor, events: Int16(POLLIN), revents: 0)
        }
        polled.append(pollfd(fd: gate.bell, events: Int16(POLLIN), revents: 0))
        let nanoseconds = Int64(max(limit, .zero) / .nanoseconds(1))
        guard unsafe linux_poll(&polled, UInt(polled.count), nanoseconds) > 0 else { return false }
        for index in attached.indices.reversed() {
            let events = Int32(polled[index].revents)
            if events & POLLIN != 0 {
                take(from: index)
            } else if events & (POLLHUP | POLLERR) != 0 {
                // Nobody is left who could call.
                attached[index].listener.close()
                attached.remove(at: index)
            }
        }
        if polled[polled.count - 1].revents != 0 { linux_wait(gate.bell, -1, -1, 0) }
        return true
    }

    private mutating func take(from index: Int) {
        let one = attached[index]
        guard let call = one.listener.next() else { return }
        attached[index].hasStarted = true
        table.add(call.thread, one.player)
        late.remove(call.thread)
        if isOpen || one.isFree { return one.listener.letThrough(call.id) }
        // The bridge is there before the programs, which start in turn.
        let isStart = !one.hasStarted && one.player != .bridge
        let reading = isStart ? CallReader.Reading(call: GatedCall(.start)) : reader.read(call)
        if let escape = reading.escape { record(escape, of: one.player, reading.call) }
        guard let gated = reading.call, one.listener.isWaiting(call.id) else {
            return one.listener.letThrough(call.id)
        }
        held[call.thread] = Held(
            id: call.id,
            listener: one.listener,
            waiting: LaneTable.Waiting(thread: call.thread, player: one.player, call: gated),
            process: table.process(of: call.thread),
            sleep: reading.sleep,
            arrived: .now
        )
        backoff = .zero
        if one.player != .bridge { progress.quiet = .zero }
    }

    private mutating func record(_ escape: CallReader.Escape, of player: RacePlayer, _ call: GatedCall?) {
        switch escape {
        case .ring: progress.escapes.insert(.ring(player))
        case .otherCalls: progress.escapes.insert(.otherCalls(player))
        case .mapping: progress.escapes.insert(.sharedMapping(player, path: call?.paths.first ?? ""))
        case .setUserID(let program): progress.escapes.insert(.setUserID(player, program: program))
        case .unreadable: progress.escapes.insert(.unreadable(player))
        }
    }

    /// The call is carried out; a sleep is over.
    private mutating func pass(_ thread: Int32) {
        guard let one = held.removeValue(forKey: thread) else { return }
        if one.sleep == nil { one.listener.letThrough(one.id) } else { one.listener.skip(one.id) }
    }

    // MARK: Steps

    private mutating func advance() {
        let now = ContinuousClock.now
        let passed = now - lastTick
        lastTick = now
        guard hasBegun, !isOpen else { return }
        let isAwaited = held.values.contains { $0.waiting.player != .bridge && $0.isKept(at: now) }
        progress.quiet = isAwaited ? .zero : progress.quiet + passed
        let sleeping = sleepers(at: now)
        let ran = progress.ran
        defer {
            for player in sleeping where progress.ran[player] == ran[player] {
                progress.slept[player, default: .zero] += passed
            }
        }
        if held.values.contains(where: { $0.waiting.player == .bridge && $0.isKept(at: now) }) {
            progress.bridgeWaited += passed
        }
        if let (thread, until) = sleeper {
            if let player = held[thread]?.waiting.player { progress.ran[player, default: .zero] += passed }
            guard now >= until || held[thread].map({ !$0.listener.isWaiting($0.id) }) ?? true else { return }
            pass(thread)
            sleeper = nil
            lastStep = now
            return
        }
        switch table.stillness(except: Set(held.keys).union(late)) {
        case .running(let thread, let player):
            progress.ran[player, default: .zero] += passed
            if now - lastStep > settings.patience {
                late.insert(thread)
                progress.escapes.insert(.late(player, step: progress.steps))
            }
            backoff = min(max(backoff * 2, .microseconds(100)), .milliseconds(2))
            publish()
        // A thread that waits for an answer sleeps like any other.
        case .still: if !isCalled { rest(after: passed, at: now) }
        }
    }

    /// The players that wait for nothing but the end of a sleep of their own.
    private func sleepers(at now: ContinuousClock.Instant) -> [RacePlayer] {
        [RacePlayer.app, .widget].filter { player in
            let mine = held.values.filter { $0.waiting.player == player }
            return !mine.isEmpty && !mine.contains { $0.isKept(at: now) }
        }
    }

    private var isCalled: Bool {
        var polled = attached.map {
            pollfd(fd: $0.listener.descriptor, events: Int16(POLLIN), revents: 0)
        }
        return unsafe linux_poll(&polled, UInt(polled.count), 0) > 0
    }

    /// All wait.
    private mutating func rest(after passed: Duration, at now: ContinuousClock.Instant) {
        backoff = .milliseconds(5)
        held = held.filter { $0.value.listener.isWaiting($0.value.id) }
        for thread in held.keys where held[thread]?.since == nil { held[thread]?.since = progress.steps }
        let programs = attached.filter { $0.player != .bridge && table.isAlive($0.process) }
        if programs.isEmpty, progress.programSteps == nil { endPrograms() }
        let isReady = held.values.contains { $0.isReady(at: now) }
        if !isReady { for one in programs { progress.ran[one.player, default: .zero] += passed } }
        let isPaused = progress.programSteps == nil && settings.pause == progress.steps && !isResumed
        let awaited = needsGrant ? progress.steps : nil
        if progress.awaitsGrant != awaited { awaitsSince = now }
        progress.awaitsGrant = awaited
        progress.isPaused = isPaused
        publish()
        guard !isPaused else { return }
        if needsGrant, now - awaitsSince < Self.longestGrant { return }
        if isReady { choose(at: now) }
    }

    private mutating func endPrograms() {
        progress.programSteps = progress.steps
        for player in [RacePlayer.app, .widget] where !table.processes(of: player).isEmpty {
            progress.escapes.insert(.outlived(player))
        }
    }

    private mutating func choose(at now: ContinuousClock.Instant) {
        let calls = lanes.lanes(of: held.values.map(\.waiting))
        let candidates = calls.compactMap { lane, waiting in
            held[waiting.thread].flatMap { $0.isReady(at: now) ? $0.candidate(in: lane) : nil }
        }
        let lane = chooser.choose(candidates)
        guard let waiting = calls[lane], let one = held[waiting.thread] else { return }
        progress.steps += 1
        fresh.append(
            GatedStep(lane: lane, call: waiting.call, process: one.process, thread: waiting.thread)
        )
        looks.record(waiting.call, of: lane.player)
        progress.standstill = looks.standstill
        needsGrant = waiting.call.kind.isChange
        progress.awaitsGrant = nil
        lastStep = now
        backoff = .zero
        // Whoever sees what it did can learn who it was.
        publish()
        if let sleep = one.sleep {
            sleeper = (waiting.thread, one.arrived + sleep)
        } else {
            pass(waiting.thread)
        }
        if progress.steps >= Self.mostSteps {
            progress.isFull = true
            isOpen = true
            for thread in held.keys { pass(thread) }
        }
        publish()
    }

    private mutating func publish() {
        gate.publish(progress, fresh[...])
        fresh = []
    }

    // MARK: The end

    /// Ends every process of the players by its number, and waits until the kernel says that none is left.
    private mutating func end() {
        let deadline = ContinuousClock.now + Self.closingLimit
        let roots = Set(attached.map(\.process))
        while ContinuousClock.now < deadline {
            // What it has found so far, and what those have started since.
            let isStill = table.stillness(except: []) == .still
            table.prune()
            let processes = table.processes()
            for process in processes {
                kill(process, SIGKILL)
                // Only adopted processes: the starter of a command waits for that command's own processes.
                if !roots.contains(process) { _ = waitpid(process, nil, WNOHANG) }
            }
            if attached.isEmpty || isStill && processes.isEmpty { break }
            _ = receive(within: .milliseconds(2))
        }
        for one in attached { one.listener.close() }
    }
}

extension Gate.Order {
    fileprivate var isClose: Bool {
        if case .close = self { return true }
        return false
    }
}
