package import Reconciliation
import Storage

/// When a disappearance is too large to be believed.
extension Engine {
    /// Notes which sides a document of the base is gone from, and whether that lifts a halt.
    mutating func note(absencesIn study: Study, at now: Duration) -> [Side] {
        guard study.record != nil else {
            for side in Side.allCases { missing[side].remove(study.document) }
            return []
        }
        for side in Side.allCases {
            if study.isAbsent(side), !study.isAbsent(side.other) {
                note(missing: study.document, on: side)
                moves[side].disappeared(study.document, study.record?.sides[side].digest, at: now) {
                    [records] in records[$0] != nil
                }
            } else if missing[side].remove(study.document) != nil {
                moves[side].forget(study.document)
                reconsiderHalt(of: side)
            }
        }
        return Side.allCases.filter { study.isAbsent($0) }
    }

    /// What a person has let go is not counted again: with each of many deletions, that would take long.
    private mutating func note(missing path: RelativePath, on side: Side) {
        if !allowed.contains(path) { missing[side].insert(path) }
    }

    /// What is held is not deleted.
    mutating func forget(absencesOf path: RelativePath) {
        for side in Side.allCases where missing[side].remove(path) != nil { reconsiderHalt(of: side) }
    }

    mutating func forget(movesOf path: RelativePath) {
        for side in Side.allCases { moves[side].forget(path) }
    }

    /// At once, from a look at everything: all that is gone is known before anything crosses. `found`: the
    /// documents of each side.
    mutating func note(absencesBeside found: BothSides<Set<RelativePath>>) {
        for path in records.keys where found.app.contains(path) != found.group.contains(path) {
            let side: Side = found.app.contains(path) ? .group : .app
            let isUnlisted = unlisted.keys.contains { $0.side == side && path.isInside($0.path) }
            if !isUnlisted { note(missing: path, on: side) }
        }
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
        return now.uptime < since + Settler.patience
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
                return true
            }
        }
        return false
    }

    /// So much is gone from there that it is not believed.
    func alarm(of side: Side) -> Halt? {
        let least = settings.guardsLastDocument ? 1 : 2
        guard isAlarming(lost: missing[side].count, of: records.count, all: least) else { return nil }
        let lost = lost(on: side).count
        guard isAlarming(lost: lost, of: records.count, all: least) else { return nil }
        let place = "gone from the \(side.rawValue) container"
        let all = lost == 1 ? "the last document is \(place)" : "all \(lost) documents are \(place)"
        let some = "\(lost) of \(records.count) documents are \(place) at once"
        return Halt(side: side, reason: lost == records.count ? all : some)
    }

    /// Gone, and neither there under another name nor permitted to go.
    func lost(on side: Side) -> Set<RelativePath> { missing[side].subtracting(moves[side].moved) }

    /// The documents are back, or a person has let them go.
    mutating func reconsiderHalt(of side: Side) {
        guard halt?.side == side else { return }
        if let alarm = alarm(of: side) {
            if halt?.isUnreachable != true { halt = alarm }
            return
        }
        halt = nil
        wantsScan = true
    }

    /// A person permits what is lost now to be deleted. What was only moved is still to be carried as that.
    package mutating func allowDeletions() {
        guard let side = halt?.side else { return }
        allowed.formUnion(lost(on: side))
        for side in Side.allCases { missing[side].subtract(allowed) }
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
            words += lost(on: halt.side).sorted().map(\.description)
        }
        return Trash.id(of: Digest(of: Array(words.joined(separator: "\0").utf8)))
    }

    /// A person permits what has that id, and nothing else.
    package mutating func allow(_ id: String) throws(DecisionFailure) -> Allowed {
        if halt == nil {
            // Nobody has looked yet, where no agent runs.
            var copy = self
            copy.look()
            (missing, moves, halt) = (copy.missing, copy.moves, copy.halt)
        }
        guard let halt, permit == id else { throw .unknown }
        let side = halt.side
        if halt.stranger != nil {
            guard loss(of: side) == halt else { throw .unknown }
            try takeStranger(on: side)
            return Allowed(side: side, documents: [], takesContainer: true)
        }
        let documents = lost(on: side).sorted().map(\.description)
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
