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
        plan.change?.reason = wish.reason
        plan.cause = wish.cause ?? plan.cause
        return plan
    }
}
