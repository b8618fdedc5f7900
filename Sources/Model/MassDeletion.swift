/// So many documents gone from one side at once that it is more likely a wrong or emptied container than a
/// wish.
///
/// All of at least two, or of as many as `all` says, or more than half of at least ten.
package func isMassDeletion(lost: Int, of known: Int, all least: Int = 2) -> Bool {
    (known >= least && lost >= known) || (known >= 10 && lost * 2 > known)
}

/// The same of a deletion that goes on: as many as `deleted` of what was lost are gone from both sides
/// already, and are not among the known ones any more. Few documents may be deleted one after the other.
package func isMassDeletion(lost: Int, of known: Int, deleted: Int) -> Bool {
    lost > 0 && known + deleted >= 10 && (lost + deleted) * 2 > known + deleted
}

/// So much is going that it may become alarming: who waits a little sees it whole.
package func isMassive(lost: Int, of known: Int) -> Bool { lost >= 10 && lost * 10 >= known }
