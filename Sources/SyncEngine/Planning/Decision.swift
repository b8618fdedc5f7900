import Documents
import Model
import StateStore

/// The plan where digests do not decide: documents are compared by value, in the newest version.
struct Decision {
    let input: PlanInput
    let changed: BothSides<Bool>
    let versions: Versions
    let base: BaseContent?
    private let baseJSON: JSON?
    /// The content of each side in the newest version; `nil` if it is absent.
    let newest: BothSides<JSON?>
    /// For sides whose program has not read the whole base.
    private let rebased: BothSides<Rebased?>
    /// What the sides' programs edited, for those that changed.
    let edits: BothSides<SideEdits?>
    /// Whether a side's bytes have numbers that its program rounded, unlike the base.
    private let isRounded: BothSides<Bool>

    init(_ input: PlanInput, base: BaseContent?) throws(Refusal) {
        let changed = BothSides { input.hasChanged($0) }
        self.input = input
        self.changed = changed
        versions = Versions(input)
        self.base = base
        var baseJSON: JSON?
        if let base {
            // An unreadable base must not look like a missing one: an unchanged side would seem to be absent.
            do {
                baseJSON = try input.rule.value(of: base.newest, limits: .unbounded)
            } catch {
                throw Refusal(unreadableBase: error, .app)
            }
        }
        self.baseJSON = baseJSON
        let translation = Translation(input: input, base: base, baseJSON: baseJSON)
        let rebased = BothSides { side in
            changed[side] && side != input.source?.other ? translation.rebased(side) : nil
        }
        self.rebased = rebased
        func newest(_ side: Side) throws(Refusal) -> JSON? {
            if let rebased = rebased[side] { return rebased.merge.result }
            // Its content need not be translatable: it is replaced.
            if side == input.source?.other, changed[side] {
                return try? translation.newest(side, changed: true)
            }
            return try translation.newest(side, changed: changed[side])
        }
        let whole = BothSides(app: try newest(.app), group: try newest(.group))
        let edits = translation.edits(in: whole, of: changed, rebased)
        self.edits = edits
        self.newest = BothSides { side in edits[side]?.json ?? whole[side] }
        isRounded = BothSides { side in
            edits[side].map { !$0.rounded.isEmpty } ?? translation.isRounded(unchanged: side)
        }
    }

    func plan() throws(Refusal) -> Plan {
        var plan: Plan
        if let source = input.source, changed[source.other] {
            plan = try oneWay(from: source)
        } else {
            plan = try decided()
        }
        for side in Side.allCases {
            guard let merge = rebased[side]?.merge, !merge.conflicts.isEmpty, let base else { continue }
            plan.conflicts += merge.conflicts
            let places = Self.places(of: merge)
            let givesWay = side == .group && input.known[side] != nil
            let reason: ChangeReason =
                input.known[side] == nil
                ? .overwroteUnread(places, in: side) : .conflict(places, winner: .app)
            var change = plan.change ?? change(.conflict, from: side, reason)
            if let known = plan.change?.done { change.reason = .done(.both(known, reason)) }
            change.action = .conflict
            plan.change = change
            plan.conflictCopies.append(givesWay ? input.snapshot(side)?.bytes ?? [] : base.newest)
        }
        for side in Side.allCases {
            if rebased[side] != nil, plan.settled[side] == nil { plan.settled[side] = settled(side) }
            reportEdits(side, in: &plan)
        }
        return plan
    }

    private func decided() throws(Refusal) -> Plan {
        // Equal values are equal contents; numbers stand for the contents in the comparison.
        let known = baseJSON == nil ? nil : 0
        let app = newest.app.map { isBase($0) ? 0 : 1 }
        let group = newest.group.map { one in
            if isBase(one) { return 0 }
            if let other = newest.app, other.isEqual(to: one) { return app ?? 2 }
            return isSameAcrossVersions() ? 1 : 2
        }
        switch reconcile(base: known, app: app, group: group) {
        case .settled: return try rewritten()
        case .adopt: return app == nil ? .gone(input.document) : try adopted()
        case .propagate(let side): return newest[side] == nil ? removal(from: side) : try carried(from: side)
        case .conflict: return try merged()
        }
    }

    private func isBase(_ json: JSON) -> Bool { baseJSON?.isEqual(to: json) ?? false }

    /// Without a base, two sides are equal if one of them, translated to the other's version, equals the
    /// other.
    private func isSameAcrossVersions() -> Bool {
        guard baseJSON == nil else { return false }
        return Side.allCases.contains { side in
            guard let from = versions.held[side], let to = versions.held[side.other], from != to,
                let mine = input.snapshot(side), let theirs = input.snapshot(side.other),
                let translated = try? input.rule.translate(mine.json, from: from, to: to, agreed: nil)
            else { return false }
            return translated.isEqual(to: theirs.json)
        }
    }

    func change(_ action: PlannedChange.Action, from: Side?, _ reason: ChangeReason) -> PlannedChange {
        PlannedChange(document: input.document.description, action: action, from: from, reason)
    }
}

extension Decision {
    /// The values are unchanged. Changed formatting is copied if both sides have the same version.
    private func rewritten() throws(Refusal) -> Plan {
        for side in Side.allCases where !isWhole(side) {
            return rebased[side]?.isWhole ?? true ? try puttingBack(on: side) : try carried(from: side)
        }
        for side in Side.allCases where changed[side] && !changed[side.other] && !isRounded[side] {
            guard versions.held[side] == versions.target[side.other], !versions.restates else { continue }
            return try carried(from: side)
        }
        if versions.restates {
            var plan = try carried(from: versions.held.app == versions.target.app ? .app : .group)
            plan.change?.reason = .done(.restated)
            plan.cause = .migration
            return plan
        }
        return try kept(change: nil, cause: .app)
    }

    private func adopted() throws(Refusal) -> Plan {
        for side in Side.allCases where !isWhole(side) { return try carried(from: side) }
        if versions.restates { return try carried(from: .app) }
        return try kept(change: .adopted(input.document), cause: .app)
    }

    /// Both sides become the base as they are.
    func kept(change: PlannedChange?, cause: Cause) throws(Refusal) -> Plan {
        let bytes = BothSides { side in input.snapshot(side)?.bytes ?? base?.bytes(on: side) ?? [] }
        let leader: Side =
            versions.held.group == input.rule.newest && versions.held.app != input.rule.newest ? .group : .app
        guard let content = newest[leader] else { return .settled }
        let isNewest = versions.held[leader] == input.rule.newest && !isRounded[leader]
        return Plan(
            change: change,
            agreement: .content(
                agreed(
                    newest: isNewest ? bytes[leader] : content.bytes,
                    sides: bytes,
                    versions: versions.held
                )
            ),
            cause: cause
        )
    }

    func removal(from side: Side) -> Plan {
        var plan = Plan(
            change: change(.delete, from: side, .deleted(in: side)),
            agreement: .absent,
            cause: side == .app ? .app : .group
        )
        plan.writes[side.other] = .remove
        return plan
    }

    private func carried(from side: Side) throws(Refusal) -> Plan {
        guard let content = newest[side] else { return removal(from: side) }
        if input.known[side] != nil, !isWhole(side) {
            return try holding(
                content,
                change: change(.merge, from: side, .savedUnread(in: side)),
                cause: .merge,
                source: side
            )
        }
        let isNew = input.isAbsent(side.other)
        let version = version(translatedFrom: side)
        let reason: ChangeReason =
            switch (isNew, input.record != nil) {
            case (true, true): .outlivedDeletion(in: side, version: version)
            case (true, false): .created(in: side, version: version)
            default: .changed(in: side, version: version)
            }
        return try holding(
            content,
            change: change(isNew ? .create : .update, from: side, reason),
            cause: side == .app ? .app : .group,
            source: side
        )
    }

    /// The version of the other side, if it differs.
    private func version(translatedFrom side: Side) -> Int? {
        guard let from = versions.held[side], let to = versions.target[side.other], from != to else {
            return nil
        }
        return to
    }

    private func merged() throws(Refusal) -> Plan {
        guard let app = newest.app, let group = newest.group else { return .settled }
        // One side may have saved an older version since: merging key by key would mix the two.
        if input.rule.newest == nil, let version = input.record?.version {
            throw Refusal(side: .app, problem: .newerBase(version, known: nil))
        }
        if input.rule.isAsset { return try unmerged(app, because: .cannotBeMerged) }
        let merge: Merge
        do throws(DocumentError) {
            merge = try input.rule.merge(base: baseJSON, app: app, group: group)
        } catch {
            return try unmerged(app, because: ChangeReason.Hindrance(error))
        }
        do throws(Refusal) {
            return try united(merge)
        } catch {
            // Each is valid by itself. A held merge could only be fixed by giving up one of them.
            guard case .unfit = error.problem else { throw error }
            return try unmerged(app, because: .breaksSchema)
        }
    }

    /// The app's document wins as a whole, and the group's is kept.
    private func unmerged(_ app: JSON, because hindrance: ChangeReason.Hindrance) throws(Refusal) -> Plan {
        var plan = try holding(
            app,
            change: change(.conflict, from: .app, .unmerged(hindrance)),
            cause: .merge,
            source: .app
        )
        plan.conflictCopies = input.snapshot(.group).map { [$0.bytes] } ?? []
        return plan
    }

    private static func places(of merge: Merge) -> [String] { first(merge.conflicts.map(\.pointer)) }

    /// As many as are reported.
    static func first(_ pointers: [String]) -> [String] { Array(pointers.prefix(3)) }

    private func united(_ merge: Merge) throws(Refusal) -> Plan {
        let isConflict = !merge.conflicts.isEmpty
        let uncomputed = Self.first(merge.uncomputed)
        let reason: ChangeReason =
            isConflict
            ? .conflict(Self.places(of: merge), winner: .app, uncomputed: uncomputed)
            : .merged(uncomputed: uncomputed)
        var plan = try holding(
            merge.result,
            change: change(isConflict ? .conflict : .merge, from: nil, reason),
            cause: .merge,
            source: nil
        )
        plan.conflicts = merge.conflicts
        plan.conflictCopies = isConflict ? input.snapshot(.group).map { [$0.bytes] } ?? [] : []
        if isConflict { plan.settled = BothSides { settled($0, by: merge) } }
        return plan
    }

    /// The save of a side with its conflicts settled, the last ones by `merge`; `nil` if that is the same.
    private func settled(_ side: Side, by merge: Merge? = nil) -> [UInt8]? {
        guard let save = rebased[side]?.save ?? edits[side]?.save else { return nil }
        var settled = rebased[side]?.settled ?? save
        if let merge, let app = newest.app, let group = newest.group {
            settled = SettledSave(rule: input.rule, side: side)
                .settled(settled, by: merge) { parties throws(DocumentError) in
                    try input.rule.merge(base: baseJSON, app: app, group: group, between: parties)
                }
        }
        return settled.isEqual(to: save) ? nil : settled.bytes
    }
}

extension Decision {
    /// The plan that gives both sides `content` (in the newest version), each in its version. `source` is the
    /// side that it is copied from, if any.
    func holding(
        _ content: JSON,
        change: PlannedChange,
        cause: Cause,
        source: Side?
    ) throws(Refusal) -> Plan {
        var plan = Plan(change: change, agreement: .same, cause: cause)
        var bytes = BothSides<[UInt8]>(app: [], group: [])
        for side in Side.allCases {
            let (text, isWritten) = try translated(content, to: side, source: source)
            bytes[side] = text
            if isWritten { plan.writes[side] = .content(text) }
        }
        let newestSide = Side.allCases.first { side in
            versions.target[side] == input.rule.newest && (plan.writes[side] != nil || !isRounded[side])
        }
        plan.agreement = .content(
            agreed(
                newest: newestSide.map { bytes[$0] } ?? content.bytes,
                sides: bytes,
                versions: versions.target
            )
        )
        return plan
    }

    /// The bytes of `content` for a side, and whether they must be written.
    private func translated(_ content: JSON, to side: Side, source: Side?) throws(Refusal) -> ([UInt8], Bool)
    {
        let target = versions.target[side]
        let present = input.snapshot(side)?.bytes ?? (input.isAbsent(side) ? nil : base?.bytes(on: side))
        let copies = source.map { isWhole($0) && !isRounded[$0] } ?? false
        if side == source, copies, versions.held[side] == target, let present { return (present, false) }
        // Both sides have the same version: copies the bytes.
        if let source, copies, let bytes = input.snapshot(source)?.bytes ?? base?.bytes(on: source),
            versions.held[source] == target
        {
            return (bytes, bytes != present)
        }
        if let present, versions.held[side] == target, let mine = newest[side], mine.isEqual(to: content),
            isWhole(side)
        {
            return (present, false)
        }
        let translated = try Translation(input: input, base: base, baseJSON: baseJSON)
            .translate(content, to: side, in: target, beside: beside(side))
        if let target, let violation = input.violation(in: translated, version: target) {
            guard let whole = filled(translated, from: source, in: target) else {
                throw Refusal(side: source ?? .app, problem: .unfit(version: target, violation))
            }
            return (whole.bytes, whole.bytes != present)
        }
        return (translated.bytes, translated.bytes != present)
    }

    /// The content of a side from which a translation may take what only its version has.
    private func beside(_ side: Side) -> JSON? {
        if side == input.source?.other, changed[side] { return nil }
        return rebased[side]?.save ?? edits[side]?.save ?? newest[side]
    }

    /// Starts from the base, and changes what the edit changes. If lenses were edited since, a translation
    /// may lack fields that they compute now: these are added. `nil` if the result is not valid either.
    private func filled(_ translated: JSON, from source: Side?, in version: Int) -> JSON? {
        guard version == input.rule.newest, let snapshot = source.flatMap({ input.snapshot($0) }),
            let held = snapshot.version, held != version,
            let made = try? input.rule.translate(snapshot.json, from: held, to: version, agreed: nil),
            let filled = try? input.rule.merge(base: nil, app: translated, group: made).result,
            input.violation(in: filled, version: version) == nil
        else { return nil }
        return filled
    }

    /// Whether the side's content includes everything published to it: its program has read all.
    private func isWhole(_ side: Side) -> Bool {
        rebased[side]?.isWhole ?? true && edits[side]?.kept.isEmpty ?? true
    }

    private func agreed(newest: [UInt8], sides: BothSides<[UInt8]>, versions: BothSides<Int?>) -> Plan.Agreed
    {
        Plan.Agreed(
            content: BaseContent(newest: newest, sides: sides.map { $0 == newest ? nil : $0 }),
            versions: versions
        )
    }
}

extension ChangeReason.Hindrance {
    fileprivate init(_ error: DocumentError) {
        self =
            switch error {
            case .json(.byteOrderMark): .byteOrderMark
            case .json(.duplicateKey): .duplicateKey
            default: .cannotBeMerged
            }
    }
}
