package import Documents
package import Reconciliation
import Storage

/// What a program has saved, and what it had made that of.
package struct OwnSave: Sendable {
    package var base: [UInt8]
    package var bytes: [UInt8]
    /// A later save has a higher one.
    var number: UInt64

    package init(base: [UInt8], bytes: [UInt8], number: UInt64 = 0) {
        self.base = base
        self.bytes = bytes
        self.number = number
    }
}

/// Of one document on one side, while a save of it may be merged with what holds an earlier or a later one.
struct OwnSaves: Sendable {
    var saves: [OwnSave] = []
    /// What the bridge has put there last.
    var published: [UInt8]?

    /// Without the oldest two saves may contradict each other again, and then both are kept.
    private static var most: Int { 16 }
    private static var mostBytes: Int { 4 << 20 }

    mutating func note(_ save: OwnSave) {
        guard save.base != save.bytes, saves.last?.bytes != save.bytes else { return }
        saves.append(save)
        saves.sort { $0.number < $1.number }
        while saves.count > Self.most || (saves.count > 1 && size > Self.mostBytes) { saves.removeFirst() }
    }

    private var size: Int { saves.reduce(0) { $0 + $1.base.count + $1.bytes.count } }
}

/// What the same program saved before the save that is merged, and what it saved after that.
package struct OtherSaves: Sendable {
    var earlier: [OwnSave] = []
    var later: [OwnSave] = []

    package init(earlier: [OwnSave] = [], later: [OwnSave] = []) {
        self.earlier = earlier
        self.later = later
    }
}

/// One program's saves do not contradict each other: what it has changed twice is as it was changed last.
/// That holds although its later save was made of something that the earlier one is not in: the bridge had
/// taken that away, to merge it with another change.
extension DocumentRule {
    /// `save`, made of `base`, on top of `current`. In a conflict that of `side` stands.
    package func merge(
        base: JSON?,
        save: JSON,
        of side: Side,
        onTopOf current: JSON,
        between parties: MergeParties = .sides,
        _ others: OtherSaves
    ) throws(DocumentError) -> Merge {
        func merge(_ base: JSON?, _ save: JSON, _ current: JSON) throws(DocumentError) -> Merge {
            try side == .app
                ? self.merge(base: base, app: save, group: current, between: parties)
                : self.merge(base: base, app: current, group: save, between: parties)
        }
        let plain = try merge(base, save, current)
        guard let base, !plain.conflicts.isEmpty, !(others.earlier + others.later).isEmpty else {
            return plain
        }
        // What stood there before its program went on.
        guard let before = without(others.later, current), let lacking = without(others.earlier, before),
            // As if it had known what it did before.
            let known = later(before, over: base, since: lacking),
            let raised = later(save, over: known, since: base),
            var merged = try? merge(known, raised, before),
            let result = later(current, over: merged.result, since: before)
        else { return plain }
        merged.result = [current, save].first { $0.isEqual(to: result) } ?? result
        return merged
    }

    private func later(_ later: JSON, over earlier: JSON, since base: JSON) -> JSON? {
        try? merge(base: base, app: later, group: earlier, between: .laterAndRest).result
    }

    /// What of these saves still stands there is taken back, the last one first.
    private func without(_ saves: [OwnSave], _ current: JSON) -> JSON? {
        var rest = current
        for save in saves.reversed() {
            guard let before = newest(save.base), let after = newest(save.bytes) else { continue }
            guard let next = later(rest, over: before, since: after) else { return nil }
            rest = next
        }
        return rest
    }

    private func newest(_ bytes: [UInt8]) -> JSON? {
        guard let json = try? JSON(parsing: bytes, limits: .unbounded) else { return nil }
        guard let newest else { return json }
        guard let version = known(json) else { return nil }
        return version == newest ? json : try? translate(json, from: version, to: newest, agreed: nil)
    }
}

extension Engine {
    mutating func nextSave() -> UInt64 {
        savesSeen += 1
        return savesSeen
    }

    /// A displaced save has been merged on top of what stood there, or is all in it.
    mutating func note(
        merged bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot? = nil
    ) {
        if let current { noteSave(current, at: displaced.target) }
        guard let base = displaced.base else { return }
        saves[displaced.target, default: OwnSaves()].note(
            OwnSave(base: base, bytes: bytes, number: displaced.number)
        )
    }

    /// `base`: where it was not made of what was published last.
    private mutating func noteSave(
        _ current: DocumentSnapshot,
        at place: Location,
        madeOf base: [UInt8]? = nil
    ) {
        guard let published = saves[place]?.published, isSave(current, at: place) else { return }
        let number = nextSave()
        saves[place]?.note(OwnSave(base: base ?? published, bytes: current.bytes, number: number))
    }

    /// A displaced save that waits will meet what its program has saved since.
    mutating func noteLaterSaves(in input: PlanInput) {
        guard !saves.isEmpty, !displacedFiles.isEmpty else { return }
        for side in Side.allCases {
            let place = Location(side, input.document)
            guard let snapshot = input.snapshot(side), displacedFiles.contains(where: { $0.target == place })
            else {
                continue
            }
            noteSave(snapshot, at: place, madeOf: input.known[side]?.bytes)
        }
    }

    private func isSave(_ snapshot: DocumentSnapshot, at place: Location) -> Bool {
        snapshot.bytes != saves[place]?.published && !accessLog.isUnread(snapshot.digest, at: place)
    }

    /// What the program of a displaced save has saved beside that.
    func otherSaves(than displaced: DisplacedFile, _ current: DocumentSnapshot) -> OtherSaves {
        guard let known = saves[displaced.target] else { return OtherSaves() }
        var others = OtherSaves(
            earlier: known.saves.filter { $0.number < displaced.number },
            later: known.saves.filter { $0.number > displaced.number }
        )
        if let published = known.published, isSave(current, at: displaced.target),
            others.later.last?.bytes != current.bytes
        {
            others.later.append(OwnSave(base: published, bytes: current.bytes))
        }
        return others
    }

    /// Nothing is left that might meet them. What was published is known again by the time that the next
    /// save is displaced; kept until somebody reads it, it would be a copy of the whole container.
    mutating func forgetSaves() {
        guard !saves.isEmpty else { return }
        let waiting = Set(displacedFiles.map(\.target))
        saves = saves.filter { place, known in
            waiting.contains(place) || (!known.saves.isEmpty && accessLog.isTracking(place))
        }
        for place in saves.keys where !waiting.contains(place) { saves[place]?.published = nil }
    }
}
