/// Why a document cannot be migrated.
package enum MigrationBlock: Sendable, Hashable {
    case unknownVersion(VersionFault)
    // `indirect`, because a violation is larger than the other values.
    indirect case breaksSchema(version: Int, SchemaViolation)
    indirect case wouldBreakSchema(version: Int, SchemaViolation)
    case untranslatable(DocumentError)
    /// It can be migrated, but the result cannot be migrated back.
    case noWayBack(DocumentError)
    case absent
    case changing
    /// Its side is pinned to this version.
    case pinned(version: Int)
    /// The journal cannot provide the base.
    case unreadableBase
    case notInSync
    /// The text of another module or of an agent, whose facts this module does not know.
    case reported(LocatedText)
}
