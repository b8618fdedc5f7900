import Documents
import Model

/// Whether a program saves so quickly that the lab does not see each of its contents, which a bridge may
/// bring all the same. What the bridge itself may have brought there does not count.
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
        let changes = near(number).filter { isChange($0, document, side) && !mayBeBrought($0) }
            .map { history.steps[$0] }
        guard changes.count > Self.fewChanges else { return false }
        let contents = changes.flatMap { [$0.before, $0.version] }.compactMap(\.self).filter(values.isWhole)
        let leaves = contents.map { values.leaves(document, $0) }
        let all = leaves.reduce(into: Set()) { $0.formUnion($1) }
        let lasting = leaves.reduce(into: all) { $0.formIntersection($1) }
        return places.isSubset(of: all.subtracting(lasting).map(\.place))
    }

    /// Whether others than the bridge change it there so often at about that step.
    func changes(_ document: Int, _ side: Side, at number: Int, by authors: [Int: ChangeAuthor]) -> Bool {
        let changes = near(number).filter { isChange($0, document, side) }
        return changes.count { (authors[$0] ?? .bridge) != .bridge } > Self.fewChanges
    }

    private func near(_ number: Int) -> Range<Int> {
        let now = history.steps[number].time
        let first = history.steps[..<number].lastIndex { now - $0.time >= time }.map { $0 + 1 } ?? 0
        let end = history.steps[number...].firstIndex { $0.time - now >= time } ?? history.steps.endIndex
        return first..<end
    }

    private func isChange(_ number: Int, _ document: Int, _ side: Side) -> Bool {
        let step = history.steps[number]
        return step.what == .changed && step.document == document && step.side == side
    }

    /// Whether the other side has had such a content before.
    private func mayBeBrought(_ number: Int) -> Bool {
        guard let document = history.steps[number].document, let side = history.steps[number].side,
            let version = history.steps[number].version
        else { return false }
        return values.hasHeld(document, side.other, version, before: number)
    }
}
