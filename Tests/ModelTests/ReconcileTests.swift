import Model
import Testing

@Suite("Reconciling one document")
struct ReconcileTests {
    /// Absent and three contents suffice: `reconcile` only compares for equality, so these 64 cases are all
    /// cases.
    static let contents: [Character?] = [nil, "a", "b", "c"]
    static let cases = contents.flatMap { base in
        contents.flatMap { app in contents.map { group in (base, app, group) } }
    }

    @Test func seesEverythingThereIs() { #expect(Self.cases.count == 64) }

    @Test func isTheMirrorOfItself() {
        for (base, app, group) in Self.cases {
            let verdict = reconcile(base: base, app: app, group: group)
            let mirror = reconcile(base: base, app: group, group: app)
            #expect(verdict == mirror.mirrored)
        }
    }

    @Test func neverDropsAnEdit() {
        for (base, app, group) in Self.cases {
            let survivors = survivors(of: reconcile(base: base, app: app, group: group), app, group)
            for edit in [app, group] where edit != base && edit != nil {
                #expect(
                    survivors.contains(edit),
                    "base \(base as Any) app \(app as Any) group \(group as Any)"
                )
            }
        }
    }

    @Test func restsOnceCarriedOut() {
        for (base, app, group) in Self.cases {
            let verdict = reconcile(base: base, app: app, group: group)
            guard verdict != .conflict, let agreed = survivors(of: verdict, app, group).first else {
                continue
            }
            #expect(reconcile(base: agreed, app: agreed, group: agreed) == .settled)
        }
    }

    @Test func deletesOnlyWhatTheOtherSideLeftAsItWas() {
        for (base, app, group) in Self.cases {
            guard case .propagate(let side) = reconcile(base: base, app: app, group: group) else { continue }
            let (source, target) = side == .app ? (app, group) : (group, app)
            if source == nil { #expect(target == base) }
        }
    }

    private func survivors(of verdict: Verdict, _ app: Character?, _ group: Character?) -> [Character?] {
        switch verdict {
        case .settled, .adopt, .propagate(from: .app): [app]
        case .propagate(from: .group): [group]
        case .conflict: [app, group]
        }
    }
}

extension Verdict {
    fileprivate var mirrored: Verdict {
        if case .propagate(let side) = self { .propagate(from: side.other) } else { self }
    }
}
