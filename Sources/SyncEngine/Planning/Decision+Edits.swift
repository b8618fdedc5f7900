import Documents
import Model

extension Decision {
    /// A side's program changed only fields that it must not change: it gets what the other side has.
    func puttingBack(on side: Side) throws(Refusal) -> Plan {
        guard let content = newest[side], let edits = edits[side] else { return .settled }
        let reason = ChangeReason.keptFields(Self.first(edits.kept), in: side)
        return try holding(
            content,
            change: change(.update, from: side.other, reason),
            cause: side == .app ? .group : .app,
            source: side.other
        )
    }

    /// Says what of a side's save is no edit.
    func reportEdits(_ side: Side, in plan: inout Plan) {
        guard let edits = edits[side] else { return }
        if !edits.rounded.isEmpty {
            report(.rounded(Self.first(edits.rounded), in: side), of: side, in: &plan)
        }
        if !edits.kept.isEmpty { report(.keptFields(Self.first(edits.kept), in: side), of: side, in: &plan) }
    }

    private func report(_ reason: ChangeReason, of side: Side, in plan: inout Plan) {
        guard let known = plan.change?.done else {
            if plan.change == nil { plan.change = change(.adopt, from: side, reason) }
            return
        }
        if known != reason { plan.change?.reason = .done(.both(known, reason)) }
    }
}

extension SideEdits {
    /// The edits of a side's save alone.
    static func of(_ side: Side, in save: JSON, since base: JSON?, by rule: DocumentRule) -> JSON {
        base.map { SideEdits(in: save, of: side.container, since: $0, by: rule).json } ?? save
    }
}
