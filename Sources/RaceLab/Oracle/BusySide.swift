import Documents
import Model

/// Whether a program saves so quickly that the lab does not see each of its contents, which a bridge may
/// bring all the same.
struct BusySide {
    let history: History
    let values: ContentValues
    /// How long before and after a change the others are looked at.
    let time: Duration

    /// More changes than this one after the other are too many to have been seen all.
    private static let fewChanges = 2

    /// Whether these places change there so often at about that step.
    func changes(_ places: Set<String>, _ document: Int, _ side: Side, at number: Int) -> Bool {
        guard !places.isEmpty else { return false }
        let now = history.steps[number].time
        let near =
            history.steps[..<number].reversed().prefix { now - $0.time < time }.reversed()
            + history.steps[number...].prefix { $0.time - now < time }
        let changes = near.filter { $0.what == .changed && $0.document == document && $0.side == side }
        guard changes.count > Self.fewChanges else { return false }
        let contents = changes.flatMap { [$0.before, $0.version] }.compactMap(\.self).filter(values.isWhole)
        let leaves = contents.map { values.leaves(document, $0) }
        let all = leaves.reduce(into: Set()) { $0.formUnion($1) }
        let lasting = leaves.reduce(into: all) { $0.formIntersection($1) }
        return places.isSubset(of: all.subtracting(lasting).map(\.place))
    }
}
