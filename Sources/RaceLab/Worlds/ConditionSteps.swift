import Model

/// Operations whose program goes on when, or only if, a document has a field.
struct ConditionSteps<G: RaceBackend> {
    let executor: ScheduleExecutor<G>

    /// A program that waits for a field blocks: it is woken by the change that brings it, and looks again.
    func wake(for document: Int, _ side: Side) {
        for lane in executor.programs.indices where executor.scenario.actors[lane].side == side {
            guard let program = executor.programs[lane], !program.isDead, !program.isOver,
                let operation = operation(lane, program), operation.verb == .until,
                executor.index(of: operation) == document, isMet(operation, lane, program)
            else { continue }
            executor.set(lane, .ready)
        }
    }

    /// Whether a program that is to wait can go on at once.
    func begin(_ lane: Int) -> Readiness.State {
        guard let program = executor.programs[lane], let operation = operation(lane, program),
            isMet(operation, lane, program)
        else { return .waiting }
        return .ready
    }

    /// Whether what its document holds now lets a program go on.
    private func isMet(_ operation: Operation, _ lane: Int, _ program: Program<G.Writer>) -> Bool {
        let document = executor.index(of: operation)
        executor.trail.read(.file(document, executor.scenario.actors[lane].side))
        let draft = executor.readable(document, lane, program)?.draft
        return draft?.holds(operation.field ?? "", operation.value) == true
    }

    /// `nil` if it has to wait again, since the field was there only for a moment.
    func awaitField(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result? {
        _ = executor.read(document, lane, &program)
        if let operation = operation(lane, program), isMet(operation, lane, program) { return .done }
        executor.set(lane, .waiting)
        return nil
    }

    /// Judged by what the program has read or saved last.
    func goOn(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result {
        guard let operation = operation(lane, program) else { return .refused }
        program.isOver = program.memory[document]?.draft.holds(operation.field ?? "", operation.value) != true
        return program.isOver ? .refused : .done
    }

    private func operation(_ lane: Int, _ program: Program<G.Writer>) -> Operation? {
        let operations = executor.scenario.actors[lane].operations
        guard program.operation < operations.count else { return nil }
        let operation = operations[program.operation]
        return operation.verb.isCondition ? operation : nil
    }
}
