/// Why a document came to be what it is. The journal keeps it, and a notice tells it.
package enum Cause: String, Codable, Sendable, Hashable {
    case app, group, merge, migration, undo
    /// Not a change: the state a new subscriber is told first.
    case current
}
