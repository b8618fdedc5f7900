/// The kinds of anomalies. Each is decided by what actors did and saw, not by their intentions.
package enum AnomalyKind: String, CaseIterable, Comparable, Sendable {
    /// A reader got bytes that no program wrote as a whole.
    case tornRead = "torn-read"
    /// The bridge was idle, and a reader got an older state than was saved before.
    case staleRead = "stale-read"
    /// After the merge that should bring it back, a reader missed a save that an exchange had displaced.
    /// (Reads before that merge are only counted.)
    case overtakenRead = "overtaken-read"
    /// A reader saw a save, and later a state without it in the same place.
    case nonMonotonicRead = "non-monotonic-read"
    /// A reader saw a content that was then taken back.
    case dirtyRead = "dirty-read"
    /// An acknowledged save is in no container and no conflict copy at the end.
    case lostUpdate = "lost-update"
    /// A deleted document exists again, without a save since.
    case resurrectedDeletion = "resurrected-deletion"
    /// All actors are idle, and the sides differ.
    case divergence
    /// The bridge writes the same contents over and over.
    case pingPong = "ping-pong"
    case duplicateReload = "duplicate-reload"
    case outOfOrderReload = "out-of-order-reload"
    /// All actors are idle, and a subscriber never got a notice of the current state.
    case missedReload = "missed-reload"
    /// A subscriber got a notice of a state that cannot be read yet.
    case prematureReload = "premature-reload"
    /// More reloads within a moment than a widget should get.
    case reloadStorm = "reload-storm"
    /// A widget shows an old state, though its budget would allow a reload.
    case frozenWidget = "frozen-widget"
    /// A widget was not notified that what it shows has become stale.
    case staleAsFresh = "stale-as-fresh"
    /// An event that was pushed reaches the app never.
    case lostTap = "lost-tap"
    /// All actors are idle, and a program waits for a notice or an answer that never comes.
    case deadlock
    /// A custom check failed.
    case ownCheck = "own-check"

    /// Whether it needs a reader, or a subscriber, to occur.
    var isOfReads: Bool {
        [.tornRead, .staleRead, .overtakenRead, .nonMonotonicRead, .dirtyRead].contains(self)
    }

    var isOfReloads: Bool {
        [.duplicateReload, .outOfOrderReload, .missedReload, .prematureReload, .reloadStorm].contains(self)
    }

    /// Whether it needs a placed widget of a scenario, or a tap on one.
    var isOfPlacedWidgets: Bool { [.frozenWidget, .staleAsFresh, .lostTap].contains(self) }

    package static func < (a: Self, b: Self) -> Bool {
        guard let one = allCases.firstIndex(of: a), let other = allCases.firstIndex(of: b) else {
            return false
        }
        return one < other
    }
}
