import Documents
import Model
import Replica
import StateStore

/// A document of which both containers have hard links to one file, as a deduplicator makes them.
///
/// A program that writes into the file changes both sides at once, so that the other side's programs read it
/// half written, and the bridge has nothing to publish.
extension Plan {
    /// Gives the group a file of its own, with the same content, unless a side gets a new file anyway.
    func parting<Failure: Error>(
        _ input: PlanInput,
        base: () throws(Failure) -> BaseContent?
    ) throws(Failure) -> Plan {
        guard !isHold, Side.allCases.allSatisfy({ writes[$0] == nil }) else { return self }
        var plan = self
        if case .same = agreement {
            guard let record = input.record, let content = try base(),
                case .content(let known, let read) = input.rule.agreed(content, record)
            else { return self }
            plan.agreement = .content(Agreed(content: known, versions: read.sides.map { $0.version }))
        }
        guard case .content(let agreed) = plan.agreement else { return self }
        plan.writes.group = .content(input.snapshot(.group)?.bytes ?? agreed.content.bytes(on: .group))
        plan.change = PlannedChange(
            document: input.document.description,
            action: .update,
            from: .app,
            .linked
        )
        return plan
    }
}

extension BothSides<any Replica> {
    /// Whether both names of the document lead to one file.
    func isOneFile(_ input: PlanInput) -> Bool {
        guard let app = input.signature(.app), app == input.signature(.group) else { return false }
        return Side.allCases.allSatisfy { self[$0].hasFiles && self[$0].address(of: input.document) == nil }
    }
}
