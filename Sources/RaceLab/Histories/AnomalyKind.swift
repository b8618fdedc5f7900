/// What can be wrong with a history. Each is decided from what was done and seen, never from what anybody
/// meant.
package enum AnomalyKind: String, CaseIterable, Comparable, Sendable {
    /// A reader got bytes that nobody ever wrote as a whole.
    case tornRead = "torn-read"
    /// The bridge had nothing left to do, and a reader got less than had been saved before that.
    case staleRead = "stale-read"
    /// A reader missed a save that it could have read before, which had been displaced by an exchange, after
    /// the merge that was to bring it back. (Before that merge it is only counted.)
    case overtakenRead = "overtaken-read"
    /// A reader saw a save, and then, in the same place, a state without it.
    case nonMonotonicRead = "non-monotonic-read"
    /// A reader saw what was then taken back.
    case dirtyRead = "dirty-read"
    /// A save that was acknowledged is in no container and no conflict copy at the end.
    case lostUpdate = "lost-update"
    /// A document that was deleted, and that nobody has saved since, is there.
    case resurrectedDeletion = "resurrected-deletion"
    /// Everything is at rest, and the sides differ.
    case divergence
    /// The bridge writes what it has written before, over and over.
    case pingPong = "ping-pong"
    case duplicateReload = "duplicate-reload"
    case outOfOrderReload = "out-of-order-reload"
    /// Everything is at rest, and a subscriber was never told of what is there.
    case missedReload = "missed-reload"
    /// A subscriber was told of what cannot be read yet.
    case prematureReload = "premature-reload"
    /// More reloads than a widget is given: many within a moment.
    case reloadStorm = "reload-storm"
    /// Whoever explored has a check of their own, and it failed.
    case ownCheck = "own-check"

    /// Whether it takes somebody who reads to see it; who subscribes.
    var isOfReads: Bool {
        [.tornRead, .staleRead, .overtakenRead, .nonMonotonicRead, .dirtyRead].contains(self)
    }

    var isOfReloads: Bool {
        [.duplicateReload, .outOfOrderReload, .missedReload, .prematureReload, .reloadStorm].contains(self)
    }

    package static func < (a: Self, b: Self) -> Bool {
        guard let one = allCases.firstIndex(of: a), let other = allCases.firstIndex(of: b) else {
            return false
        }
        return one < other
    }
}
