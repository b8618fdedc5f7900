package import Documents
package import Model

/// Why a migration is not begun: nothing is written.
package enum MigrationRefusal: Sendable, Hashable {
    /// The first of them, and why.
    case blocked(document: String, MigrationBlock, count: Int)
    case lossy(document: String, count: Int)
    /// A document is no more as it was planned for.
    case moved(document: String, Moved)
    /// A document is no more as the migration left it.
    case edited(document: String, isDeleted: Bool)
    /// The profile was edited after it was applied.
    case lenses([LensDrift])
    /// A person has said that the migration of this document is there to stay.
    case finished(document: String)
    /// The old bytes are no longer kept.
    case trashGone(document: String, hash: Digest)
    /// Nothing was noted of that directory, but of others, one of which it may have been: their paths.
    case unknownDirectory(String, others: [String])

    /// What has become of a document since the plan was made.
    package enum Moved: Sendable, Hashable {
        case unreadable
        case changed
        /// By the profile of now it would become another.
        case otherResult
        /// The plan says another version, container or result than it was made with.
        case otherPlan
        /// Told by an agent.
        case told(String)

        package var text: String {
            switch self {
            case .unreadable: "it cannot be read any more"
            case .changed: "it was changed since the plan was made"
            case .otherResult: "the result differs from the plan: the profile was edited"
            case .otherPlan: "the plan says otherwise what becomes of it: the plan was edited"
            case .told(let text): text
            }
        }
    }
}
