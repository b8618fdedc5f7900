import Documents
import Model

/// A save on top of what stands there, and what both had changed.
struct ForwardMerge {
    var bytes: [UInt8]
    var conflicts: [MergeConflict]
}

extension Engine {
    /// A displaced save and what stands there now, in that side's version; `nil` where they cannot be merged.
    ///
    /// Of two changes to one field the app's stands, as in any conflict: on the app's side that is the save,
    /// on the group's side what was being brought there. A save may be of another version than what stands
    /// there: it was made before a migration.
    func forwardMerge(_ save: [UInt8], _ displaced: DisplacedFile, onTopOf current: DocumentSnapshot)
        -> ForwardMerge?
    {
        // What its program saved later stands.
        let part = displaced.isLate ? .group : displaced.side
        // Its program may have saved again, with or without having read what was brought there.
        let parties: MergeParties = displaced.isFromOtherSide(current.digest) ? .sides : .savesOfOneSide
        return forwardMerge(
            save,
            displaced.base,
            part,
            rule(for: displaced.document),
            onTopOf: current,
            parties,
            writers.others(than: displaced, standing: current)
        )
    }

    func forwardMerge(
        _ save: [UInt8],
        _ base: [UInt8]?,
        _ side: Side,
        _ rule: DocumentRule,
        onTopOf current: DocumentSnapshot,
        _ parties: MergeParties,
        _ others: OtherSaves = OtherSaves()
    ) -> ForwardMerge? {
        guard let json = try? JSON(parsing: save, limits: limits) else { return nil }
        let base = base.flatMap { try? JSON(parsing: $0, limits: .unbounded) }
        func merge(_ base: JSON?, _ save: JSON, _ current: JSON) throws(DocumentError) -> Merge {
            try rule.merge(base: base, save: save, of: side, onTopOf: current, between: parties, others)
        }
        if let newest = rule.newest, let version = current.version,
            version != newest || version != rule.known(json)
                || base.flatMap({ rule.known($0) }).map({ $0 != newest }) ?? false
        {
            return translatedMerge(json, current, base, rule, from: version, to: newest, merge)
        }
        guard current.version == nil || rule.known(json) == current.version else { return nil }
        guard let merged = try? merge(base, json, current.json) else { return nil }
        if breaks(merged.result, rule, current.version, by: json) { return nil }
        return ForwardMerge(bytes: merged.result.bytes, conflicts: merged.conflicts)
    }

    /// A save that is broken itself stands, and is held like any other; two good ones must not become a
    /// broken one.
    private func breaks(_ merge: JSON, _ rule: DocumentRule, _ version: Int?, by save: JSON) -> Bool {
        rule.breach(of: merge, version: version) != nil
            && rule.breach(of: save, version: rule.known(save)) == nil
    }

    private func translatedMerge(
        _ save: JSON,
        _ current: DocumentSnapshot,
        _ base: JSON?,
        _ rule: DocumentRule,
        from version: Int,
        to newest: Int,
        _ merge: (JSON?, JSON, JSON) throws(DocumentError) -> Merge
    ) -> ForwardMerge? {
        guard let saved = rule.known(save) else { return nil }
        do {
            let baseVersion = base.flatMap { rule.known($0) }
            let up = try base.flatMap { base in
                try baseVersion.map { try rule.translate(base, from: $0, to: newest, agreed: nil) }
            }
            func agreed(_ version: Int) -> (from: JSON, to: JSON)? {
                guard let base, let up, version == baseVersion else { return nil }
                return (base, up)
            }
            let theirs = try rule.translate(save, from: saved, to: newest, agreed: agreed(saved))
            let ours = try rule.translate(current.json, from: version, to: newest, agreed: agreed(version))
            let merged = try merge(up, theirs, ours)
            // Said in the newer of the two, or what only that can say would be gone.
            let beside = saved > version ? (theirs, save) : (ours, current.json)
            let down = try rule.translate(
                merged.result,
                from: newest,
                to: max(saved, version),
                agreed: (from: beside.0, to: beside.1)
            )
            if breaks(down, rule, max(saved, version), by: save) { return nil }
            return ForwardMerge(bytes: down.bytes, conflicts: merged.conflicts)
        } catch {
            return nil
        }
    }
}

extension DocumentRule {
    /// The version of a document, where it is one that the profile knows.
    func known(_ document: JSON) -> Int? {
        if case .known(let number) = version(of: document) { number } else { nil }
    }
}
