import Reconciliation
import Storage

/// Looking without touching. The engine is a value: a copy of it looks at everything, and is thrown away.
extension Engine {
    /// What a sync would do now. Nothing is written, and this engine learns nothing.
    package func rehearsed() -> (changes: [PlannedChange], rows: [DocumentRow], halt: Halt?) {
        var copy = self
        _ = copy.markAll()
        return (copy.survey(), copy.rows(), copy.halt)
    }

    /// Plans everything that is marked: what is settled is unmarked, what is held is said to be.
    private mutating func survey() -> [PlannedChange] {
        let marked = settler.waiting
        settler = Settler()
        var changes: [PlannedChange] = []
        for path in marked {
            guard case .success((_, let plan)) = planned(path, rehash: false) else { continue }
            if let (side, problem) = plan.problem {
                holds[path] = Hold(side: side, problem: problem, since: .zero, isPending: false)
            } else if plan.change != nil {
                settler.enqueue(path)
            }
            if let change = plan.change { changes.append(change) }
        }
        return changes
    }
}
