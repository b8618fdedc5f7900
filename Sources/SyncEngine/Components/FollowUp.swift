package import Model
package import StateStore

/// What the engine must do after a component's decision.
package struct FollowUp: Sendable {
    /// Entries for the journal.
    package var entries: [JournalEntry] = []
    /// Documents to read.
    package var documents: [RelativePath] = []
    /// Whether to scan everything.
    package var wantsScan = false

    package init() {}
}
