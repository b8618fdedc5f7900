package import Model
import StateStore

/// Decides whether what has disappeared is believed to be deleted, and halts the bridge where it is not.
///
/// Owns the halt, what the halt holds back, and all that a loss is judged by: the documents that each side
/// no longer has, how many of them were deleted a moment ago, and how many came meanwhile. It touches neither
/// the disk nor the journal. `among` is how many documents are known.
package struct LossGuard: Sendable {
    /// Why nothing at all is carried.
    package private(set) var halt: Halt? { didSet { if halt == nil { heldBack = [] } } }
    /// What would cross if it were not for the halt.
    package private(set) var heldBack: Set<RelativePath> = []
    /// Documents of the base that a side no longer has, or has under another name.
    private var absences = BothSides(app: Absences(), group: Absences())
    /// What has crossed of a deletion that may still go on.
    private var deletions: BothSides<RecentDeletions>
    /// The journal tells of them.
    private var remembersDeletions: Bool
    /// How many documents came while others were missing.
    private var arrivals: Int
    /// Since when so much is missing that the bridge may have to halt.
    private var alarmed: Duration?
    private let threshold: LossThreshold

    /// `counts`: as the run before this one has left them.
    package init(_ counts: LossCounts = LossCounts(text: ""), _ threshold: LossThreshold = LossThreshold()) {
        arrivals = counts.arrivals
        deletions = counts.deletions.map { RecentDeletions(restored: $0) }
        remembersDeletions = counts.hasDeletions
        self.threshold = threshold
    }

    // MARK: What is missing

    /// Notes of a document of the base which sides it is gone from, and whether that lifts a halt.
    package mutating func note(absencesIn input: PlanInput, among documents: Int) -> FollowUp {
        let path = input.document
        var next = FollowUp()
        for side in Side.allCases {
            guard let record = input.record else {
                _ = absences[side].end(absenceOf: path)
                continue
            }
            if input.isAbsent(side), !input.isAbsent(side.other) {
                absences[side].lose(path, record.sides[side].digest)
            } else {
                end(absenceOf: path, on: side, among: documents, &next)
            }
        }
        return next
    }

    /// It was moved no more than it was lost: what waited for that to be sure goes its own way.
    private mutating func end(
        absenceOf path: RelativePath,
        on side: Side,
        among documents: Int,
        _ next: inout FollowUp
    ) {
        let target = absences[side].target(of: path)
        guard absences[side].end(absenceOf: path) else { return }
        if let target { next.documents.append(target) }
        forgetArrivals(&next)
        reconsiderHalt(of: side, among: documents, &next)
    }

    /// What is held is neither deleted nor moved.
    package mutating func suspend(absencesIn input: PlanInput, among documents: Int) -> FollowUp {
        let path = input.document
        var next = FollowUp()
        for side in Side.allCases {
            let target = absences[side].target(of: path)
            let wasMissing =
                input.isAbsent(side)
                ? absences[side].suspend(absenceOf: path) : absences[side].end(absenceOf: path)
            absences[side].forget(newcomer: path)
            if let target { next.documents.append(target) }
            if wasMissing { reconsiderHalt(of: side, among: documents, &next) }
        }
        return next
    }

    /// At once, from a look at everything: all that is gone is known before anything crosses.
    package mutating func note(missing: [(path: RelativePath, side: Side, digest: Digest)]) -> FollowUp {
        for (path, side, digest) in missing { lose(path, holding: digest, on: side) }
        var next = FollowUp()
        forgetArrivals(&next)
        return next
    }

    /// A document that held this is gone from there.
    package mutating func lose(_ path: RelativePath, holding digest: Digest, on side: Side) {
        absences[side].lose(path, digest)
    }

    /// The document is what both sides have agreed on, or is gone from both.
    package mutating func settle(_ path: RelativePath) {
        for side in Side.allCases { absences[side].settle(path) }
    }

    package func isMissing(_ path: RelativePath, on side: Side) -> Bool { absences[side].isMissing(path) }

    /// The side whose loss of this document, among others, is what the bridge is halted for.
    package func lostSide(of path: RelativePath) -> Side? {
        halt.flatMap { absences[$0.side].isMissing(path) ? $0.side : nil }
    }

    // MARK: What was moved

    /// A document that one side alone has, and that nobody knows yet.
    package enum Newcomer: Sendable {
        /// It is one that had another name.
        case moved(FollowUp)
        /// Nothing that is missing held the same.
        case unexplained(on: Side, Digest)
    }

    package mutating func note(newcomerIn input: PlanInput, among documents: Int) -> Newcomer? {
        var newcomer: Newcomer?
        for side in Side.allCases {
            guard input.record == nil, input.isAbsent(side.other), let snapshot = input.snapshot(side) else {
                absences[side].forget(newcomer: input.document)
                continue
            }
            switch absences[side].appear(input.document, snapshot.digest) {
            case .known: continue
            case .moved:
                var next = FollowUp()
                reconsiderHalt(of: side, among: documents, &next)
                newcomer = .moved(next)
            case .new: newcomer = .unexplained(on: side, snapshot.digest)
            }
        }
        return newcomer
    }

    /// The new name on that side of a document that is missing there.
    package func target(of old: RelativePath, on side: Side) -> RelativePath? {
        absences[side].target(of: old)
    }

    /// The name that a newcomer had on that side, if it is to be carried by it.
    package func origin(of new: RelativePath, on side: Side) -> RelativePath? {
        absences[side].origin(of: new)
    }

    /// It is carried as a new document.
    package mutating func copy(_ new: RelativePath, on side: Side) { absences[side].copy(new) }

    // MARK: What came, and what was deleted

    /// What comes while others are missing makes no smaller part of them of what is missing. The journal
    /// knows of it, so that the next run comes to the same end. `isMoved`: it had another name.
    package mutating func note(arrivalOf path: RelativePath, isMoved: Bool) -> FollowUp {
        var next = FollowUp()
        let isMissing = Side.allCases.contains { !absences[$0].isEmpty }
        let wasMoved = isMoved || Side.allCases.contains { absences[$0].wasMoved(path) }
        guard isMissing, !wasMoved else { return next }
        arrivals += 1
        next.entries.append(lossCounts)
        return next
    }

    /// Where nothing is missing any more, all that is known counts again.
    package mutating func forgetArrivals() -> FollowUp {
        var next = FollowUp()
        forgetArrivals(&next)
        return next
    }

    private mutating func forgetArrivals(_ next: inout FollowUp) {
        guard arrivals > 0, absences.app.isEmpty, absences.group.isEmpty else { return }
        arrivals = 0
        next.entries.append(lossCounts)
    }

    /// A document was deleted for being gone from these sides. What a person has allowed to go, or what has
    /// only moved, tells nothing of what goes next.
    package mutating func note(deletionOf path: RelativePath, goneFrom sides: [Side], at now: Duration) {
        for side in sides where absences[side].isLost(path) { deletions[side].add(at: now) }
    }

    /// A deletion that takes its time crosses in parts, and still counts as one. What a halt was made for
    /// stays as it is until that ends.
    package mutating func pass(to now: Duration) -> FollowUp {
        var next = FollowUp()
        guard halt == nil else { return next }
        for side in Side.allCases { deletions[side].pass(to: now) }
        if remembersDeletions, Side.allCases.allSatisfy({ deletions[$0].count == 0 }) {
            rememberDeletions(&next)
        }
        return next
    }

    /// So much is going that who waits a little sees it whole.
    package func isMassive(among documents: Int) -> Bool {
        Side.allCases.contains { side in
            let deleted = deletions[side].count
            return threshold.isNear(
                lost: absences[side].lostCount + deleted,
                of: documents + deleted
            )
        }
    }

    /// The next run is to come to the same end.
    private mutating func rememberDeletions(_ next: inout FollowUp) {
        let counts = LossCounts(arrivals: arrivals, deletions: deletions.map(\.count))
        guard remembersDeletions || counts.hasDeletions else { return }
        remembersDeletions = counts.hasDeletions
        next.entries.append(lossCounts)
    }

    private var lossCounts: JournalEntry {
        let known = remembersDeletions ? deletions.map(\.count) : BothSides(app: 0, group: 0)
        let counts = LossCounts(arrivals: arrivals, deletions: known)
        return .value(counts.text, key: LossCounts.key)
    }
}

// MARK: The halt

extension LossGuard {
    /// So much is gone from there that it is not believed.
    package func alarm(of side: Side, among documents: Int) -> Halt? {
        let lost = absences[side].lostCount
        let known = max(lost, documents - arrivals)
        guard threshold.isExceeded(lost: lost, of: known) else {
            return alarm(ofDeletionOn: side, lost, of: known)
        }
        return Halt(side: side, reason: lost == known ? .lostAll(lost) : .lost(lost, of: known))
    }

    private func alarm(ofDeletionOn side: Side, _ lost: Int, of known: Int) -> Halt? {
        let deleted = deletions[side].count
        guard threshold.isExceeded(lost: lost, of: known, deleted: deleted) else { return nil }
        return Halt(side: side, reason: .lost(lost + deleted, of: known + deleted, crossed: deleted))
    }

    /// So much is gone that it may not be believed once it has lasted. Until that is told nothing else
    /// crosses either, for a while.
    package mutating func isAlarmed(at now: Duration, among documents: Int) -> Bool {
        guard Side.allCases.contains(where: { alarm(of: $0, among: documents) != nil }) else {
            alarmed = nil
            return false
        }
        let since = alarmed ?? now
        alarmed = since
        return now < since + DebounceQueue.patience
    }

    /// Before a document is deleted for being gone from that side, which may be the one too many. `nil`:
    /// what is gone from there is believed.
    package mutating func halt(forLossOn side: Side, among documents: Int) -> FollowUp? {
        guard let alarm = alarm(of: side, among: documents) else { return nil }
        halt = alarm
        var next = FollowUp()
        rememberDeletions(&next)
        return next
    }

    /// A container is not what it was, or cannot be listed.
    package mutating func stop(for halt: Halt) { self.halt = halt }

    /// The container of that side was listed.
    package mutating func note(reached side: Side) {
        if let halt, halt.isUnreachable, halt.side == side { self.halt = nil }
    }

    /// For a look without a turn: what the bridge would halt for.
    package mutating func foresee(among documents: Int) {
        if halt == nil { halt = Side.allCases.compactMap { alarm(of: $0, among: documents) }.first }
    }

    /// Until somebody looks again: what differs is pending.
    package mutating func keepBack(_ path: RelativePath, differs: Bool) {
        if differs { heldBack.insert(path) } else { heldBack.remove(path) }
    }

    /// The documents are back, or a person has let them go.
    private mutating func reconsiderHalt(of side: Side, among documents: Int, _ next: inout FollowUp) {
        guard let halt, halt.side == side else { return }
        if let alarm = alarm(of: side, among: documents) {
            if !halt.isUnreachable { self.halt = alarm }
            return
        }
        self.halt = nil
        deletions[side] = RecentDeletions()
        next.wantsScan = true
    }

    // MARK: What a person decides

    /// What stands for what a person can permit: that these documents of this side are deleted, and no
    /// others; or that this directory is the container from now on.
    package var permit: String? {
        guard let halt else { return nil }
        var words = [halt.side.rawValue]
        if let stranger = halt.stranger {
            words += ["is", stranger]
        } else {
            if halt.isUnreachable { return nil }
            words += lost(on: halt.side).map(\.description)
        }
        return Trash.id(of: Digest(of: Array(words.joined(separator: "\0").utf8)))
    }

    /// In order of their names.
    package func lost(on side: Side) -> [RelativePath] { absences[side].lost }

    /// A person permits what is lost now to be deleted. What was only moved is still to be carried as that.
    package mutating func allowDeletions(among documents: Int) -> FollowUp {
        var next = FollowUp()
        guard let side = halt?.side else { return next }
        absences[side].allowLosses()
        deletions[side] = RecentDeletions()
        forgetArrivals(&next)
        reconsiderHalt(of: side, among: documents, &next)
        return next
    }

    /// A person deletes a document on that side: that is no loss.
    package mutating func allow(deletionOf path: RelativePath, on side: Side) {
        absences[side].allow(path)
    }

    /// A person takes what stands there for the container of that side, from which these are gone: they were
    /// not deleted there.
    package mutating func accept(_ side: Side, without gone: [RelativePath]) {
        for path in gone { absences[side].settle(path) }
        halt = nil
    }

    /// What another look has found, where this one has none of its own.
    package mutating func take(from other: LossGuard) { (absences, halt) = (other.absences, other.halt) }
}
