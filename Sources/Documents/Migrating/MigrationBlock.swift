/// Why a document cannot be migrated.
package enum MigrationBlock: Sendable, Hashable {
    case unknownVersion(VersionFault)
    // A violation is larger than all the others.
    indirect case breaksSchema(version: Int, SchemaViolation)
    indirect case wouldBreakSchema(version: Int, SchemaViolation)
    case untranslatable(DocumentError)
    /// It can be said in the other version, but that not in its own again.
    case noWayBack(DocumentError)
    case absent
    case changing
    /// Its side is made to speak this version.
    case pinned(version: Int)
    /// The journal cannot tell what was last agreed.
    case unreadableBase
    case notInSync
    /// Told by whoever holds the document, or by an agent, whose facts this module does not know.
    case told(LocatedText)
}
