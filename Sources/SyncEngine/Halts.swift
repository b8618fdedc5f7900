import Reconciliation
import Storage

/// When a disappearance is too large to be believed.
extension Engine {
    /// Notes which sides a document of the base is gone from, and whether that lifts a halt.
    mutating func note(absencesIn study: Study) -> [Side] {
        guard study.record != nil else {
            for side in Side.allCases { missing[side].remove(study.document) }
            return []
        }
        for side in Side.allCases {
            if study.isAbsent(side), !study.isAbsent(side.other) {
                missing[side].insert(study.document)
            } else if missing[side].remove(study.document) != nil {
                reconsiderHalt(of: side)
            }
        }
        return Side.allCases.filter { study.isAbsent($0) }
    }

    /// A halted bridge carries nothing. `path`: a document about to be deleted, which may be the one too
    /// many.
    mutating func isHalted(deleting path: RelativePath?) -> Bool {
        if halt != nil { return true }
        guard path != nil else { return false }
        for side in Side.allCases {
            let lost = missing[side].subtracting(allowed).count
            guard isAlarming(lost: lost, of: records.count) else { continue }
            halt = Halt(
                side: side,
                reason: lost == records.count
                    ? "all \(lost) documents are gone from the \(side.rawValue) container"
                    : "\(lost) of \(records.count) documents are gone from the \(side.rawValue) container at once"
            )
            return true
        }
        return false
    }

    /// The documents are back, or a person has let them go.
    private mutating func reconsiderHalt(of side: Side) {
        guard halt?.side == side else { return }
        guard !isAlarming(lost: missing[side].subtracting(allowed).count, of: records.count) else { return }
        halt = nil
        wantsScan = true
    }

    /// A person permits what is missing now to be deleted.
    package mutating func allowDeletions() {
        guard let side = halt?.side else { return }
        allowed.formUnion(missing[side])
        reconsiderHalt(of: side)
    }
}
