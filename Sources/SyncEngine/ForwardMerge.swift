import Documents
import Reconciliation
import Storage

extension Engine {
    /// A displaced save and what stands there now, in that side's version; `nil` where they cannot be merged.
    ///
    /// Of two changes to one field the app's stands, as in any conflict: on the app's side that is the save,
    /// on the group's side what was being brought there. A save may be of another version than what stands
    /// there: it was made before a migration.
    func forwardMerge(_ save: [UInt8], _ aside: Aside, onTopOf current: Sight) -> (
        bytes: [UInt8], hasLoser: Bool
    )? {
        let rule = rule(for: aside.document)
        guard let json = try? JSON(parsing: save, limits: limits) else { return nil }
        let base = aside.base.flatMap { try? JSON(parsing: $0, limits: .unbounded) }
        if let newest = rule.newest, let version = current.version,
            version != newest || version != rule.known(json)
        {
            return translatedMerge(json, current, base, aside.side, rule, from: version, to: newest)
        }
        guard current.version == nil || rule.known(json) == current.version else { return nil }
        let (app, group) = aside.side == .app ? (json, current.json) : (current.json, json)
        guard let merge = try? rule.merge(base: base, app: app, group: group) else { return nil }
        if breaks(merge.result, rule, current.version, by: json) { return nil }
        return (merge.result.bytes, !merge.conflicts.isEmpty)
    }

    /// A save that is broken itself stands, and is held like any other; two good ones must not become a
    /// broken one.
    private func breaks(_ merge: JSON, _ rule: DocumentRule, _ version: Int?, by save: JSON) -> Bool {
        rule.breach(of: merge, version: version) != nil
            && rule.breach(of: save, version: rule.known(save)) == nil
    }

    private func translatedMerge(
        _ save: JSON,
        _ current: Sight,
        _ base: JSON?,
        _ side: Side,
        _ rule: DocumentRule,
        from version: Int,
        to newest: Int
    ) -> (bytes: [UInt8], hasLoser: Bool)? {
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
            let (app, group) = side == .app ? (theirs, ours) : (ours, theirs)
            let merge = try rule.merge(base: up, app: app, group: group)
            let down = try rule.translate(
                merge.result,
                from: newest,
                to: version,
                agreed: (from: ours, to: current.json)
            )
            if breaks(down, rule, version, by: save) { return nil }
            return (down.bytes, !merge.conflicts.isEmpty)
        } catch {
            return nil
        }
    }
}

extension DocumentRule {
    /// The version of a document, where it is one that the profile knows.
    fileprivate func known(_ document: JSON) -> Int? {
        if case .known(let number) = version(of: document) { number } else { nil }
    }
}
