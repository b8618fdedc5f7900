/// Why a content went to the trash that was never agreed on: a fact, which is told in words only where
/// somebody reads it.
package enum OverwriteReason: Sendable, Hashable {
    /// The document changed, and what became of it took its place.
    case changed(ChangeReason)
    /// A person wrote something else.
    case replaced
    /// A person deleted the document.
    case deleted
    /// It was saved while the bridge published another save.
    case savedMeanwhile
    /// It lost a conflict, which a person has decided otherwise.
    case conflictDecided
    /// There was no room for it any more.
    case conflictDropped
    /// It stood where the bridge keeps a view.
    case viewPublished(RelativePath)
    case viewRemoved(RelativePath)
    /// A run that was killed has left it.
    case viewInterrupted(RelativePath)
}
