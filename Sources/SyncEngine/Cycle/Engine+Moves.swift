import Documents
import Model
import Replica
import StateStore

extension Engine {
    /// Which sides a document of the base is gone from.
    @discardableResult
    mutating func noteAbsences(in input: PlanInput) -> [Side] {
        carryOut(lossGuard.note(absencesIn: input, among: records.count))
        return input.record == nil ? [] : Side.allCases.filter { input.isAbsent($0) }
    }

    /// A document that only one side has, and that nobody knows yet, may be one that it had under another
    /// name.
    mutating func noteNewcomer(in input: PlanInput) {
        switch lossGuard.note(newcomerIn: input, among: records.count) {
        case nil: break
        case .moved(let next): carryOut(next)
        case .unexplained(let side, let digest): findOrigin(of: input.document, holding: digest, on: side)
        }
    }

    /// Of a rename the new name may be heard of first. The old one is gone by then: so documents that held
    /// the same are asked for, and it takes no second hint to know a move.
    private mutating func findOrigin(of path: RelativePath, holding digest: Digest, on side: Side) {
        let known = records.documents(
            holding: digest,
            on: side,
            likeliestFor: path,
            limit: Self.mostLikelyOrigins
        )
        for old in known where !lossGuard.isMissing(old, on: side) && isGone(Location(side, old)) {
            lossGuard.lose(old, holding: digest, on: side)
            debounceQueue.enqueue(old)
            return
        }
    }

    /// Of each kind. Where more documents hold the same, a new one costs no more for that.
    private static var mostLikelyOrigins: Int { 8 }

    /// Asked for without opening it, as long as it is there.
    private func isGone(_ document: Location) -> Bool {
        if (try? status(of: document)) != nil { return false }
        guard let side = document.side else { return false }
        if case .absent = look(side, document.path, rehash: false, record: records[document.path]) {
            return true
        }
        return false
    }

    /// Where a missing document is now, if that is still to be carried over.
    mutating func isMoving(_ old: RelativePath, at now: Duration) -> Bool {
        for side in Side.allCases {
            guard let new = lossGuard.target(of: old, on: side), records[new] == nil, holds[new] == nil
            else { continue }
            debounceQueue.enqueue(new)
            debounceQueue.schedule(old, at: now + DebounceQueue.together)
            return true
        }
        return false
    }

    /// The jobs of a document that was moved: none of them while it is not sure yet that it is gone from
    /// where it was. `nil` where it is a document like any other.
    mutating func jobs(ofMoved input: PlanInput, at now: Moment, _ turn: inout Turn) -> [PendingCommit]? {
        for side in Side.allCases {
            guard let old = lossGuard.origin(of: input.document, on: side), input.record == nil else {
                continue
            }
            guard let record = records[old], isCarriedByName(old, input) else {
                lossGuard.copy(input.document, on: side)
                continue
            }
            guard debounceQueue.disappearanceLasted(old, at: now.uptime) else {
                // Its old name sends for it sooner, once that is sure to be gone.
                debounceQueue.schedule(input.document, at: now.uptime + DebounceQueue.patience)
                return []
            }
            let base: BaseContent?
            do throws(BaseFailure) { base = try self.base(of: old) } catch {
                postpone(old, error, at: now, &turn)
                return []
            }
            if let base, rename(old, to: input.document, on: side.other) {
                return jobs(from: old, to: input.document, side, record, base)
            }
            lossGuard.copy(input.document, on: side)
        }
        return nil
    }

    /// A name may say what a document is, and which version of it is kept where.
    private func isCarriedByName(_ old: RelativePath, _ input: PlanInput) -> Bool {
        input.rule.versionNumbers.isEmpty && rule(for: old).versionNumbers.isEmpty
    }

    /// Only what both sides agreed on: an edit there, or what a program is writing, is carried as such.
    private mutating func rename(_ old: RelativePath, to new: RelativePath, on side: Side) -> Bool {
        let (from, to) = (Location(side, old), Location(side, new))
        guard case .unchanged = look(side, old, rehash: false, record: records[old]) else { return false }
        do throws(FileError) {
            try replicas[side].makeDirectories(above: new)
            try replicas[side].move(old, to: new)
        } catch {
            discards.noteEmptied(to)
            return false
        }
        containers.noteRenamed(from)
        containers.noteRenamed(to)
        discards.noteEmptied(from)
        for place in Side.allCases.map({ Location($0, old) }) { writers.accessLog.noteMoved(from: place) }
        return true
    }

    /// Nothing is left to be written. How the files look is found out in the next turn.
    private mutating func jobs(
        from old: RelativePath,
        to new: RelativePath,
        _ side: Side,
        _ record: DocumentRecord,
        _ base: BaseContent
    ) -> [PendingCommit] {
        func input(_ path: RelativePath, _ record: DocumentRecord?) -> PlanInput {
            PlanInput(
                document: path,
                rule: rule(for: path),
                record: record,
                observed: BothSides(app: .absent, group: .absent),
                pinned: rules.pinnedVersions(of: path),
                limits: limits
            )
        }
        func change(
            _ path: RelativePath,
            _ action: PlannedChange.Action,
            _ reason: ChangeReason
        ) -> PlannedChange {
            PlannedChange(document: path.description, action: action, from: side, reason)
        }
        let cause: Cause = side == .app ? .app : .group
        let leaving = change(old, .delete, .movedTo(new, in: side))
        let gone = Plan(change: leaving, agreement: .absent, cause: cause)
        let agreed = Plan.Agreed(content: base, versions: record.sides.map { $0.version })
        let come = Plan(
            change: change(new, .create, .movedFrom(old, in: side)),
            agreement: .content(agreed),
            cause: cause
        )
        debounceQueue.enqueue(new)
        var arrival = PendingCommit(path: new, input: input(new, nil), plan: come)
        arrival.origin = old
        return [PendingCommit(path: old, input: input(old, record), plan: gone), arrival]
    }
}
