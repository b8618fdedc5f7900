/// What happened to a document, and why. Printers turn it into text.
package enum ChangeReason: Fact {
    // The change of one side is copied to the other. `version`: translated to that version, not the side's
    // own.
    case created(in: Side, version: Int? = nil)
    case changed(in: Side, version: Int? = nil)
    case deleted(in: Side)
    /// The other side deleted the document that this side edited.
    case outlivedDeletion(in: Side, version: Int? = nil)
    case movedTo(RelativePath, in: Side)
    case movedFrom(RelativePath, in: Side)
    /// The program had not read the last change.
    case savedUnread(in: Side)
    /// The program saved other values of these fields than the last ones, which its former version does not
    /// represent.
    case overwroteUnread([String], in: Side)

    /// Its profile syncs the document only from the other side, whose content it got again.
    case putBack(in: Side)
    /// The same for a deletion.
    case restored(in: Side)

    /// The program only rounded these numbers when it read them; the exact ones stay.
    case rounded([String], in: Side)
    /// The side must not change these fields, which have the base's values again.
    case keptFields([String], in: Side)

    // Both sides have the same content already.
    case same
    case gone
    case reformatted
    /// Both sides had the document in one file: the group got a file of its own.
    case linked

    // Both sides changed. `uncomputed`: the first fields that no merge rule can compute.
    case merged(uncomputed: [String] = [])
    /// The outcome was not recorded.
    case bothChanged
    /// The first fields that both sides changed, and the side whose value wins.
    case conflict([String], winner: Side, uncomputed: [String] = [])
    /// The app's document wins as a whole.
    case unmerged(Hindrance)

    // A save during a publication, or a file left by a killed run.
    case raced(in: Side, Outcome)
    case leftTooLarge(in: Side)
    case leftUnknown(in: Side)

    // Requested by a person, a profile or a migration.
    case undone(generation: Int64?)
    /// `winner`: `nil` if it was resolved with a file.
    case decided(conflict: String, winner: Side?)
    case restated
    case migrated

    // No change: widgets that show it reload. The second had to wait for a slot; the third was granted
    // before, and not acknowledged.
    case reloaded
    case reloadedLate
    case reloadedAgain

    /// The main reason, and a second one that applied as well.
    indirect case both(ChangeReason, ChangeReason)
    /// A sentence of an older release that identifies no reason.
    case text(String)

    /// Whether it is about widgets alone.
    package var isReload: Bool { self == .reloaded || self == .reloadedLate || self == .reloadedAgain }

    /// Why two documents cannot be merged.
    package enum Hindrance: String, Sendable, Hashable {
        case cannotBeMerged = "cannot-be-merged"
        case byteOrderMark = "byte-order-mark"
        case duplicateKey = "duplicate-key"
        /// Each was valid by itself.
        case breaksSchema = "breaks-schema"
    }

    /// The outcome of a save during the publication of another one.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case laterStands = "later-stands"
        case appStands = "app-stands"
        /// The other side's document wins as a whole.
        case unmergeable
        case tooLarge = "too-large"
    }
}
