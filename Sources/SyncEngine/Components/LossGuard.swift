package import Model
import StateStore

/// Decides whether missing documents count as deleted, and halts the bridge if they do not.
///
/// It keeps the halt, the documents that it holds back, and the counts for the decision: the missing
/// documents per side, the recent deletions, and the documents that arrived meanwhile. It accesses neither
/// the disk nor the journal. `among` is the number of known documents.
package struct LossGuard: Sendable {
    /// Why the bridge is halted.
    package private(set) var halt: Halt? { didSet { if halt == nil { heldBack = [] } } }
    /// Documents that would be synced without the halt.
    package private(set) var heldBack: Set<RelativePath> = []
    /// Documents of the base that are missing on a side, or renamed there.
    private var absences = BothSides(app: Absences(), group: Absences())
    /// The synced part of a deletion that may still be in progress.
    private var deletions: BothSides<RecentDeletions>
    /// Documents created less than a second ago. Losing them is no reason to halt: programs write
    /// files beside a document and remove them at once.
    private var created = RecentNames(for: .seconds(1))
    /// Documents that are missing on a side and cannot be read on the other one.
    private var heldLosses = BothSides { _ in RecentNames(for: RecentDeletions.span) }
    /// The journal has a record of the deletions.
    private var remembersDeletions: Bool
    /// The number of documents that arrived while others were missing.
    private var arrivals: Int
    /// Since when so much is missing that the bridge may have to halt.
    private var alarmed: Duration?
    private let threshold: LossThreshold

    /// `counts`: from the run before this one.
    package init(_ counts: LossCounts = LossCounts(text: ""), _ threshold: LossThreshold = LossThreshold()) {
        arrivals = counts.arrivals
        deletions = counts.deletions.map { RecentDeletions(restored: $0) }
        remembersDeletions = counts.hasDeletions
        self.threshold = threshold
    }

    // MARK: What is missing

    /// Records on which sides a document of the base is missing, and whether that ends a halt.
    package mutating func record(absencesIn input: PlanInput, among documents: Int, at now: Duration)
        -> FollowUp
    {
        let path = input.document
        var next = FollowUp()
        for side in Side.allCases {
            guard let record = input.record else {
                _ = absences[side].end(absenceOf: path)
                if input.snapshot(side) != nil, deletions[side].remove(path) {
                    reconsiderHalt(of: side, among: documents, &next)
                }
                continue
            }
            if input.isAbsent(side), !input.isAbsent(side.other) {
                let isNew = created.contains(path, at: now)
                absences[side].lose(path, record.sides[side].digest, isNew: isNew)
            } else {
                end(absenceOf: path, on: side, among: documents, &next)
                guard let saved = input.snapshot(side)?.digest, saved != record.sides[side].digest,
                    absences[side].replace(path, with: saved, at: now)
                else { continue }
                reconsiderHalt(of: side, among: documents, &next)
            }
        }
        return next
    }

    /// It was neither lost nor renamed: documents that waited for that are synced separately.
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

    /// A document that is held for a problem of side `problem` is not deleted, and its absence there does not
    /// count. Its absence on the other side counts for as long as a synced deletion does.
    package mutating func suspend(
        absencesIn input: PlanInput,
        heldOn problem: Side,
        among documents: Int,
        at now: Duration
    ) -> FollowUp {
        let path = input.document
        var next = FollowUp()
        for side in Side.allCases {
            if side != problem, input.isAbsent(side), let record = input.record {
                if !heldLosses[side].contains(path, at: now) { heldLosses[side].add(path, at: now) }
                absences[side].lose(path, record.sides[side].digest)
                continue
            }
            let target = absences[side].target(of: path)
            let wasMissing =
                input.isAbsent(side)
                ? absences[side].suspend(absenceOf: path) : absences[side].end(absenceOf: path)
            absences[side].forget(newDocument: path)
            if let target { next.documents.append(target) }
            if wasMissing { reconsiderHalt(of: side, among: documents, &next) }
        }
        return next
    }

    /// Records all missing documents of a full scan at once, before anything is synced.
    package mutating func record(missing: [(path: RelativePath, side: Side, digest: Digest)]) -> FollowUp {
        for (path, side, digest) in missing { lose(path, holding: digest, on: side) }
        var next = FollowUp()
        forgetArrivals(&next)
        return next
    }

    /// A document with this content is missing there.
    package mutating func lose(_ path: RelativePath, holding digest: Digest, on side: Side) {
        absences[side].lose(path, digest)
    }

    /// The document is in sync, or deleted on both sides.
    package mutating func settle(_ path: RelativePath) {
        for side in Side.allCases { absences[side].settle(path) }
    }

    package func isMissing(_ path: RelativePath, on side: Side) -> Bool { absences[side].isMissing(path) }

    /// The document of this file is gone from the other side, because a program renamed it over another one;
    /// or the same content was published in its place.
    package func isKept(_ digest: Digest, of displaced: DisplacedFile) -> Bool {
        if displaced.publication == digest { return true }
        return displaced.isRemoval && isKept(digest, of: displaced.document, on: displaced.side.other)
    }

    /// The document is gone from that side because a program renamed it over another one, which still has
    /// this content.
    package func isKept(_ digest: Digest, of path: RelativePath, on side: Side) -> Bool {
        absences[side].isKept(digest, of: path)
    }

    /// The side whose loss of this and other documents halted the bridge.
    package func lostSide(of path: RelativePath) -> Side? {
        halt.flatMap { absences[$0.side].isMissing(path) ? $0.side : nil }
    }

    // MARK: Renames

    /// A new document on one side only.
    package enum NewDocument: Sendable {
        /// It is a renamed document.
        case moved(FollowUp)
        /// No missing document had the same content.
        case unexplained(on: Side, Digest)
    }

    package mutating func record(newDocumentIn input: PlanInput, among documents: Int) -> NewDocument? {
        var newDocument: NewDocument?
        for side in Side.allCases {
            guard input.record == nil, input.isAbsent(side.other), let snapshot = input.snapshot(side) else {
                absences[side].forget(newDocument: input.document)
                continue
            }
            switch absences[side].appear(input.document, snapshot.digest) {
            case .known: continue
            case .moved:
                var next = FollowUp()
                reconsiderHalt(of: side, among: documents, &next)
                newDocument = .moved(next)
            case .new: newDocument = .unexplained(on: side, snapshot.digest)
            }
        }
        return newDocument
    }

    /// The new name on that side of a document that is missing there, while that is still to be synced.
    package func target(of old: RelativePath, on side: Side) -> RelativePath? {
        absences[side].target(of: old)
    }

    /// The old name of a new document on that side, if the other side is to be renamed as well.
    package func origin(of new: RelativePath, on side: Side) -> RelativePath? {
        absences[side].origin(of: new)
    }

    /// New names on that side of missing documents with that content, whose renames are still to be synced.
    package func targets(
        holding digest: Digest,
        on side: Side,
        likeliestFor new: RelativePath,
        limit: Int
    ) -> [RelativePath] {
        absences[side].targets(holding: digest, likeliestFor: new, limit: limit)
    }

    /// A program has renamed or removed it before it was synced.
    package mutating func forget(newDocument path: RelativePath, on side: Side) {
        absences[side].forget(newDocument: path)
    }

    /// Syncs it as a new document.
    package mutating func copy(_ new: RelativePath, on side: Side) { absences[side].copy(new) }

    // MARK: Arrivals and deletions

    /// A program created it just now.
    package mutating func record(created path: RelativePath, at now: Duration) { created.add(path, at: now) }

    /// Arriving documents must not make the missing ones a smaller share. The journal stores the number, so
    /// that the next run decides alike. `isMoved`: it was renamed.
    package mutating func record(arrivalOf path: RelativePath, isMoved: Bool) -> FollowUp {
        var next = FollowUp()
        let isMissing = Side.allCases.contains { !absences[$0].isEmpty }
        let wasMoved = isMoved || Side.allCases.contains { absences[$0].wasMoved(path) }
        guard isMissing, !wasMoved else { return next }
        arrivals += 1
        next.entries.append(lossCounts)
        return next
    }

    /// Once nothing is missing, all known documents count again.
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

    /// A document was deleted because it is missing on these sides. Permitted deletions and renames do not
    /// count towards the next ones.
    package mutating func record(deletionOf path: RelativePath, goneFrom sides: [Side], at now: Duration) {
        for side in sides where absences[side].isLost(path) { deletions[side].add(path, at: now) }
    }

    /// A slow deletion is synced in parts, and still counts as one. The counts of a halt stay until the halt
    /// ends.
    package mutating func pass(to now: Duration) -> FollowUp {
        var next = FollowUp()
        created.pass(to: now)
        for side in Side.allCases { absences[side].pass(to: now) }
        guard halt == nil else { return next }
        for side in Side.allCases {
            deletions[side].pass(to: now)
            for path in heldLosses[side].pass(to: now) { absences[side].excuse(path) }
        }
        if remembersDeletions, Side.allCases.allSatisfy({ deletions[$0].count == 0 }) {
            rememberDeletions(&next)
        }
        return next
    }

    /// So much is missing that waiting a little shows the whole deletion.
    package func isMassive(among documents: Int) -> Bool {
        Side.allCases.contains { side in
            let deleted = deletions[side].count
            return threshold.isNear(
                lost: absences[side].lostCount + deleted,
                of: documents + deleted
            )
        }
    }

    /// Stores the counts, so that the next run decides alike.
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

// MARK: Halting

extension LossGuard {
    /// The halt for a mass deletion on that side, if there is one.
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

    /// So much is missing that it may be a mass deletion. Until that is decided, nothing else is synced for a
    /// while.
    package mutating func isAlarmed(at now: Duration, among documents: Int) -> Bool {
        guard Side.allCases.contains(where: { alarm(of: $0, among: documents) != nil }) else {
            alarmed = nil
            return false
        }
        let since = alarmed ?? now
        alarmed = since
        return now < since + DebounceQueue.patience
    }

    /// Checked before a document is deleted because it is missing on that side. `nil`: the missing documents
    /// count as deleted.
    package mutating func halt(forLossOn side: Side, among documents: Int) -> FollowUp? {
        guard let alarm = alarm(of: side, among: documents) else { return nil }
        halt = alarm
        var next = FollowUp()
        rememberDeletions(&next)
        return next
    }

    /// A container was replaced, or cannot be listed.
    package mutating func stop(for halt: Halt) { self.halt = halt }

    /// The container of that side was listed.
    package mutating func record(reached side: Side) {
        if let halt, halt.isUnreachable, halt.side == side { self.halt = nil }
    }

    /// For a dry run: the reason why the bridge would halt.
    package mutating func foresee(among documents: Int) {
        if halt == nil { halt = Side.allCases.compactMap { alarm(of: $0, among: documents) }.first }
    }

    /// Until the next read, a document that differs is pending.
    package mutating func keepBack(_ path: RelativePath, differs: Bool) {
        if differs { heldBack.insert(path) } else { heldBack.remove(path) }
    }

    /// The documents are back, or a person allowed their deletion.
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

    // MARK: Permission

    /// The ID of what a person can allow: the deletion of exactly these documents of this side, or this
    /// directory as the new container.
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

    /// A person allows the missing documents to be deleted. Renamed documents are still synced as renames.
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

    /// A person accepts the directory as the container of that side. The documents missing in it were not
    /// deleted there.
    package mutating func accept(_ side: Side, without gone: [RelativePath]) {
        for path in gone { absences[side].settle(path) }
        halt = nil
    }

    /// Takes the result of another scan.
    package mutating func take(from other: LossGuard) { (absences, halt) = (other.absences, other.halt) }
}
