import Reconciliation
import Storage

/// A deletion that takes its time crosses in parts, and still counts as one.
extension Engine {
    /// What a halt was made for stays as it is until that ends.
    mutating func watchDeletions(at now: Moment) {
        for side in Side.allCases where halt == nil { deletions[side].pass(to: now.uptime) }
        debounceQueue.isMassive = Side.allCases.contains { side in
            let deleted = deletions[side].count
            return isMassive(lost: absences[side].lostCount + deleted, of: records.count + deleted)
        }
        if halt == nil, remembersDeletions, Side.allCases.allSatisfy({ deletions[$0].count == 0 }) {
            rememberDeletions()
        }
    }

    /// What a person has allowed to go, or what has only moved, tells nothing of what goes next.
    mutating func note(deletionBy job: PendingCommit, at now: Moment) {
        for side in Side.allCases where absences[side].isLost(job.path) && job.input.isAbsent(side) {
            deletions[side].add(at: now.uptime)
        }
    }

    func alarm(ofDeletionOn side: Side, _ lost: Int, of known: Int) -> Halt? {
        let deleted = deletions[side].count
        guard isMassDeletion(lost: lost, of: known, deleted: deleted) else { return nil }
        return Halt(side: side, reason: .lost(lost + deleted, of: known + deleted, crossed: deleted))
    }

    /// The next run is to come to the same end.
    mutating func rememberDeletions() {
        let counts = LossCounts(arrivals: arrivals, deletions: deletions.map(\.count))
        guard remembersDeletions || counts.hasDeletions else { return }
        remembersDeletions = counts.hasDeletions
        noteLossCounts()
    }

    mutating func noteLossCounts() {
        let known = remembersDeletions ? deletions.map(\.count) : BothSides(app: 0, group: 0)
        let counts = LossCounts(arrivals: arrivals, deletions: known)
        journal.add([.value(counts.text, key: LossCounts.key)])
    }
}

/// By which a loss is judged, as the journal keeps it: numbers, parted by spaces.
struct LossCounts {
    static let key = "arrivals"

    var arrivals: Int
    var deletions: BothSides<Int>

    init(arrivals: Int, deletions: BothSides<Int>) { (self.arrivals, self.deletions) = (arrivals, deletions) }

    init(text: String) {
        let numbers = text.split(separator: " ").map { Int($0) ?? 0 }
        arrivals = numbers.first ?? 0
        deletions =
            numbers.count == 3 ? BothSides(app: numbers[1], group: numbers[2]) : BothSides(app: 0, group: 0)
    }

    var hasDeletions: Bool { deletions.app + deletions.group > 0 }

    var text: String { hasDeletions ? "\(arrivals) \(deletions.app) \(deletions.group)" : "\(arrivals)" }
}
