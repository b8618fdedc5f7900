import Documents
import Reconciliation
import Storage

/// Takes one document between the versions its sides speak and the newest, by way of what was last agreed.
struct Translation {
    let study: Study
    let base: BaseContent?
    let baseJSON: JSON?

    /// What a side holds, in the newest version; `nil` where it is absent.
    func newest(_ side: Side, changed: Bool) throws(Refusal) -> JSON? {
        if study.isAbsent(side) { return nil }
        guard changed, let sight = study.sight(side) else { return baseJSON }
        guard let version = sight.version, let newest = study.rule.newest, version != newest else {
            return sight.json
        }
        let agreed = try agreed(in: version, side: side)
        return try translate(sight.json, version, newest, agreed.map { ($0, $1) }, side)
    }

    /// A program that wrote an older version until now has seen no more than that says.
    func upgrade(_ side: Side) -> Merge? {
        guard let base, let baseJSON, let sight = study.sight(side), let newest = study.rule.newest,
            sight.version == newest,
            let before = study.record?.sides[side].version, before != newest,
            let known = try? JSON(parsing: base.bytes(on: side), limits: .unbounded)
        else { return nil }
        return try? study.rule.upgraded(
            sight.json,
            knowing: known,
            from: before,
            to: newest,
            agreed: baseJSON
        )
    }

    /// `content` (in the newest version) as `side` is told it. `beside` is what that side holds now, in the
    /// newest version: its spelling, and what only its version can say, are kept.
    func tell(_ content: JSON, to side: Side, in version: Int?, beside: JSON?) throws(Refusal) -> JSON {
        guard let version, let newest = study.rule.newest, version != newest else { return content }
        if let beside, let sight = study.sight(side), sight.version == version {
            return try translate(content, newest, version, (beside, sight.json), side)
        }
        let agreed = try agreed(in: version, side: side)
        return try translate(content, newest, version, agreed.map { ($1, $0) }, side)
    }

    /// What was last agreed, in `version` and in the newest.
    private func agreed(in version: Int, side: Side) throws(Refusal) -> (JSON, JSON)? {
        guard let base, let baseJSON, let record = study.record else { return nil }
        for one in [side, side.other] where record.sides[one].version == version {
            if let json = try? JSON(parsing: base.bytes(on: one), limits: .unbounded) {
                return (json, baseJSON)
            }
        }
        guard let newest = study.rule.newest else { return nil }
        return (try translate(baseJSON, newest, version, nil, side), baseJSON)
    }

    private func translate(
        _ json: JSON,
        _ from: Int,
        _ to: Int,
        _ agreed: (from: JSON, to: JSON)?,
        _ side: Side
    ) throws(Refusal) -> JSON {
        do {
            return try study.rule.translate(json, from: from, to: to, agreed: agreed)
        } catch {
            throw Refusal(side: side, problem: .untranslatable(error.reason))
        }
    }
}
