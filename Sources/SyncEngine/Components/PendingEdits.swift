package import Model

/// An edit that a person made by a command: what it is told as, once it crosses.
package struct PendingEdit: Sendable {
    package var side: Side
    package var digest: Digest
    /// `nil`: that of its side.
    package var cause: Cause?
    package var reason: ChangeReason

    package init(side: Side, digest: Digest, cause: Cause?, reason: ChangeReason) {
        (self.side, self.digest, self.cause, self.reason) = (side, digest, cause, reason)
    }
}

/// Edits that a person asked for by what they undo or decide, until they have crossed.
///
/// It owns one for each document, and knows in which plan it crosses: one that carries from its side what
/// the edit has put there.
package struct PendingEdits: Sendable {
    private var edits: [RelativePath: PendingEdit] = [:]

    package init() {}

    package mutating func note(_ edit: PendingEdit, of document: RelativePath) { edits[document] = edit }

    /// Something is agreed on, or it could not be made.
    package mutating func forget(_ document: RelativePath) { edits[document] = nil }

    /// The plan as it is to be told.
    package func told(_ plan: Plan, for input: PlanInput) -> Plan {
        guard let edit = edits[input.document], input.digest(edit.side) == edit.digest,
            plan.change?.from == edit.side
        else { return plan }
        var plan = plan
        // Where it met another edit on its way, what became of that is not to be kept from anybody.
        let met = plan.change?.action == .conflict ? plan.change?.done : nil
        plan.change?.reason = .done(met.map { .both(edit.reason, $0) } ?? edit.reason)
        plan.cause = edit.cause ?? plan.cause
        return plan
    }
}
