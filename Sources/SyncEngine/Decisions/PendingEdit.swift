import Model

/// An edit that a person made by a command: what it is told as, once it crosses.
struct PendingEdit: Sendable {
    var side: Side
    var digest: Digest
    /// `nil`: that of its side.
    var cause: Cause?
    var reason: ChangeReason
}

extension Engine {
    func asWished(_ plan: Plan, _ input: PlanInput) -> Plan {
        guard let edit = pendingEdits[input.document], input.digest(edit.side) == edit.digest,
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
