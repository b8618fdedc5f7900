import Reconciliation

/// An edit that a person made by a command: what it is told as, once it crosses.
struct Wish: Sendable {
    var side: Side
    var digest: Digest
    /// `nil`: that of its side.
    var cause: Cause?
    var reason: String
}

extension Engine {
    func asWished(_ plan: Plan, _ study: Study) -> Plan {
        guard let wish = wishes[study.document], study.digest(wish.side) == wish.digest,
            plan.change?.from == wish.side
        else { return plan }
        var plan = plan
        // Where it met another edit on its way, what became of that is not to be kept from anybody.
        let met = plan.change?.action == .conflict ? plan.change.map { "; \($0.reason)" } : nil
        plan.change?.reason = wish.reason + (met ?? "")
        plan.cause = wish.cause ?? plan.cause
        return plan
    }
}
