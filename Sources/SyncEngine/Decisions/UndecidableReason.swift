package import Model

/// Why a decision cannot be carried out, or a content cannot be brought back. `file`: where the bytes are
/// kept, beneath the state directory.
package enum UndecidableReason: Sendable, Hashable {
    // Of a conflict.
    /// Which document it was about is not known.
    case conflictOfNoDocument(file: RelativePath)
    /// Which side the kept bytes come from is not known.
    case conflictOfNoSide(file: RelativePath)
    /// What this side had is too large for a document.
    case conflictTooLarge(Side, file: RelativePath)
    /// What this side had was not kept.
    case conflictWithoutContent(Side)

    // Of the trash.
    case trashOfNoDocument(file: RelativePath)
    case trashOfView(RelativePath, of: RelativePath, file: RelativePath)
    case trashTooLarge(file: RelativePath)
}
