import Model

// The operations of programs, step by step.
extension ScheduleExecutor {
    func advanceProgram(_ lane: Int) {
        if let code = code(lane) { return code.advance() }
        guard var program = programs[lane] else { return }
        if program.isDead {
            relaunch(lane, &program)
            programs[lane] = program
            return setOff(lane)
        }
        let actor = scenario.actors[lane]
        let operation = actor.operations[program.operation]
        let document = index(of: operation)
        if program.phase == 0, recorder.call(of: lane) == nil {
            begin(operation, document, lane, program)
        }
        trail.add(operation.verb, phase: program.phase, of: document, on: actor.side, isAtRest: rested != 0)
        let result = take(operation.verb, document, lane, &program)
        if let result {
            recorder.end(lane, result, at: clock)
            program.operation += 1
            program.phase = 0
        }
        programs[lane] = program
        if result != nil { setOff(lane) }
    }

    private func begin(_ operation: Operation, _ document: Int, _ lane: Int, _ program: Program<G.Writer>) {
        var call = Call(
            lane: lane,
            name: .operation(operation.verb),
            document: operation.verb.needsDocument ? document : nil,
            side: scenario.actors[lane].side,
            first: recorder.steps.count,
            began: clock
        )
        if operation.verb.isWrite { call.basis = program.memory[document]?.version ?? History.absent }
        if operation.verb.setsField {
            call.edit = Edit.number(lane, program.operation)
            call.isNewestOnly = operation.field == TestDocument.newestOnly
        }
        recorder.begin(call)
    }

    /// One step; returns the result of the operation if it was the last.
    private func take(
        _ verb: Operation.Verb,
        _ document: Int,
        _ lane: Int,
        _ program: inout Program<G.Writer>
    ) -> Call.Result? {
        switch verb {
        case .write, .writeFromMemory, .migrate:
            if verb == .migrate { program.version = operation(lane, program).version }
            if verb != .writeFromMemory { recall(document, lane, &program) }
            compose(document, lane, &program)
            return rename(document, lane, &program)
        case .truncateAndWrite, .writeInPlace:
            return writeSlowly(document, lane, &program, truncates: verb == .truncateAndWrite)
        case .readModifyWrite:
            if program.phase == 0 { return readBeforeWriting(document, lane, &program) }
            return rename(document, lane, &program)
        case .unlinkAndWrite:
            if program.phase == 0 { return unlink(document, lane, &program) }
            return rename(document, lane, &program)
        case .edit: return put(document, lane, &program)
        case .read: return read(document, lane, &program) ? .done : .refused
        case .readOnNotice:
            program.inbox &= ~(1 << UInt32(document))
            return read(document, lane, &program) ? .done : .refused
        case .until: return conditions.awaitField(document, lane, &program)
        case .ifHolds: return conditions.goOn(document, lane, &program)
        case .subscribe: return subscribe(document, lane, &program)
        case .delete:
            program.memory[document] = nil
            return delete(document, lane) ? .done : .refused
        case .wait:
            record(.waited, lane)
            return .done
        case .tap: return widgets.tap(lane, program)
        case .takeTaps: return widgets.takeTaps(lane, &program)
        case .anything, .crash, .cutPower, .putClockBack: return .done
        }
    }

    func subscribe(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result {
        program.subscribed |= 1 << UInt32(document)
        record(.subscribed, lane, document, .group, version: current(document))
        return .done
    }

    private func operation(_ lane: Int, _ program: Program<G.Writer>) -> Operation {
        scenario.actors[lane].operations[program.operation]
    }

    // MARK: Reading

    /// The current content, as the program parses it.
    func readable(_ document: Int, _ lane: Int, _ program: Program<G.Writer>) -> Program<G.Writer>.Memory? {
        let version = look(document, scenario.actors[lane].side)
        guard version != History.absent,
            let draft = Draft(
                table[version].bytes,
                version: program.version,
                rule: rules[document],
                isText: scenario.documents[document].holds != nil
            )
        else { return nil }
        return Program.Memory(version: version, draft: draft)
    }

    /// `false` if the document is absent, or the program cannot parse it.
    func read(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Bool {
        let side = scenario.actors[lane].side
        record(.read, lane, document, side, version: look(document, side), call: .read)
        return takeIn(document, lane, &program)
    }

    /// Reads the current content within the current step.
    private func recall(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) {
        _ = takeIn(document, lane, &program)
        recorder.change(lane) { $0.basis = program.memory[document]?.version ?? History.absent }
    }

    /// Content that it cannot parse leaves its memory unchanged; `false` if nothing is new.
    private func takeIn(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Bool {
        let memory = readable(document, lane, program)
        let side = scenario.actors[lane].side
        let isGone = holding[document][side] == History.absent
        if !isGone, scenario.tracksAccess { report(.opened, .read, of: document, side) }
        if memory != nil || isGone { program.memory[document] = memory }
        return memory != nil
    }

    private func readBeforeWriting(
        _ document: Int,
        _ lane: Int,
        _ program: inout Program<G.Writer>
    ) -> Call.Result? {
        let isRead = read(document, lane, &program)
        guard isRead || holding[document][scenario.actors[lane].side] == History.absent else {
            return .refused
        }
        recorder.change(lane) { $0.basis = program.memory[document]?.version ?? History.absent }
        compose(document, lane, &program)
        program.phase = 1
        return nil
    }

    // MARK: Writing

    /// The content to save: its memory with its edit. None if its memory has no place for a field: then the
    /// save is refused, as an edit that is in no content would count as lost.
    private func compose(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) {
        let operation = operation(lane, program)
        var draft =
            program.memory[document]?.draft ?? scenario.fresh(document, program.version, rules[document])
        let fields = operation.fields(of: scenario.documents[document], lane)
        let edit = Edit.number(lane, program.operation)
        guard fields.allSatisfy({ draft.set($0, to: edit) }) else {
            program.next = nil
            return
        }
        program.next = Program.Memory(version: table.number(of: draft.bytes), draft: draft)
        let replaced = program.replaced(by: edit, of: fields, in: document, draft, rules[document])
        recorder.change(lane) { ($0.intends, $0.replaces) = (program.next?.version, replaced) }
    }

    /// The initial content of a document.
    func initial(_ document: ScenarioDocument) -> [UInt8] {
        if let holds = document.holds { return Array(holds.utf8) }
        let number = scenario.documents.firstIndex(of: document) ?? 0
        return scenario.blank(number, scenario.actors.first { $0.isProgram }?.version).bytes(.tight)
    }

    private func rename(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result {
        guard let next = program.next else { return .refused }
        let place = place(document, lane)
        backend.save(place, table[next.version].bytes)
        report(.saved, of: document, scenario.actors[lane].side)
        saved(document, lane, &program, by: .rename)
        return .done
    }

    private func saved(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>, by call: SystemCall)
    {
        if hasPowerCuts { backend.sync(place(document, lane)) }
        program.memory[document] = program.next
        program.next = nil
        changed(document, scenario.actors[lane].side, lane, call)
    }

    private func openForWriting(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) {
        let side = scenario.actors[lane].side
        recall(document, lane, &program)
        compose(document, lane, &program)
        if program.next == nil { return }
        if holding[document][side] == History.absent { report(.saved, of: document, side) }
        program.writer = backend.open(place(document, lane))
        report(.opened, of: document, side)
    }

    private func writeSlowly(
        _ document: Int,
        _ lane: Int,
        _ program: inout Program<G.Writer>,
        truncates: Bool
    ) -> Call.Result? {
        let side = scenario.actors[lane].side
        if program.phase == 0 {
            openForWriting(document, lane, &program)
            if truncates { program.writer?.truncate() }
        }
        guard let writer = program.writer, let next = program.next else { return .refused }
        let bytes = table[next.version].bytes
        let phase = program.phase + (truncates ? 0 : 1)
        // Writes to a displaced file cause events under another name.
        if backend.isHeld(place(document, lane), by: writer) {
            report(phase < 3 ? .written : .closed, of: document, side)
        }
        switch phase {
        case 0: changed(document, side, lane, .open)
        case 1:
            writer.write(Array(bytes[..<(bytes.count / 2)]))
            changed(document, side, lane, .write)
        case 2:
            writer.write(Array(bytes[(bytes.count / 2)...]))
            saved(document, lane, &program, by: .write)
            program.next = next
        default:
            writer.close()
            record(.called, lane, document, side, call: .close)
            hint(document, side)
            program.writer = nil
            program.next = nil
            return .done
        }
        program.phase += 1
        return nil
    }

    /// The first step of two.
    private func unlink(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result? {
        recall(document, lane, &program)
        compose(document, lane, &program)
        if program.next == nil { return .refused }
        _ = delete(document, lane)
        program.phase = 1
        return nil
    }

    private func delete(_ document: Int, _ lane: Int) -> Bool {
        let isDone = backend.delete(place(document, lane))
        if isDone { report(.gone, of: document, scenario.actors[lane].side) }
        if isDone, hasPowerCuts { backend.sync(place(document, lane)) }
        changed(document, scenario.actors[lane].side, lane, .remove)
        return isDone
    }

    func place(_ document: Int, _ lane: Int) -> Location {
        Location(scenario.actors[lane].side, scenario.documents[document].path)
    }

    // MARK: Put

    /// Reads and puts through the bridge, with the hash that was read; repeats if that is refused.
    private func put(_ document: Int, _ lane: Int, _ program: inout Program<G.Writer>) -> Call.Result? {
        guard program.phase > 0 else {
            recorder.change(lane) { call in
                guard let basis = call.basis, let intends = call.intends else { return }
                call.tries.append(Call.Try(basis: basis, intends: intends))
            }
            _ = readBeforeWriting(document, lane, &program)
            program.expected = program.memory[document]?.version ?? History.absent
            program.phase = 1
            return nil
        }
        guard let next = program.next,
            let agent = bridges.first
        else { return .refused }
        agent.requests.append(
            PutRequest(
                lane: lane,
                process: program.kills,
                document: document,
                version: next.version,
                expected: program.expected ?? 0
            )
        )
        set(lane, .waiting)
        update(agent)
        return nil
    }

    /// The bridge answered the put.
    func answered(_ request: PutRequest, isDone: Bool) {
        let lane = request.lane
        if let code = code(lane) { return code.answered(isDone: isDone) }
        guard var program = programs[lane], program.kills == request.process else { return }
        if isDone {
            program.memory[request.document] = program.next
            program.next = nil
            recorder.end(lane, .done, at: clock)
            program.operation += 1
        }
        program.phase = 0
        programs[lane] = program
        if isDone { setOff(lane) } else { set(lane, .ready) }
    }
}

/// A program's request to the bridge.
struct PutRequest {
    var lane: Int
    /// Which of the program's processes, by how many were killed before it.
    var process: Int
    var document: Int
    var version: Int
    var expected: Int
}
