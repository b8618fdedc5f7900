package import Documents
import Model

/// The merge of a save with the current content, and the fields that both changed.
struct ForwardMerge {
    var bytes: [UInt8]
    var conflicts: [MergeConflict]
    /// The save with its conflicts settled, in the newest version; `nil` if that is the same.
    var settled: [UInt8]?
}

extension ForwardMerge {
    /// `result` is in the document's version, `save` as it was merged.
    init(_ merged: SettledSave.Merged, _ result: JSON, of save: JSON) {
        bytes = result.bytes
        conflicts = merged.merge.conflicts
        settled = merged.settled.isEqual(to: save) ? nil : merged.settled.bytes
    }

    /// Whether a content has all that changed from one content to another; `nil` if they cannot be compared.
    static func has(
        _ current: DocumentSnapshot,
        changesFrom old: [UInt8],
        to new: [UInt8],
        by rule: DocumentRule,
        limits: JSONLimits
    ) -> Bool? {
        let merge = rule.forwardMerge(
            new,
            base: old,
            of: .group,
            onTopOf: current,
            between: .laterAndRest,
            limits: limits
        )
        let result = merge.flatMap { try? JSON(parsing: $0.bytes, limits: .unbounded) }
        return result.map { $0.isEqual(to: current.json) }
    }
}

extension DocumentRule {
    /// Merges a save of one side with the current content, in that side's version; `nil` if they cannot be
    /// merged.
    ///
    /// The app's value wins a conflict, as always. The save may have another version than the current
    /// content: it was made before a migration.
    func forwardMerge(
        _ save: [UInt8],
        base: [UInt8]?,
        of side: Side,
        onTopOf current: DocumentSnapshot,
        between parties: MergeParties,
        _ others: OtherSaves = OtherSaves(),
        settled: [UInt8]? = nil,
        limits: JSONLimits
    ) -> ForwardMerge? {
        guard !isAsset, let json = try? JSON(parsing: save, limits: limits) else { return nil }
        let base = base.flatMap { try? JSON(parsing: $0, limits: .unbounded) }
        let merge = SettledSave(rule: self, side: side, before: settled, parties: parties, others: others)
        if let newest, let version = current.version,
            version != newest || version != known(json)
                || base.flatMap({ known($0) }).map({ $0 != newest }) ?? false
        {
            return translatedMerge(json, current, base, from: version, to: newest, merge)
        }
        guard current.version == nil || known(json) == current.version else { return nil }
        guard let merged = try? merge.merged(base: base, save: json, onTopOf: current.json) else {
            return nil
        }
        if breaks(merged.merge.result, current.version, by: json) { return nil }
        return ForwardMerge(merged, merged.merge.result, of: json)
    }

    /// An invalid save is kept and held like any other; two valid documents must not become an invalid one.
    private func breaks(_ merge: JSON, _ version: Int?, by save: JSON) -> Bool {
        breach(of: merge, version: version) != nil
            && breach(of: save, version: known(save)) == nil
    }

    private func translatedMerge(
        _ save: JSON,
        _ current: DocumentSnapshot,
        _ base: JSON?,
        from version: Int,
        to newest: Int,
        _ merge: SettledSave
    ) -> ForwardMerge? {
        guard let saved = known(save) else { return nil }
        do {
            let baseVersion = base.flatMap { known($0) }
            let up = try base.flatMap { base in
                try baseVersion.map { try translate(base, from: $0, to: newest, agreed: nil) }
            }
            func agreed(_ version: Int) -> (from: JSON, to: JSON)? {
                guard let base, let up, version == baseVersion else { return nil }
                return (base, up)
            }
            let theirs = try translate(save, from: saved, to: newest, agreed: agreed(saved))
            let ours = try translate(current.json, from: version, to: newest, agreed: agreed(version))
            let merged = try merge.merged(base: up, save: theirs, onTopOf: ours)
            // Merged in the newer of the two versions, since only that can represent all fields.
            let beside = saved > version ? (theirs, save) : (ours, current.json)
            let down = try translate(
                merged.merge.result,
                from: newest,
                to: max(saved, version),
                agreed: (from: beside.0, to: beside.1)
            )
            if breaks(down, max(saved, version), by: save) { return nil }
            return ForwardMerge(merged, down, of: theirs)
        } catch {
            return nil
        }
    }
}

extension DocumentRule {
    /// The version of a document, if the profile has it.
    package func known(_ document: JSON) -> Int? {
        if case .known(let number) = version(of: document) { number } else { nil }
    }
}
