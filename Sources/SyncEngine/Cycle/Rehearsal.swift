import Model
import Replica
import StateStore

/// Dry runs. The engine is a value type: a copy reads everything, and is discarded.
extension Engine {
    /// The steps that a sync would take now. Nothing is written, and this engine does not change.
    package func rehearsed() -> Rehearsal {
        var copy = self
        copy.openDocuments.waitsForWriters = false
        let changes = copy.look()
        let known = copy.known()
        return Rehearsal(changes: changes, rows: known.rows, halt: copy.halt, permit: copy.permit)
    }

    /// Why a sync would halt now. If all names exist, it reads only these.
    package func foreseenHalt() -> Halt? {
        var copy = self
        _ = copy.markAll()
        copy.lossGuard.foresee(among: copy.records.count)
        if copy.halt == nil { return nil }
        return rehearsed().halt
    }

    /// The known state. It reads only files that were replaced, and may have been saved in since.
    package func known() -> Rehearsal {
        var copy = self
        copy.writers.displacedFiles.rememberSaves(save)
        return Rehearsal(changes: [], rows: copy.rows(), halt: halt, permit: permit)
    }

    @discardableResult
    mutating func look() -> [PlannedChange] {
        for (place, name) in markAll() {
            writers.displacedFiles.add(place, name, of: document(of: name, in: place.path.directory))
        }
        containers.readMarks()
        return survey()
    }

    /// Plans everything that is marked dirty: documents in sync are unmarked, held ones reported.
    private mutating func survey() -> [PlannedChange] {
        let marked = debounceQueue.waiting
        debounceQueue = DebounceQueue()
        var (changes, isLosing) = ([PlannedChange](), false)
        for path in marked {
            composeOverOther(path)
            let (input, plan): (PlanInput, Plan)
            switch planned(path, rehash: false) {
            case .success(let found): (input, plan) = found
            case .failure(.journal(let error)):
                holds.hold(path, .app, .unreadableBase(error))
                continue
            case .failure(.lost):
                debounceQueue.enqueue(path)
                continue
            }
            if !ViewPublisher.forgotten(in: input, in: replicas).isEmpty { continue }
            if let (side, problem) = plan.problem {
                holds.hold(path, side, problem)
                carryOut(lossGuard.suspend(absencesIn: input, heldOn: side, among: records.count, at: .zero))
            } else {
                if !recordAbsences(in: input, at: .zero).isEmpty { isLosing = true }
                recordNewDocument(in: input)
                if plan.change != nil { debounceQueue.enqueue(path) }
                foreseeViews(of: input, plan)
            }
            if let change = plan.change { changes.append(change.located(in: replicas)) }
        }
        // Only a deletion halts: what is held is not deleted.
        if isLosing { lossGuard.foresee(among: records.count) }
        return changes
    }
}

/// The result of a dry run.
package struct Rehearsal: Sendable {
    package var changes: [PlannedChange]
    package var rows: [DocumentRow]
    package var halt: Halt?
    package var permit: String?
}
