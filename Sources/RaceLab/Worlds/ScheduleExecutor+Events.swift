import Documents
import FileSystem
import Model
import StateStore
import SyncEngine

// Observes and records what happened, and informs the actors concerned.
extension ScheduleExecutor {
    var hasPowerCuts: Bool { scenario.actors.contains { $0.operations.contains { $0.verb == .cutPower } } }

    /// The current version of a side.
    @discardableResult
    func look(_ document: Int, _ side: Side) -> Int {
        let version = table.number(of: backend.read(Location(side, scenario.documents[document].path)))
        holding[document][side] = version
        return version
    }

    func record(
        _ what: Step.What,
        _ lane: Int,
        _ document: Int? = nil,
        _ side: Side? = nil,
        version: Int? = nil,
        call: SystemCall? = nil,
        held: Int? = nil,
        wake: Duration? = nil
    ) {
        guard !isQuiet else { return }
        var step = Step(what, lane, clock)
        step.call = recorder.call(of: lane)
        step.document = document
        step.side = side
        step.version = version
        step.systemCall = call
        step.held = held
        step.wake = wake
        add(step)
    }

    /// A reader gets an old state only while all bridges are idle, so that order counts.
    private func add(_ step: Step) {
        if isAgent(step.lane) {
            if rested.has(step.lane) { trail.fence() }
            rested.set(step.lane, step.what == .idle)
        }
        recorder.add(step)
    }

    /// An actor changed a document's name or content.
    func changed(_ document: Int, _ side: Side, _ lane: Int, _ call: SystemCall) {
        let before = holding[document][side]
        let after = look(document, side)
        var step = Step(before == after ? .called : .changed, lane, clock)
        step.call = recorder.call(of: lane)
        step.document = document
        step.side = side
        step.before = before
        step.version = after
        step.systemCall = call
        if isAgent(lane) { trail.write(.document(document)) }
        if !isQuiet { add(step) }
        hint(document, side)
        conditions.wake(for: document, side)
    }

    /// Sends a hint to every watcher.
    func hint(_ document: Int, _ side: Side) {
        for lane in scenario.actors.indices {
            guard let agent = agents[lane] else { continue }
            agent.hints |= 1 << UInt32(document)
            update(agent)
        }
    }

    /// Sends access events to every watcher, in order.
    func report(_ evidence: AccessEvent..., of document: Int, _ side: Side) {
        guard scenario.tracksAccess, !isQuiet else { return }
        trail.add(evidence, of: document, side, isOnly: scenario.documents.count == 1)
        let path = scenario.documents[document].path
        for agent in bridges {
            for one in evidence { agent.words.append(.evidence(one, side, path)) }
        }
    }

    // MARK: End

    /// How many of its operations each actor has begun.
    var begun: [Int] {
        scenario.actors.indices.map { lane in
            (programs[lane]?.operation ?? fates[lane] ?? 0) + (recorder.call(of: lane) == nil ? 0 : 1)
        }
    }

    func history() -> History {
        var history = History()
        let hasOwnEngines = scenario.actors.contains { $0.engine != nil }
        history.lanes = scenario.actors.map { actor in
            History.Lane(
                name: actor.name,
                kind: actor.kind,
                side: actor.side,
                version: actor.version,
                engine: hasOwnEngines && actor.kind == .agent ? scenario.engine(of: actor) : nil
            )
        }
        history.documents = scenario.documents.map(\.path)
        history.start = start
        history.kinds = kinds
        history.widgets = scenario.widgets
        history.isDurable = scenario.settings.durability.syncsDirectories
        history.canExchange = scenario.machine.canExchange && scenario.settings.commit == .exchange
        history.calls = recorder.calls
        history.steps = recorder.steps
        let copies = backend.kept(in: Trash.conflicts).map { table.number(of: $0) }
        history.copies = copies
        var rest = rest()
        rest.kept = Set(copies.flatMap { table[$0].edits })
        // What a bridge has displaced, and could not examine yet, is not lost.
        if rest.unrest != nil { rest.kept.formUnion(backend.editsInContainers) }
        if rest.isMissing(anyOf: recorder.calls, in: table) {
            let trash = backend.kept(in: Trash.directory).map { table.number(of: $0) }
            history.trash = trash
            rest.trashed = Set(trash.flatMap { table[$0].edits })
        }
        history.rest = rest
        history.versions = table.versions
        return history
    }

    private func rest() -> Rest {
        var rest = Rest()
        rest.unrest = unrest
        rest.versions = holding
        rest.taps = widgets.waitingTaps
        rest.waits = programs.indices.compactMap { lane in
            code(lane)?.wait
                ?? programs[lane]?.wait(lane, in: scenario)
        }
        for (number, document) in scenario.documents.enumerated() {
            let bridges = bridges.compactMap(\.bridge)
            let rule = bridges.lazy.compactMap { $0.rule(for: document.path) }.first
            if bridges.contains(where: { $0.isHeld(document.path) }) {
                rest.held.insert(number)
            } else if let reason = whyUnequal(holding[number], table.versions, rule) {
                rest.differences.append(Rest.Difference(document: number, reason: reason))
            }
        }
        return rest
    }
}

extension Rest {
    /// Whether an acknowledged edit is neither in a container nor in a conflict copy.
    fileprivate func isMissing(anyOf calls: [Call], in table: VersionTable) -> Bool {
        calls.contains { call in
            guard call.isAcknowledged, let edit = call.edit, !kept.contains(edit) else { return false }
            return !versions.contains { both in
                table[both.app].edits.contains(edit) || table[both.group].edits.contains(edit)
            }
        }
    }
}
