import Model
import StateStore
import SyncEngine
import Testing

/// The reason of a person's edit when it is synced; without an engine.
@Suite struct PendingEditsTests {
    private let undo = ChangeReason.undone(generation: 1)

    private func pending(_ letter: Letter, on side: Side, in input: PlanInput) -> PendingEdits {
        var edits = PendingEdits()
        let digest = letter.plain.digest
        edits.remember(
            PendingEdit(side: side, digest: digest, cause: .undo, reason: undo),
            of: input.document
        )
        return edits
    }

    /// The app has `b` instead of `a`.
    private func edited() throws -> (PlanInput, Plan) {
        let (before, after) = (Letter.a.plain, Letter.b.plain)
        var situation = Situation(rule: Rules.plain)
        situation.agree(newest: before, app: before, group: before)
        (situation.app, situation.group) = (after, before)
        return (try situation.input(), try situation.planned())
    }

    @Test func `the change that syncs the edit has the edit's reason, until it is synced`() throws {
        let (input, plan) = try edited()
        var edits = pending(.b, on: .app, in: input)
        let told = edits.attributed(plan, for: input)
        #expect(told.change?.reason == .done(undo) && told.cause == .undo)
        #expect(told.written(to: .group) == plan.written(to: .group))
        edits.forget(input.document)
        #expect(edits.attributed(plan, for: input).summary == plan.summary)
    }

    @Test func `a later save, or one on the other side, has its own reason`() throws {
        let (input, plan) = try edited()
        #expect(pending(.c, on: .app, in: input).attributed(plan, for: input).summary == plan.summary)
        #expect(pending(.a, on: .group, in: input).attributed(plan, for: input).summary == plan.summary)
    }

    @Test func `where the edit met another one, both reasons are given`() throws {
        var (input, plan) = try edited()
        plan.change = PlannedChange(
            document: input.document.description,
            action: .conflict,
            from: .app,
            reason: .done(.bothChanged)
        )
        let told = pending(.b, on: .app, in: input).attributed(plan, for: input)
        #expect(told.change?.reason == .done(.both(undo, .bothChanged)))
        input.document = inApp("other.json").path
        #expect(pending(.b, on: .app, in: try edited().0).attributed(plan, for: input).cause == plan.cause)
    }
}
