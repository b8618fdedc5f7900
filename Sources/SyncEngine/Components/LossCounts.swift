package import Model

/// The numbers by which a loss is judged, as stored in the journal: separated by spaces.
package struct LossCounts: Sendable, Hashable {
    package static let key = "arrivals"

    package var arrivals: Int
    package var deletions: BothSides<Int>

    package init(arrivals: Int, deletions: BothSides<Int>) {
        (self.arrivals, self.deletions) = (arrivals, deletions)
    }

    package init(text: String) {
        let numbers = text.split(separator: " ").map { Int($0) ?? 0 }
        arrivals = numbers.first ?? 0
        deletions =
            numbers.count == 3 ? BothSides(app: numbers[1], group: numbers[2]) : BothSides(app: 0, group: 0)
    }

    package var hasDeletions: Bool { deletions.app + deletions.group > 0 }

    package var text: String {
        hasDeletions ? "\(arrivals) \(deletions.app) \(deletions.group)" : "\(arrivals)"
    }
}
