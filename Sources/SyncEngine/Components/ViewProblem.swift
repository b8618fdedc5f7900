package import Model
package import StateStore

/// Why a view does not match its document. The document itself is in sync.
package enum ViewProblem: Sendable, Hashable {
    case unwritable(FileError)
    /// Its name is taken by a file that the bridge did not write.
    case taken(view: String)
    /// Its name is taken by something that is not a file.
    case notRegular(view: String)
    /// The journal cannot record that the name is a view's.
    case unrecorded(view: String, JournalError)
    /// The document cannot be represented in the view's version.
    case unmakeable(view: String, Problem)
}
