/// Why a content that was never a base went to the trash. Printers turn it into text.
package enum OverwriteReason: Sendable, Hashable {
    /// A change of the document replaced it.
    case changed(ChangeReason)
    /// A person wrote another content.
    case replaced
    /// A person deleted the document.
    case deleted
    /// A program saved it while the bridge published another save.
    case savedMeanwhile
    /// It lost a conflict, which a person then resolved otherwise.
    case conflictDecided
    /// It was an unresolved conflict copy, removed for lack of room.
    case conflictDropped
    /// It was in the place of one of the bridge's views.
    case viewPublished(RelativePath)
    case viewRemoved(RelativePath)
    /// A killed run left it.
    case viewInterrupted(RelativePath)
}
