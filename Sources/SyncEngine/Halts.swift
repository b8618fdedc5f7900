package import Reconciliation
import Storage

/// When a disappearance is too large to be believed.
extension Engine {
    /// Notes which sides a document of the base is gone from, and whether that lifts a halt.
    mutating func note(absencesIn input: PlanInput) -> [Side] {
        let path = input.document
        guard let record = input.record else {
            for side in Side.allCases { _ = absences[side].end(absenceOf: path) }
            return []
        }
        for side in Side.allCases {
            if input.isAbsent(side), !input.isAbsent(side.other) {
                absences[side].lose(path, record.sides[side].digest)
            } else {
                end(absenceOf: path, on: side)
            }
        }
        return Side.allCases.filter { input.isAbsent($0) }
    }

    /// It was moved no more than it was lost: what waited for that to be sure goes its own way.
    private mutating func end(absenceOf path: RelativePath, on side: Side) {
        let target = absences[side].target(of: path)
        guard absences[side].end(absenceOf: path) else { return }
        if let target { debounceQueue.enqueue(target) }
        forgetArrivals()
        reconsiderHalt(of: side)
    }

    /// What is held is neither deleted nor moved.
    mutating func suspend(absencesIn input: PlanInput) {
        let path = input.document
        for side in Side.allCases {
            let target = absences[side].target(of: path)
            let wasMissing =
                input.isAbsent(side)
                ? absences[side].suspend(absenceOf: path) : absences[side].end(absenceOf: path)
            absences[side].forget(newcomer: path)
            if let target { debounceQueue.enqueue(target) }
            if wasMissing { reconsiderHalt(of: side) }
        }
    }

    /// At once, from a look at everything: all that is gone is known before anything crosses. `found`: the
    /// documents of each side.
    mutating func note(absencesBeside found: BothSides<Set<RelativePath>>) {
        let gone = records.keys.filter { found.app.contains($0) != found.group.contains($0) }
        for path in gone.sorted() {
            let side: Side = found.app.contains(path) ? .group : .app
            let isUnlisted = unlisted.keys.contains { $0.side == side && path.isInside($0.path) }
            guard !isUnlisted, let record = records[path] else { continue }
            absences[side].lose(path, record.sides[side].digest)
        }
        forgetArrivals()
    }

    /// So much is gone that it may not be believed once it has lasted. Until that is told nothing else
    /// crosses either, for a while.
    mutating func isAlarmed(at now: Moment) -> Bool {
        guard Side.allCases.contains(where: { alarm(of: $0) != nil }) else {
            alarmed = nil
            return false
        }
        let since = alarmed ?? now.uptime
        alarmed = since
        return now.uptime < since + DebounceQueue.patience
    }

    /// A halted bridge carries nothing. `path`: a document about to be deleted, which may be the one too
    /// many.
    mutating func isHalted(deleting path: RelativePath?) -> Bool {
        if halt != nil { return true }
        guard path != nil else { return false }
        for side in Side.allCases {
            if let loss = loss(of: side) {
                halt = loss
                wantsScan = true
                return true
            }
            if let alarm = alarm(of: side) {
                halt = alarm
                rememberDeletions()
                return true
            }
        }
        return false
    }

    /// Until somebody looks again: what differs is pending, and what was held is mended.
    mutating func keepBack(_ path: RelativePath, _ plan: Plan) {
        holds.release(path)
        if case .same = plan.agreement { heldBack.remove(path) } else { heldBack.insert(path) }
    }

    /// So much is gone from there that it is not believed.
    func alarm(of side: Side) -> Halt? {
        let least = settings.guardsLastDocument ? 1 : 2
        let lost = absences[side].lostCount
        let known = max(lost, records.count - arrivals)
        guard isMassDeletion(lost: lost, of: known, all: least) else {
            return alarm(ofDeletionOn: side, lost, of: known)
        }
        return Halt(side: side, reason: lost == known ? .lostAll(lost) : .lost(lost, of: known))
    }

    /// What comes while others are missing makes no smaller part of them of what is missing. The journal
    /// knows of it, so that the next run comes to the same end.
    mutating func note(arrivalOf job: PendingCommit) {
        let isMissing = Side.allCases.contains { !absences[$0].isEmpty }
        let isMoved = job.origin != nil || Side.allCases.contains { absences[$0].wasMoved(job.path) }
        guard isMissing, !isMoved else { return }
        arrivals += 1
        noteLossCounts()
    }

    /// Nothing is missing any more: all that is known counts again.
    mutating func forgetArrivals() {
        guard arrivals > 0, absences.app.isEmpty, absences.group.isEmpty else { return }
        arrivals = 0
        noteLossCounts()
    }

    /// The documents are back, or a person has let them go.
    mutating func reconsiderHalt(of side: Side) {
        guard halt?.side == side else { return }
        if let alarm = alarm(of: side) {
            if halt?.isUnreachable != true { halt = alarm }
            return
        }
        halt = nil
        deletions[side] = RecentDeletions()
        wantsScan = true
    }

    /// A person permits what is lost now to be deleted. What was only moved is still to be carried as that.
    package mutating func allowDeletions() {
        guard let side = halt?.side else { return }
        absences[side].allowLosses()
        deletions[side] = RecentDeletions()
        forgetArrivals()
        reconsiderHalt(of: side)
    }

    /// What stands for what a person can permit: that these documents of this side are deleted, and no
    /// others; or that this directory is the container from now on.
    package var permit: String? {
        guard let halt else { return nil }
        var words = [halt.side.rawValue]
        if let stranger = halt.stranger {
            words += ["is", stranger]
        } else {
            if halt.isUnreachable { return nil }
            words += absences[halt.side].lost.map(\.description)
        }
        return Trash.id(of: Digest(of: Array(words.joined(separator: "\0").utf8)))
    }

    /// A person permits what has that id, and nothing else.
    package mutating func allow(_ id: String) throws(DecisionFailure) -> Allowed {
        if halt == nil {
            // Nobody has looked yet, where no agent runs.
            var copy = self
            copy.look()
            (absences, halt) = (copy.absences, copy.halt)
        }
        guard let halt, permit == id else { throw .unknown }
        let side = halt.side
        if halt.stranger != nil {
            guard loss(of: side) == halt else { throw .unknown }
            try takeStranger(on: side)
            return Allowed(side: side, documents: [], takesContainer: true)
        }
        let documents = absences[side].lost.map(\.description)
        allowDeletions()
        return Allowed(side: side, documents: documents)
    }
}

/// What a person lets happen.
package struct Allowed: Codable, Sendable, Hashable {
    package var side: Side
    /// They are gone from that container, and may go from the other.
    package var documents: [String]
    /// The directory that stands at its path is the container from now on.
    package var takesContainer: Bool

    package init(side: Side, documents: [String], takesContainer: Bool = false) {
        self.side = side
        self.documents = documents
        self.takesContainer = takesContainer
    }
}
