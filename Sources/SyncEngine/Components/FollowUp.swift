package import Model
package import StateStore

/// What a component of the engine has decided, and leaves to the engine to do.
package struct FollowUp: Sendable {
    /// For the journal.
    package var entries: [JournalEntry] = []
    /// Documents that are to be looked at.
    package var documents: [RelativePath] = []
    /// Everything is to be looked at.
    package var wantsScan = false

    package init() {}
}
