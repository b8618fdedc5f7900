/// What became of a document, and why: a fact, which is told in words only where somebody reads it.
package enum ChangeReason: Fact {
    // One side's change crosses. `version`: the other side was told in that version, not in its own.
    case created(in: Side, version: Int? = nil)
    case changed(in: Side, version: Int? = nil)
    case deleted(in: Side)
    /// The other side has deleted what this one edited.
    case outlivedDeletion(in: Side, version: Int? = nil)
    case movedTo(RelativePath, in: Side)
    case movedFrom(RelativePath, in: Side)
    /// Its program had not read the last change.
    case savedUnread(in: Side)

    // Both sides are the same already.
    case same
    case gone
    case spelledAnew

    // Both changed. `uncomputed`: the first fields that no rule could compute.
    case merged(uncomputed: [String] = [])
    /// What came of it is not known any more.
    case bothChanged
    /// The first places that both changed, and whose value stands there.
    case conflict([String], winner: Side, uncomputed: [String] = [])
    /// The app's stands whole.
    case unmerged(Hindrance)

    // A save that came while another was published, or that a killed run has left.
    case raced(in: Side, Outcome)
    case leftTooLarge(in: Side)
    case leftUnknown(in: Side)

    // A person, a profile or a migration wanted it.
    case undone(generation: Int64?)
    /// `winner`: `nil` where it was decided with a file.
    case decided(conflict: String, winner: Side?)
    case restated
    case migrated

    /// The first, and what was met on the way.
    indirect case both(ChangeReason, ChangeReason)
    /// Told by an older release, of which only the words are left.
    case text(String)

    /// Why two documents could not become one.
    package enum Hindrance: String, Sendable, Hashable {
        case cannotBeMerged = "cannot-be-merged"
        /// Each was good by itself.
        case breaksSchema = "breaks-schema"
    }

    /// What became of a save that met another one.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case laterStands = "later-stands"
        case appStands = "app-stands"
        /// The other side's stands whole.
        case unmergeable
        case tooLarge = "too-large"
    }
}
