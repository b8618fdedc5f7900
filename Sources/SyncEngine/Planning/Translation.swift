import Documents
import Model
import StateStore

/// A save merged with what its program had not read.
struct Rebased {
    /// The save itself, in the newest version.
    var save: JSON
    var merge: Merge
    /// What of it its program edited.
    let edits: SideEdits?
    /// Whether the save includes all of the merge.
    let isWhole: Bool
    /// The save with its conflicts settled.
    let settled: JSON

    init(save: JSON, merge: Merge, edits: SideEdits? = nil, settled: JSON? = nil) {
        self.save = save
        self.merge = merge
        self.edits = edits
        self.settled = settled ?? save
        isWhole = (edits?.json ?? save).isEqual(to: merge.result)
    }
}

/// Translates one document between the sides' versions and the newest one, with the help of the base.
struct Translation {
    let input: PlanInput
    let base: BaseContent?
    let baseJSON: JSON?

    /// The content of a side in the newest version; `nil` if it is absent.
    func newest(_ side: Side, changed: Bool) throws(Refusal) -> JSON? {
        if input.isAbsent(side) { return nil }
        guard changed, let snapshot = input.snapshot(side) else { return baseJSON }
        let json = try raised(snapshot.json, from: snapshot.version, side)
        return try recognized(json, from: snapshot.version, to: input.rule.newest, side)
    }

    /// What would be recognized as another version is not written: it would be translated again.
    private func recognized(_ json: JSON, from: Int?, to: Int?, _ side: Side) throws(Refusal) -> JSON {
        guard let from, let to, from != to else { return json }
        do throws(DocumentError) {
            try VersionCheck(by: input.rule).check(json, from: from, to: to)
            return json
        } catch {
            throw Refusal(side: side, problem: .untranslatable(error))
        }
    }

    private func raised(_ json: JSON, from version: Int?, _ side: Side) throws(Refusal) -> JSON {
        guard let version, let newest = input.rule.newest, version != newest else { return json }
        let agreed = try agreed(in: version, side: side)
        return try translate(json, version, newest, agreed.map { ($0, $1) }, side)
    }

    /// What the changed sides' programs edited. Without a base, it is derived from the other side's content.
    func edits(
        in newest: BothSides<JSON?>,
        of changed: BothSides<Bool>,
        _ rebased: BothSides<Rebased?>
    ) -> BothSides<SideEdits?> {
        var edits = BothSides<SideEdits?>(app: nil, group: nil)
        for side in Side.allCases where changed[side] {
            guard let json = newest[side],
                let base = base == nil ? edits[side.other]?.json ?? newest[side.other] : baseJSON
            else { continue }
            var found = SideEdits(
                in: json,
                of: side.container,
                since: base,
                isAgreed: self.base != nil,
                by: input.rule
            )
            found.rounded += rebased[side]?.edits?.rounded ?? []
            found.kept += rebased[side]?.edits?.kept ?? []
            if found.json.isEqual(to: base), !found.areAll { found.json = base }
            edits[side] = found
        }
        return edits
    }

    /// Whether the base has numbers of an unchanged side that its program rounded.
    func isRounded(unchanged side: Side) -> Bool {
        guard let base, let baseJSON, !input.isAbsent(side),
            input.record?.sides[side].version == input.rule.newest, base.bytes(on: side) != base.newest,
            let json = try? input.rule.value(of: base.bytes(on: side), limits: .unbounded)
        else { return false }
        return !json.isEqual(to: baseJSON)
    }

    /// A save merged with the parts of the base that its program has not read: it used an older version until
    /// now, or has not read a publication. `nil` if it has read everything, or saves an asset: that is whole.
    func rebased(_ side: Side) -> Rebased? {
        guard !input.rule.isAsset, let base, let baseJSON, let snapshot = input.snapshot(side) else {
            return nil
        }
        guard let memory = input.known[side] else {
            guard let before = input.record?.sides[side].version, before != snapshot.version,
                let known = try? JSON(parsing: base.bytes(on: side), limits: .unbounded)
            else { return nil }
            return upgraded(snapshot, knowing: known, from: before, onTopOf: baseJSON)
        }
        guard let known = try? JSON(parsing: memory.bytes, limits: .unbounded),
            let agreed = try? published(memory, side) ?? baseJSON
        else { return nil }
        let version = input.rule.known(known)
        guard version != snapshot.version else {
            return try? merged(snapshot, since: known, onTopOf: agreed, side)
        }
        return version.flatMap { upgraded(snapshot, knowing: known, from: $0, onTopOf: agreed) }
    }

    /// In the newest version.
    private func published(_ memory: PlanInput.WriterBase, _ side: Side) throws -> JSON? {
        guard let bytes = memory.published else { return nil }
        let json = try JSON(parsing: bytes, limits: .unbounded)
        return try raised(json, from: input.rule.known(json), side)
    }

    private func upgraded(
        _ snapshot: DocumentSnapshot,
        knowing known: JSON,
        from version: Int,
        onTopOf base: JSON
    ) -> Rebased? {
        guard let newest = input.rule.newest, snapshot.version == newest,
            let merge = try? input.rule.upgraded(
                snapshot.json,
                knowing: known,
                from: version,
                to: newest,
                agreed: base
            )
        else { return nil }
        return Rebased(save: snapshot.json, merge: merge)
    }

    /// The app's value wins a conflict, as always.
    private func merged(
        _ snapshot: DocumentSnapshot,
        since known: JSON,
        onTopOf base: JSON,
        _ side: Side
    ) throws -> Rebased {
        let before = try raised(known, from: snapshot.version, side)
        let whole = try raised(snapshot.json, from: snapshot.version, side)
        let edits = SideEdits(in: whole, of: side.container, since: before, by: input.rule)
        let memory = input.known[side]
        let others = OtherSaves(earlier: memory?.own ?? [])
        let merged = try SettledSave(rule: input.rule, side: side, before: memory?.settled, others: others)
            .merged(base: before, save: whole, onTopOf: base)
        var merge = merged.merge
        // Their formatting stays.
        for same in [base, edits.json] where merge.result.isEqual(to: same) { merge.result = same }
        return Rebased(save: whole, merge: merge, edits: edits, settled: merged.settled)
    }

    /// Translates `content` (in the newest version) to the version of `side`. `beside` is that side's current
    /// content in the newest version: its formatting, and fields that only its version has, are kept.
    func translate(_ content: JSON, to side: Side, in version: Int?, beside: JSON?) throws(Refusal) -> JSON {
        guard let version, let newest = input.rule.newest, version != newest else { return content }
        if let beside, let snapshot = input.snapshot(side), snapshot.version == version {
            let translated = try translate(content, newest, version, (beside, snapshot.json), side)
            return try recognized(translated, from: newest, to: version, side)
        }
        let agreed = try agreed(in: version, side: side)
        let translated = try translate(content, newest, version, agreed.map { ($1, $0) }, side)
        return try recognized(translated, from: newest, to: version, side)
    }

    /// The base, in `version` and in the newest version.
    private func agreed(in version: Int, side: Side) throws(Refusal) -> (JSON, JSON)? {
        guard let base, let baseJSON, let record = input.record else { return nil }
        for one in [side, side.other] where record.sides[one].version == version {
            if let json = try? JSON(parsing: base.bytes(on: one), limits: .unbounded) {
                return (json, baseJSON)
            }
        }
        guard let newest = input.rule.newest else { return nil }
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
            return try input.rule.translate(json, from: from, to: to, agreed: agreed)
        } catch {
            throw Refusal(side: side, problem: .untranslatable(error))
        }
    }
}
