/// How many documents may disappear from one side. If more do, the container is probably a wrong or emptied
/// one, and they were not deleted.
package struct LossThreshold: Sendable, Hashable {
    /// All of them, where there are as many as this or more.
    package var all: Int
    /// More than this share of them, in percent, where there are ten or more.
    package var percent: Int

    package init(all: Int = 2, percent: Int = 50) {
        self.all = all
        self.percent = percent
    }

    package func isExceeded(lost: Int, of known: Int) -> Bool {
        (known >= all && lost >= known) || (known >= 10 && lost * 100 > known * percent)
    }

    /// The same for a deletion that goes on: as many as `deleted` are already gone from both sides, and no
    /// longer among the known ones. A few documents may be deleted one after the other.
    package func isExceeded(lost: Int, of known: Int, deleted: Int) -> Bool {
        lost > 0 && known + deleted >= 10 && (lost + deleted) * 100 > (known + deleted) * percent
    }

    /// So many are disappearing that the threshold may be reached: waiting a little shows the whole loss.
    package func isNear(lost: Int, of known: Int) -> Bool {
        lost * 100 >= known * min(10, percent) && lost >= 10
    }
}
