import Documents
import Model

/// A program's save as it would be if its program had known how its conflicts were settled; in the newest
/// version.
///
/// A program that never reads repeats in each save what it lost in a conflict, and compared with its last
/// save, a change of that field would be in conflict with the value that won before. On top of the settled
/// content it is the program's next edit.
struct SettledSave {
    let rule: DocumentRule
    let side: Side
    /// The settled content of the save's base; `nil` if that lost no conflict.
    var before: [UInt8]?
    var parties = MergeParties.sides
    var others = OtherSaves()

    /// A merge, and the settled content of the merged save.
    struct Merged {
        var merge: Merge
        var settled: JSON
    }

    /// Merges `save`, based on `base`, with `current`.
    func merged(base: JSON?, save: JSON, onTopOf current: JSON) throws(DocumentError) -> Merged {
        let (base, save) = onTopOfSettled(base, save)
        func merge(_ parties: MergeParties) throws(DocumentError) -> Merge {
            try rule.merge(base: base, save: save, of: side, onTopOf: current, between: parties, others)
        }
        let found = try merge(parties)
        return Merged(merge: found, settled: settled(save, by: found, merge))
    }

    /// `save` with what a merge changed in it by settling conflicts. `again` merges the same contents.
    func settled(
        _ save: JSON,
        by merge: Merge,
        _ again: (MergeParties) throws(DocumentError) -> Merge
    ) -> JSON {
        // What a later save of its program won, its program knows.
        guard parties != .laterAndRest, !merge.conflicts.isEmpty,
            let won = try? again(.sidesWon(by: side.container)).result,
            !won.isEqual(to: merge.result)
        else { return save }
        return rule.later(merge.result, over: save, since: won) ?? save
    }

    private func onTopOfSettled(_ base: JSON?, _ save: JSON) -> (base: JSON?, save: JSON) {
        guard let base, let before, let settled = try? JSON(parsing: before, limits: .unbounded),
            rule.newest == nil || rule.known(settled) == rule.newest,
            let edited = rule.later(save, over: settled, since: base)
        else { return (base, save) }
        return (settled, edited)
    }
}
