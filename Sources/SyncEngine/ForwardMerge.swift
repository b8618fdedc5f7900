import Documents
import Reconciliation
import Storage

extension Engine {
    /// A displaced save and what stands there now, in that side's version; `nil` where they cannot be merged.
    ///
    /// Of two changes to one field the app's stands, as in any conflict: on the app's side that is the save,
    /// on the group's side what was being brought there.
    func forwardMerge(_ save: [UInt8], _ aside: Aside, onTopOf current: Sight) -> (
        bytes: [UInt8], hasLoser: Bool
    )? {
        let rule = rule(for: aside.document)
        guard let json = try? JSON(parsing: save, limits: limits) else { return nil }
        let base = aside.base.flatMap { try? JSON(parsing: $0, limits: .unbounded) }
        guard let version = current.version, let newest = rule.newest, version != newest else {
            guard current.version == nil || isVersion(current.version, json, rule) else { return nil }
            let (app, group) = aside.side == .app ? (json, current.json) : (current.json, json)
            guard let merge = try? rule.merge(base: base, app: app, group: group) else { return nil }
            return (merge.result.bytes, !merge.conflicts.isEmpty)
        }
        guard isVersion(version, json, rule) else { return nil }
        return translatedMerge(json, current, base, aside.side, rule, from: version, to: newest)
    }

    private func isVersion(_ version: Int?, _ json: JSON, _ rule: DocumentRule) -> Bool {
        if case .known(let number) = rule.version(of: json) { number == version } else { version == nil }
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
        do {
            let up = try base.map { try rule.translate($0, from: version, to: newest, agreed: nil) }
            let agreed = base.flatMap { base in up.map { (from: base, to: $0) } }
            let theirs = try rule.translate(save, from: version, to: newest, agreed: agreed)
            let ours = try rule.translate(current.json, from: version, to: newest, agreed: agreed)
            let (app, group) = side == .app ? (theirs, ours) : (ours, theirs)
            let merge = try rule.merge(base: up, app: app, group: group)
            let down = try rule.translate(
                merge.result,
                from: newest,
                to: version,
                agreed: (from: ours, to: current.json)
            )
            return (down.bytes, !merge.conflicts.isEmpty)
        } catch {
            return nil
        }
    }
}
