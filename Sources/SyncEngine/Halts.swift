package import Reconciliation
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
            if let reason = loss(of: side) {
                halt = Halt(side: side, reason: reason, isUnreachable: true)
                wantsScan = true
                return true
            }
            if let alarm = alarm(of: side) {
                halt = alarm
                return true
            }
        }
        return false
    }

    /// So much is gone from there that it is not believed.
    func alarm(of side: Side) -> Halt? {
        let lost = missing[side].subtracting(allowed).count
        guard isAlarming(lost: lost, of: records.count) else { return nil }
        return Halt(
            side: side,
            reason: lost == records.count
                ? "all \(lost) documents are gone from the \(side.rawValue) container"
                : "\(lost) of \(records.count) documents are gone from the \(side.rawValue) container at once"
        )
    }

    /// Why a container is not the one that was opened. What is missing from it then is no deletion.
    func loss(of side: Side) -> String? {
        let root = Root(side)
        do throws(FileError) {
            let standing = try files.standing(at: root).signature
            let opened = try? files.status(of: Directory(root)).signature
            if standing.device == opened?.device, standing.inode == opened?.inode { return nil }
            return "another directory stands where the \(side.rawValue) container was"
        } catch .noDirectory {
            return "the \(side.rawValue) container is gone"
        } catch {
            return "the \(side.rawValue) container cannot be reached: \(error.what)"
        }
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

    /// What stands for the deletion that is held: for these documents of this side, and no others.
    package var heldDeletion: String? {
        guard let halt, !halt.isUnreachable else { return nil }
        let names = missing[halt.side].subtracting(allowed).sorted().map(\.description)
        return Trash.id(of: Digest(of: Array(([halt.side.rawValue] + names).joined(separator: "\0").utf8)))
    }

    /// A person permits the deletion of that id, and no other.
    package mutating func allow(_ id: String) throws(DecisionFailure) -> AllowedDeletions {
        if halt == nil {
            // Nobody has looked yet, where no agent runs.
            var copy = self
            copy.look()
            (missing, halt) = (copy.missing, copy.halt)
        }
        guard let side = halt?.side, let held = heldDeletion, held == id else { throw .unknown }
        let documents = missing[side].subtracting(allowed).sorted().map(\.description)
        allowDeletions()
        return AllowedDeletions(side: side, documents: documents)
    }
}

/// Documents that a person lets go.
package struct AllowedDeletions: Codable, Sendable, Hashable {
    /// The container they are gone from.
    package var side: Side
    package var documents: [String]

    package init(side: Side, documents: [String]) {
        self.side = side
        self.documents = documents
    }
}
