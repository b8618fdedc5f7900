import FileSystem
import Model

/// Carries out the calls of an actor in Swift, step by step.
struct CodeSteps<G: RaceBackend> {
    let executor: ScheduleExecutor<G>
    let lane: Int
    let runner: CodeRunner

    private var side: Side { executor.scenario.actors[lane].side }

    func start() {
        runner.start()
        setOff()
    }

    /// Whether the code can go on with its current call.
    func setOff() {
        guard let request = runner.request else { return executor.set(lane, .waiting) }
        switch request.verb {
        case .wait: executor.set(lane, .asleep(until: executor.clock + request.duration))
        case .readOnNotice:
            let isNotified = (executor.programs[lane]?.inbox ?? 0).has(request.document)
            executor.set(lane, isNotified ? .ready : .waiting)
        default: executor.set(lane, .ready)
        }
    }

    func isWaiting(for document: Int) -> Bool {
        runner.request.map { $0.verb == .readOnNotice && $0.document == document } ?? false
    }

    /// What it waits for at the end.
    var wait: Rest.Wait? {
        guard let request = runner.request else { return nil }
        let number = executor.programs[lane]?.operation ?? 0
        return Rest.Wait(lane: lane, operation: number, verb: request.verb, document: request.document)
    }

    /// One step.
    func advance() {
        guard let request = runner.request else { return }
        if runner.phase == 0 { begin(request) }
        guard let (result, answer) = take(request) else {
            runner.phase += 1
            return
        }
        complete(result, answer)
    }

    /// The bridge answered the put.
    func answered(isDone: Bool) {
        complete(isDone ? .done : .refused, isDone ? .done : .refused)
    }

    private func complete(_ result: Call.Result, _ answer: CodeRunner.Answer) {
        executor.recorder.end(lane, result, at: executor.clock)
        executor.programs[lane]?.operation += 1
        runner.resume(answer)
        setOff()
    }

    private func begin(_ request: CodeRunner.Request) {
        var call = Call(
            lane: lane,
            name: .operation(request.verb),
            document: request.verb.needsDocument ? request.document : nil,
            side: side,
            first: executor.recorder.steps.count,
            began: executor.clock
        )
        // Its contents mark no edits, so `CodeCheck` judges them.
        if request.verb.isWrite, request.verb != .delete {
            call.intends = executor.table.number(of: request.bytes)
        }
        executor.recorder.begin(call)
    }

    private func take(_ request: CodeRunner.Request) -> (Call.Result, CodeRunner.Answer)? {
        let document = request.document
        let place = executor.place(document, lane)
        switch request.verb {
        case .readOnNotice:
            executor.programs[lane]?.inbox &= ~(1 << UInt32(document))
            return read(document)
        case .read: return read(document)
        case .truncateAndWrite, .writeInPlace: return writeSlowly(request, place)
        case .edit: return put(request)
        case .delete:
            guard executor.backend.delete(place) else {
                executor.changed(document, side, lane, .remove)
                return (.refused, .refused)
            }
            executor.report(.gone, of: document, side)
            executor.changed(document, side, lane, .remove)
        case .subscribe:
            executor.programs[lane]?.subscribed |= 1 << UInt32(document)
            executor.record(.subscribed, lane, document, .group, version: executor.current(document))
        case .wait: executor.record(.waited, lane)
        default:
            executor.backend.save(place, request.bytes)
            executor.report(.saved, of: document, side)
            executor.changed(document, side, lane, .rename)
        }
        return (.done, .done)
    }

    private func read(_ document: Int) -> (Call.Result, CodeRunner.Answer) {
        let version = executor.look(document, side)
        executor.record(.read, lane, document, side, version: version, call: .read)
        guard version != History.absent else { return (.refused, .content(nil)) }
        executor.report(.opened, .read, of: document, side)
        return (.done, .content(executor.table[version].bytes))
    }

    /// The steps of `truncateAndWrite` begin before those of `writeInPlace`.
    private func writeSlowly(_ request: CodeRunner.Request, _ place: Location)
        -> (Call.Result, CodeRunner.Answer)?
    {
        let (document, truncates) = (request.document, request.verb == .truncateAndWrite)
        if runner.phase == 0 {
            if executor.look(document, side) == History.absent { executor.report(.saved, of: document, side) }
            let writer = executor.backend.open(place)
            executor.report(.opened, of: document, side)
            if truncates { writer?.truncate() }
            executor.programs[lane]?.writer = writer
        }
        guard let writer = executor.programs[lane]?.writer else { return (.refused, .refused) }
        let phase = runner.phase + (truncates ? 0 : 1)
        if executor.backend.isHeld(place, by: writer) {
            executor.report(phase < 3 ? .written : .closed, of: document, side)
        }
        let half = request.bytes.count / 2
        switch phase {
        case 0: executor.changed(document, side, lane, .open)
        case 1, 2:
            writer.write(Array(phase == 1 ? request.bytes[..<half] : request.bytes[half...]))
            executor.changed(document, side, lane, .write)
        default:
            writer.close()
            executor.record(.called, lane, document, side, call: .close)
            executor.hint(document, side)
            executor.programs[lane]?.writer = nil
            return (.done, .done)
        }
        return nil
    }

    private func put(_ request: CodeRunner.Request) -> (Call.Result, CodeRunner.Answer)? {
        guard let agent = executor.bridges.first else { return (.refused, .refused) }
        let expected = request.expected.map { executor.table.number(of: $0) } ?? History.absent
        agent.requests.append(
            PutRequest(
                lane: lane,
                process: 0,
                document: request.document,
                version: executor.table.number(of: request.bytes),
                expected: expected
            )
        )
        executor.set(lane, .waiting)
        executor.update(agent)
        return nil
    }
}
