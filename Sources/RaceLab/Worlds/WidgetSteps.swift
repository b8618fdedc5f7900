import Model
import StateStore
import SyncEngine

/// Placed widgets, the events of their users, and the wall clock.
struct WidgetSteps<G: RaceBackend> {
    let executor: ScheduleExecutor<G>

    private var scenario: Scenario { executor.scenario }
    private var now: Moment { executor.now }

    /// A person places them while everything is in sync.
    func placeWidgets() {
        for agent in executor.bridges {
            for widget in scenario.widgets { agent.bridge?.place(widget.kind, at: now) }
            executor.update(agent)
        }
    }

    /// A bridge that starts again sends placed widgets the notices that its journal has and they missed.
    func notifyAgain(_ agent: Agent<G>) {
        for widget in scenario.widgets {
            guard let number = executor.index(of: widget.document),
                let event = (try? agent.journal.events(of: widget.document))?.last(where: {
                    $0.kinds.contains(widget.kind) && $0.cause != .time
                })
            else { continue }
            let kind = executor.kind(widget.kind)
            let last = executor.recorder.steps.last {
                $0.what == .notified && $0.document == number && $0.kind == kind
            }
            let version = executor.table.number(of: event.hashes.group)
            if version == last?.version ?? executor.start[number].group { continue }
            var step = Step(.notified, agent.lane, executor.clock)
            step.document = number
            step.side = .group
            step.version = version
            step.generation = event.generation
            step.kind = kind
            executor.recorder.add(step)
        }
    }

    /// Records the notice to a kind that shows something stale.
    func notifyOfAge(_ notice: Notice, _ agent: Agent<G>) {
        var step = Step(.aged, agent.lane, executor.clock)
        step.call = executor.recorder.call(of: agent.lane)
        step.document = executor.index(of: notice.document)
        step.side = .group
        step.version = executor.table.number(of: notice.hash)
        step.kind = executor.kind(notice.kind)
        executor.recorder.add(step)
    }

    /// Every engine notices that, and acts.
    func putClockBack(_ lane: Int, by time: Duration) {
        executor.wallOffset -= time
        executor.record(.clockPutBack, lane)
        for agent in executor.bridges where agent.bridge != nil { executor.set(agent.lane, .ready) }
    }

    // MARK: Events

    /// The queue lies on the disk, where no process that is killed can harm it; a faulty engine's is a part
    /// of its own process.
    var isQueueInMemory: Bool { scenario.engines.contains(.tapsInMemory) }

    /// The events of one run, once there is one.
    private func queue() -> EventQueue? {
        if executor.taps == nil { executor.taps = try? EventQueue(path: nil) }
        return executor.taps
    }

    func tap(_ lane: Int, _ program: Program<G.Writer>) -> Call.Result {
        let number = Edit.number(lane, program.operation)
        let event = NewEvent(
            id: "\(number)",
            kind: scenario.widgets.first?.kind ?? "widget",
            name: "tap",
            data: nil,
            content: Digest(of: Array("\(number)".utf8))
        )
        guard case .appended? = try? queue()?.push(event, at: now.unixMilliseconds) else { return .refused }
        record(.tapped, lane, tap: number)
        return .done
    }

    /// One step each: it pulls, handles what it got, and acknowledges that.
    func takeTaps(_ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result? {
        defer { program.phase += 1 }
        switch program.phase {
        case 0:
            program.taps = (try? queue()?.waiting())?.map(\.id) ?? []
            executor.record(.called, lane)
        case 1: for id in program.taps { record(.handled, lane, tap: Int(id)) }
        default:
            _ = try? queue()?.acknowledge(program.taps, at: now.unixMilliseconds)
            executor.record(.called, lane)
        }
        return program.phase == 2 || program.taps.isEmpty ? .done : nil
    }

    /// The numbers of those that the app has not taken.
    var waitingTaps: Set<Int> { Set((try? executor.taps?.waiting())?.compactMap { Int($0.id) } ?? []) }

    private func record(_ what: Step.What, _ lane: Int, tap: Int?) {
        var step = Step(what, lane, executor.clock)
        step.call = executor.recorder.call(of: lane)
        step.tap = tap
        executor.recorder.add(step)
    }
}
