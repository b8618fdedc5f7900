import Model

/// Checks a history of any layer.
///
/// - Parameter isShown: returns the widget kinds whose display changes; by default one kind, which displays
/// everything.
package func judge(
    _ history: History,
    for kinds: Set<AnomalyKind> = Set(AnomalyKind.allCases),
    isShown: @escaping ShownChange = { _, old, new in old == new ? [] : [""] }
) -> Judgement {
    var checker = Checker(history, isShown)
    checker.run()
    var judgement = checker.judgement
    let deadlocks = DeadlockCheck(history: history, isStrict: kinds == [.deadlock]).anomalies()
    let ofWidgets = WidgetCheck(history, isShown).anomalies
    judgement.anomalies = (checker.judgement.anomalies + deadlocks + ofWidgets).filter {
        kinds.contains($0.kind)
    }
    .sorted { ($0.steps.upperBound, $0.kind, $0.document) < ($1.steps.upperBound, $1.kind, $1.document) }
    return judgement
}

/// Returns the widget kinds whose display of a document changes between two versions.
package typealias ShownChange = (_ document: Int, _ old: Int, _ new: Int) -> [String]

/// The data that the single checks share.
struct Checker {
    let history: History
    let isShown: ShownChange
    /// Edits that a program knowingly overwrote or deleted, with the step.
    private(set) var superseded: [Int: Int] = [:]
    /// The step and the call that acknowledged each edit.
    private(set) var acknowledged: [Int: (step: Int, call: Int)] = [:]
    /// Contents that a program wrote completely.
    private(set) var intended: Set<Int> = []
    /// Contents that were only intermediate states.
    private(set) var halves: Set<Int> = []
    /// Edits that a program left out on purpose in a call without an answer, by the intended version.
    private var unanswered: [Int: Set<Int>] = [:]
    var judgement = Judgement()

    init(_ history: History, _ isShown: @escaping ShownChange) {
        self.history = history
        self.isShown = isShown
        for (number, call) in history.calls.enumerated() { record(number, call) }
        for (number, step) in history.steps.enumerated() where step.what == .changed { record(number, step) }
    }

    private mutating func record(_ number: Int, _ call: Call) {
        guard let version = call.intends else { return }
        intended.insert(version)
        if call.isAcknowledged, let edit = call.edit, let last = call.last {
            acknowledged[edit] = (last, number)
        }
        for one in call.tries {
            unanswered[one.intends, default: []].formUnion(edits(one.basis, but: one.intends))
        }
        // Edits that the program knew and left out, whichever step of the call shows that.
        if call.result == .done {
            for edit in edits(call.basis, but: version) { supersede(edit, at: call.first) }
            // A program's value replaces all values that it set before for the same field, on either side.
            for edit in call.replaces { supersede(edit, at: call.first) }
        } else {
            unanswered[version, default: []].formUnion(edits(call.basis, but: version))
        }
    }

    private func edits(_ basis: Int?, but version: Int) -> [Int] {
        let left = edits(version)
        return edits(basis).filter { !left.contains($0) }
    }

    private mutating func record(_ number: Int, _ step: Step) {
        if let version = step.version, let gone = unanswered[version] {
            for edit in gone { supersede(edit, at: number) }
        }
        guard !history.isAgent(step.lane), let call = step.call.map({ history.calls[$0] }) else { return }
        if let version = step.version, version != call.intends, version != History.absent {
            halves.insert(version)
        }
        // Deleting a document supersedes all edits in it.
        guard call.name == .operation(.delete) else { return }
        for edit in edits(step.before) { supersede(edit, at: number) }
    }

    private mutating func supersede(_ edit: Int, at step: Int) {
        superseded[edit] = min(step, superseded[edit] ?? step)
    }

    func edits(_ version: Int?) -> [Int] { version.map { history.versions[$0].edits } ?? [] }
    func name(_ lane: Int) -> String { history.lanes[lane].label }
    func path(_ document: Int) -> String { history.documents[document].description }

    /// Describes the edit by its author.
    func words(_ edit: Int) -> String {
        guard let found = acknowledged[edit] else { return "an edit" }
        return "\(name(history.calls[found.call].lane))'s edit i\(edit)"
    }

    /// A number for the file that `document` and `side` identify.
    func place(_ document: Int, _ side: Side) -> Int { document * 2 + (side == .app ? 0 : 1) }

    mutating func run() {
        checkReads()
        checkReloads()
        checkLosses()
        checkRest()
    }
}
