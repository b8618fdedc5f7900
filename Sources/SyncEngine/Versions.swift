import Documents
import Reconciliation
import Storage

/// Which version each side holds, and which it is to be told in.
struct Versions {
    private let study: Study
    /// What is there now; `nil` without a document, or for documents without versions.
    let held: BothSides<Int?>
    /// What the side speaks.
    let spoken: BothSides<Int?>

    init(_ study: Study) {
        self.study = study
        let rule = study.rule
        let newest = rule.newest
        let held = BothSides { side -> Int? in
            switch study.observed[side] {
            case .content(let sight): sight.version
            case .unchanged: study.record?.sides[side].version
            case .absent, .problem: nil
            }
        }
        self.held = held
        // One that the profile no longer knows is spoken by nobody.
        let recorded = BothSides { side in
            study.record?.sides[side].version.flatMap { rule.knows(version: $0) ? $0 : nil }
        }
        spoken = BothSides { side in
            newest == nil ? nil : study.pinned[side] ?? held[side] ?? recorded[side] ?? newest
        }
    }

    /// A side holds its document in another version than the one it is made to speak.
    var restates: Bool { Side.allCases.contains { held[$0] != nil && held[$0] != spoken[$0] } }

    /// The commonest plan, for which nothing has to be known but digests: one side changed, the other did not
    /// (or was never there), and both speak the same version. The bytes are carried as they are.
    func carriedAsItIs(_ changed: BothSides<Bool>) -> Plan? {
        guard !restates else { return nil }
        for from in Side.allCases {
            guard changed[from], !changed[from.other], let sight = study.sight(from) else { continue }
            guard sight.version == spoken[from.other], study.rule.newest == sight.version else { continue }
            guard study.known[from] == nil else { continue }
            let isNew = study.record == nil
            guard isNew || !study.isAbsent(from.other) else { continue }
            // A program that has just changed its version does not know all that was agreed.
            guard isNew || study.record?.sides[from].version == sight.version else { continue }
            // What a newer profile agreed on says more than this.
            guard isNew || study.record?.version == study.rule.newest else { continue }
            var plan = Plan(
                change: PlannedChange(
                    document: study.document.description,
                    action: isNew ? .create : .update,
                    from: from,
                    reason: isNew ? "created in \(from.rawValue)" : "changed in \(from.rawValue)"
                ),
                agreement: .content(
                    Plan.Agreed(
                        content: BaseContent(newest: sight.bytes),
                        versions: BothSides { _ in sight.version }
                    )
                ),
                cause: from == .app ? .app : .group
            )
            plan.writes[from.other] = .content(sight.bytes)
            return plan
        }
        return nil
    }
}

extension Study {
    func isAbsent(_ side: Side) -> Bool {
        if case .absent = observed[side] { true } else { false }
    }
}
