import Model

/// The way of a content: from its writer to its readers, and from a notice to the read that it caused.
struct Flow: Hashable {
    enum Kind: String {
        case read, reload
        /// From a save to the step that displaced it.
        case blame
    }

    var kind: Kind
    /// Step numbers.
    var from: Int
    var to: Int
}

extension History {
    /// In the order of their target steps; of several reads by one actor, the first.
    var flows: [Flow] {
        var tracker = FlowTracker()
        for (number, step) in steps.enumerated() { tracker.record(number, step, self) }
        return tracker.flows
    }
}

private struct FlowTracker {
    private struct Place: Hashable {
        var document: Int
        var side: Side
    }

    private(set) var flows: [Flow] = []
    /// The step that wrote the current content.
    private var writes: [Place: Int] = [:]
    /// By document: the last notice, and the actors that read after it.
    private var notices: [Int: (step: Int, readers: Set<Int>)] = [:]
    private var seen: Set<Flow> = []

    mutating func record(_ number: Int, _ step: Step, _ history: History) {
        guard let document = step.document else { return }
        switch step.what {
        case .changed: if let side = step.side { writes[Place(document: document, side: side)] = number }
        case .notified: notices[document] = (number, [])
        case .read, .fetched:
            if let side = step.side {
                recordRead(number, step, Place(document: document, side: side), history)
            }
            recordReload(number, step, document, history)
        default: break
        }
    }

    private mutating func recordRead(_ number: Int, _ step: Step, _ place: Place, _ history: History) {
        guard let write = writes[place], history.steps[write].lane != step.lane,
            history.steps[write].version == step.version
        else { return }
        // Uses the lane as a key: later reads by the same actor add nothing.
        guard seen.insert(Flow(kind: .read, from: write, to: step.lane)).inserted else { return }
        flows.append(Flow(kind: .read, from: write, to: number))
    }

    private mutating func recordReload(_ number: Int, _ step: Step, _ document: Int, _ history: History) {
        guard let call = step.call, history.calls[call].name == .operation(.readOnNotice),
            let notice = notices[document], !notice.readers.contains(step.lane)
        else { return }
        notices[document]?.readers.insert(step.lane)
        flows.append(Flow(kind: .reload, from: notice.step, to: number))
    }
}
