import Model

// Operations whose program goes on when, or only if, a document has a field.
extension ScheduleExecutor {
    /// A program that waits for a field blocks: it is woken by the change that brings it, and looks again.
    func wake(for document: Int, _ side: Side) {
        for lane in programs.indices where scenario.actors[lane].side == side {
            guard let program = programs[lane], !program.isDead, !program.isOver,
                let operation = condition(lane, program), operation.verb == .until,
                index(of: operation) == document, isMet(operation, lane, program)
            else { continue }
            set(lane, .ready)
        }
    }

    /// Whether what its document holds now lets a program go on.
    func isMet(_ operation: Operation, _ lane: Int, _ program: Program<G.Writer>) -> Bool {
        let document = index(of: operation)
        trail.read(.file(document, scenario.actors[lane].side))
        return readable(document, lane, program)?.draft.holds(operation.field ?? "", operation.value) == true
    }

    /// `nil` if it has to wait again, since the field was there only for a moment.
    func awaitField(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result? {
        _ = read(document, lane, &program)
        if let operation = condition(lane, program), isMet(operation, lane, program) { return .done }
        set(lane, .waiting)
        return nil
    }

    /// Judged by what the program has read or saved last.
    func goOn(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result {
        guard let operation = condition(lane, program) else { return .refused }
        program.isOver = program.memory[document]?.draft.holds(operation.field ?? "", operation.value) != true
        return program.isOver ? .refused : .done
    }

    private func condition(_ lane: Int, _ program: Program<G.Writer>) -> Operation? {
        let operations = scenario.actors[lane].operations
        guard program.operation < operations.count else { return nil }
        let operation = operations[program.operation]
        return operation.verb.isCondition ? operation : nil
    }
}
