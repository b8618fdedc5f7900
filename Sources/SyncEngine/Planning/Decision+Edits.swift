import Documents
import Model

extension Decision {
    /// Says what of a side's save is no edit.
    func tellOfEdits(_ side: Side, in plan: inout Plan) {
        guard let edits = edits[side], !edits.rounded.isEmpty else { return }
        let reason = ChangeReason.rounded(Self.first(edits.rounded), in: side)
        if let known = plan.change?.done {
            plan.change?.reason = .done(.both(known, reason))
        } else if plan.change == nil {
            plan.change = change(.adopt, from: side, reason)
        }
    }
}
