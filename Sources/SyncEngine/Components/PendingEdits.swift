package import Model

/// An edit made by a person's command, and how it is reported once it is synced.
package struct PendingEdit: Sendable {
    package var side: Side
    package var digest: Digest
    /// `nil`: the cause of its side.
    package var cause: Cause?
    package var reason: ChangeReason

    package init(side: Side, digest: Digest, cause: Cause?, reason: ChangeReason) {
        (self.side, self.digest, self.cause, self.reason) = (side, digest, cause, reason)
    }
}

/// Edits by undo or by resolving a conflict, until they are synced.
///
/// It keeps one per document, and recognizes the plan that syncs it: the one that copies the edit's content
/// from its side.
package struct PendingEdits: Sendable {
    private var edits: [RelativePath: PendingEdit] = [:]

    package init() {}

    package mutating func remember(_ edit: PendingEdit, of document: RelativePath) { edits[document] = edit }

    /// A new base was recorded, or the edit failed.
    package mutating func forget(_ document: RelativePath) { edits[document] = nil }

    /// The plan with the reason of the edit.
    package func attributed(_ plan: Plan, for input: PlanInput) -> Plan {
        guard let edit = edits[input.document], input.digest(edit.side) == edit.digest,
            plan.change?.from == edit.side
        else { return plan }
        var plan = plan
        // If the edit conflicted with another one, that must be reported, too.
        let met = plan.change?.action == .conflict ? plan.change?.done : nil
        plan.change?.reason = .done(met.map { .both(edit.reason, $0) } ?? edit.reason)
        plan.cause = edit.cause ?? plan.cause
        return plan
    }
}
