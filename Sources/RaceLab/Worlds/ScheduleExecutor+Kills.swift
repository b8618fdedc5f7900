import Model

// A program's process is killed between two of its steps, and launched again.
extension ScheduleExecutor {
    /// What it has written stays. Its operation is over, even if it only waited.
    func killProgram(_ lane: Int) {
        guard let program = programs[lane], !program.isDead else { return }
        record(.died, lane)
        closeFile(of: program, lane)
        let actor = scenario.actors[lane]
        let isPausing =
            program.operation < actor.operations.count && actor.operations[program.operation].verb.isPause
        let isOperationOver = recorder.call(of: lane) != nil || isPausing
        recorder.end(lane, .died, at: clock)
        programs[lane] = program.killed(actor, isOperationOver: isOperationOver)
        set(lane, .ready)
    }

    /// The kernel closes the file that it was writing.
    private func closeFile(of program: Program<G.Writer>, _ lane: Int) {
        guard let writer = program.writer else { return }
        let actor = scenario.actors[lane]
        let document = index(of: actor.operations[program.operation])
        if backend.isHeld(place(document, lane), by: writer) { report(.closed, of: document, actor.side) }
        writer.close()
        hint(document, actor.side)
    }

    /// The new process reads its documents and subscribes as the one before had; a new subscriber gets the
    /// current state.
    func relaunch(_ lane: Int, _ program: inout Program<G.Writer>) {
        recorder.begin(Call(lane: lane, name: .start, first: recorder.steps.count, began: clock))
        record(.started, lane)
        trail.fence()
        program.isDead = false
        for document in scenario.documents.indices {
            _ = read(document, lane, &program)
            guard program.lapsed.has(document) else { continue }
            _ = subscribe(document, lane, &program)
            program.inbox |= 1 << UInt32(document)
        }
        program.lapsed = 0
        recorder.end(lane, .done, at: clock)
    }
}
