package import Model

/// A commit that is about to be made on one side. With it, the next run can determine whether it was made,
/// and distinguish a later edit of a program from what the bridge wrote.
package struct CommitIntent: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        case created
        case replaced
        case renamed(from: RelativePath)
    }

    package var document: RelativePath
    /// The side that the commit changes.
    package var side: Side
    package var change: Change
    /// The base once the commit is made. Its generation is that of the base before, plus 1.
    package var record: DocumentRecord
    /// The content of that base; `nil` if both sides have the same bytes, which one of them still may have.
    package var content: BaseContent?
    /// The boot ID of the machine: after a power cut, what was created or renamed may be missing.
    package var boot: String

    package init(
        document: RelativePath,
        side: Side,
        _ change: Change,
        record: DocumentRecord,
        content: BaseContent?,
        boot: String
    ) {
        (self.document, self.side, self.change) = (document, side, change)
        (self.record, self.content, self.boot) = (record, content, boot)
    }
}
