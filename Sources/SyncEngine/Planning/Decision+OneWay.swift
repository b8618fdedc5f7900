import Documents
import Model

extension Decision {
    /// The plan where the side changed that is not to: it gets what the other side has.
    func oneWay(from source: Side) throws(Refusal) -> Plan {
        let target = source.other
        guard let content = newest[source] else { return removal(from: source) }
        if let other = newest[target], other.isEqual(to: content), !versions.restates {
            return try kept(change: base == nil ? .adopted(input.document) : nil, cause: cause(of: source))
        }
        let isGone = input.isAbsent(target)
        var reason = isGone ? ChangeReason.restored(in: target) : .putBack(in: target)
        if changed[source], input.record != nil { reason = .both(.changed(in: source), reason) }
        return try holding(
            content,
            change: change(isGone ? .create : .update, from: source, reason),
            cause: cause(of: source),
            source: source
        )
    }

    private func cause(of side: Side) -> Cause { side == .app ? .app : .group }
}
