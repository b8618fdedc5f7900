import Documents
import Model
import StateStore

/// The version that each side has, and the one that it gets.
struct Versions {
    private let input: PlanInput
    /// The current version; `nil` if the document is absent or has no versions.
    let held: BothSides<Int?>
    /// The version that the side gets.
    let target: BothSides<Int?>

    init(_ input: PlanInput) {
        self.input = input
        let rule = input.rule
        let newest = rule.newest
        let held = BothSides { side -> Int? in
            switch input.observed[side] {
            case .content(let snapshot): snapshot.version
            case .unchanged: input.record?.sides[side].version
            case .absent, .problem: nil
            }
        }
        self.held = held
        // A version that the profile no longer has is ignored.
        let recorded = BothSides { side in
            input.record?.sides[side].version.flatMap { rule.knows(version: $0) ? $0 : nil }
        }
        target = BothSides { side in
            newest == nil ? nil : input.pinned[side] ?? held[side] ?? recorded[side] ?? newest
        }
    }

    /// Whether a side's document has another version than the one it is pinned to.
    var restates: Bool { Side.allCases.contains { held[$0] != nil && held[$0] != target[$0] } }

    /// The most common plan, which needs only digests: one side changed, the other did not (or never
    /// existed), and both have the same version. The bytes are copied.
    func carriedAsItIs(_ changed: BothSides<Bool>) -> Plan? {
        guard !restates else { return nil }
        for from in Side.allCases {
            guard changed[from], !changed[from.other], let snapshot = input.snapshot(from) else { continue }
            guard snapshot.version == target[from.other], input.rule.newest == snapshot.version else {
                continue
            }
            guard input.known[from] == nil else { continue }
            let isNew = input.record == nil
            guard isNew || !input.isAbsent(from.other) else { continue }
            // A program that has just changed its version has not read the whole base.
            guard isNew || input.record?.sides[from].version == snapshot.version else { continue }
            // A base of a newer profile has more fields.
            guard isNew || input.record?.version == input.rule.newest else { continue }
            var plan = Plan(
                change: PlannedChange(
                    document: input.document.description,
                    action: isNew ? .create : .update,
                    from: from,
                    isNew ? .created(in: from) : .changed(in: from)
                ),
                agreement: .content(
                    Plan.Agreed(
                        content: BaseContent(newest: snapshot.bytes),
                        versions: BothSides { _ in snapshot.version }
                    )
                ),
                cause: from == .app ? .app : .group
            )
            plan.writes[from.other] = .content(snapshot.bytes)
            return plan
        }
        return nil
    }
}

extension PlanInput {
    func isAbsent(_ side: Side) -> Bool {
        if case .absent = observed[side] { true } else { false }
    }
}
