import Documents
import Model
import Replica
import StateStore

extension Engine {
    /// Records on which sides a document of the base is missing.
    @discardableResult
    mutating func recordAbsences(in input: PlanInput, at now: Duration) -> [Side] {
        carryOut(lossGuard.record(absencesIn: input, among: records.count, at: now))
        return input.record == nil ? [] : Side.allCases.filter { input.isAbsent($0) }
    }

    /// A new document on one side only may be a renamed one.
    mutating func recordNewDocument(in input: PlanInput) {
        switch lossGuard.record(newDocumentIn: input, among: records.count) {
        case nil: break
        case .moved(let next): carryOut(next)
        case .unexplained(let side, let digest): findOrigin(of: input.document, holding: digest, on: side)
        }
    }

    /// The hint for the new name may arrive first. The old file is gone by then, so documents with the same
    /// content are checked, and a rename needs no second hint.
    private mutating func findOrigin(of path: RelativePath, holding digest: Digest, on side: Side) {
        let limit = Self.mostLikelyOrigins
        // A document that is renamed again before that is synced has the name in between as its new one.
        let passed = lossGuard.targets(holding: digest, on: side, likeliestFor: path, limit: limit)
        if let gone = passed.first(where: { isGone(Location(side, $0)) }) {
            return lossGuard.forget(newDocument: gone, on: side)
        }
        let known = records.documents(holding: digest, on: side, likeliestFor: path, limit: limit)
        for old in known where !lossGuard.isMissing(old, on: side) && isGone(Location(side, old)) {
            lossGuard.lose(old, holding: digest, on: side)
            debounceQueue.enqueue(old)
            return
        }
    }

    /// Of each kind. This bounds the cost if many documents have the same content.
    private static var mostLikelyOrigins: Int { 8 }

    /// Checked without opening an existing file.
    func isGone(_ document: Location) -> Bool {
        if (try? status(of: document)) != nil { return false }
        guard let side = document.side else { return false }
        if case .absent = look(side, document.path, rehash: false, record: records[document.path]) {
            return true
        }
        return false
    }

    /// Whether the rename of a missing document is still to be synced.
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

    /// The commits for a renamed document: none while it is not certain that its old name is gone. `nil` for
    /// any other document.
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
                // Its old name makes it due earlier, once that is certainly gone.
                debounceQueue.schedule(input.document, at: now.uptime + DebounceQueue.patience)
                return []
            }
            let base: BaseContent?
            do throws(BaseFailure) { base = try self.base(of: old) } catch {
                postpone(old, error, at: now, &turn)
                return []
            }
            if let base, isUnchanged(old, on: side.other) {
                return jobs(from: old, to: input.document, side, record, base)
            }
            lossGuard.copy(input.document, on: side)
        }
        return nil
    }

    /// Whether the new name has the same rule: the rule depends on the name, and decides about versions and
    /// views, and about the side that may be changed.
    private func isCarriedByName(_ old: RelativePath, _ input: PlanInput) -> Bool {
        [old, input.document].allSatisfy { path in
            rule(for: path).versionNumbers.isEmpty && rules.source(of: path) == nil
        }
    }

    /// An edit, or a file that a program is writing, is synced separately.
    private func isUnchanged(_ old: RelativePath, on side: Side) -> Bool {
        if case .unchanged = look(side, old, rehash: false, record: records[old]) { true } else { false }
    }

    /// Renames a document on one side, as it is on the other. If that fails, it is copied there.
    mutating func rename(_ job: inout PendingCommit) {
        guard let side = job.renamed, let old = job.origin else { return }
        let (from, to) = (Location(side, old), Location(side, job.path))
        do throws(FileError) {
            guard isUnchanged(old, on: side) else { throw .missing(from) }
            try replicas[side].makeDirectories(above: job.path)
            try replicas[side].move(old, to: job.path)
        } catch {
            lossGuard.copy(job.path, on: side.other)
            job.isRaced = true
            return
        }
        job.published.insert(side)
        containers.recordRename(from)
        containers.recordRename(to)
        discards.addEmptied(from)
        for place in Side.allCases.map({ Location($0, old) }) { writers.readerLog.recordMove(from: place) }
    }

    /// The next turn reads the signatures.
    mutating func jobs(
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
        (arrival.origin, arrival.renamed) = (old, side.other)
        return [PendingCommit(path: old, input: input(old, record), plan: gone), arrival]
    }
}

extension [PendingCommit] {
    /// The old name is gone only if the new one has come.
    mutating func keepNamesOfUnmoved() {
        // By index, as a commit is large to copy.
        for index in indices where self[index].origin != nil && !self[index].isAchieved {
            guard let old = indices.first(where: { self[$0].path == self[index].origin }) else { continue }
            self[old].isRaced = true
        }
    }
}
