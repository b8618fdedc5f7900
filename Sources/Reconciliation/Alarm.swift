/// So many documents gone from one side at once that it is more likely a wrong or emptied container than a
/// wish.
///
/// All of at least two, or more than half of at least ten.
package func isAlarming(lost: Int, of known: Int) -> Bool {
    (known >= 2 && lost >= known) || (known >= 10 && lost * 2 > known)
}
