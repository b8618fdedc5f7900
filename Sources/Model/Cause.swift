/// The origin of a document's content. The journal stores it, and notices contain it.
package enum Cause: String, Codable, Sendable, Hashable {
    case app, group, merge, migration, undo
    /// No change of the document: what a widget shows became stale, or it asked for a reload by itself.
    case time
    /// Not a change: the current state, which a new subscriber gets first.
    case current
}
