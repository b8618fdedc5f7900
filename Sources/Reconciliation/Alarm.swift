/// So many documents gone from one side at once that it is more likely a wrong or emptied container than a
/// wish.
///
/// All of at least two, or of as many as `all` says, or more than half of at least ten.
package func isAlarming(lost: Int, of known: Int, all least: Int = 2) -> Bool {
    (known >= least && lost >= known) || (known >= 10 && lost * 2 > known)
}
