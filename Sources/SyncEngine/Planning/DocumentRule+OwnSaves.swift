package import Documents
package import Model

/// Two saves of one program do not conflict: for a field that both change, the later value wins. That holds
/// even if the later save is not based on the earlier one, because the bridge had displaced that to merge it
/// with another change.
extension DocumentRule {
    /// Merges `save`, based on `base`, with `current`. The value of `side` wins a conflict.
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
        let save = parties == .laterAndRest ? save : SideEdits.of(side, in: save, since: base, by: self)
        let plain = try merge(base, save, current)
        guard let base, !plain.conflicts.isEmpty, !(others.earlier + others.later).isEmpty else {
            return plain
        }
        // The content before the program's other saves.
        guard let before = without(others.later, current), let lacking = without(others.earlier, before),
            // As if the program had included its earlier saves.
            let known = later(before, over: base, since: lacking),
            let raised = later(save, over: known, since: base),
            var merged = try? merge(known, raised, before),
            let result = later(current, over: merged.result, since: before)
        else { return plain }
        merged.result = [current, save].first { $0.isEqual(to: result) } ?? result
        return merged
    }

    func later(_ later: JSON, over earlier: JSON, since base: JSON) -> JSON? {
        try? merge(base: base, app: later, group: earlier, between: .laterAndRest).result
    }

    /// Undoes the changes of these saves that are still in the content, the last one first.
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
