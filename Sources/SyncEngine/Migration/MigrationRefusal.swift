package import Documents
package import Model

/// Why a migration or a rollback does not begin; nothing is written.
package enum MigrationRefusal: Sendable, Hashable {
    /// The first blocked document, and how many there are.
    case blocked(document: String, MigrationBlock, count: Int)
    case lossy(document: String, count: Int)
    /// A document differs from the plan.
    case moved(document: String, Moved)
    /// A document differs from the migration's result.
    case edited(document: String, isDeleted: Bool)
    /// The profile was edited after it migrated the documents.
    case lenses([LensDrift])
    /// A person has finished the migration of this document, so it is final.
    case finished(document: String)
    /// The original bytes are no longer kept.
    case trashGone(document: String, hash: Digest)
    /// No migration of that directory is recorded, but of other directories, which may be the same one
    /// under another path.
    case unknownDirectory(String, others: [String])

    /// How a document differs from the plan.
    package enum Moved: Sendable, Hashable {
        case unreadable
        case changed
        /// With the current profile the result differs.
        case otherResult
        /// The plan file has another version, container or result than when it was made.
        case otherPlan
        /// The text of an agent.
        case reported(String)

        package var text: String {
            switch self {
            case .unreadable: "it cannot be read any more"
            case .changed: "it was changed since the plan was made"
            case .otherResult: "the result differs from the plan: the profile was edited"
            case .otherPlan: "the plan says otherwise what becomes of it: the plan was edited"
            case .reported(let text): text
            }
        }
    }
}
