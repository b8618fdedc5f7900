package import Model
package import StateStore

/// Why a view is not what its document says. The document itself is in order.
package enum ViewProblem: Sendable, Hashable {
    case unwritable(FileError)
    /// A file that is not the bridge's stands in its place.
    case taken(view: String)
    /// Something that is no file stands in its place.
    case notRegular(view: String)
    /// The journal cannot note that the place is the bridge's.
    case unrecorded(view: String, JournalError)
    /// What is agreed cannot be said in its version.
    case unmakeable(view: String, Problem)
}
