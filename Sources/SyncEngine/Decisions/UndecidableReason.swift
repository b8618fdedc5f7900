package import Documents
package import Model

/// Why a conflict cannot be resolved, or a content not be restored. `file`: the file with the bytes, in the
/// state directory.
package enum UndecidableReason: Sendable, Hashable {
    /// The document is not synced: `exclude` or `include` leaves it out.
    case excluded(RelativePath, DocumentFilter.Exclusion)
    // Conflicts.
    /// The document is unknown.
    case conflictOfNoDocument(file: RelativePath)
    /// The side that the kept bytes come from is unknown.
    case conflictOfNoSide(file: RelativePath)
    /// This side's content is above the size limit.
    case conflictTooLarge(Side, file: RelativePath)
    /// This side's content was not kept.
    case conflictWithoutContent(Side)
    /// The file would be held.
    case invalidFile(SchemaViolation)

    // Trash.
    case trashOfNoDocument(file: RelativePath)
    case trashOfView(RelativePath, of: RelativePath, file: RelativePath)
    case trashTooLarge(file: RelativePath)
}
