package import Model

/// The announced replacement of a document. With it, the next run can tell an edit of the program that has
/// replaced it again from the bridge's.
package struct PublicationIntent: Sendable, Hashable {
    package var document: RelativePath
    /// The side that it is published on.
    package var side: Side
    /// The base once it is published. Its generation is that of the base before, plus 1.
    package var record: DocumentRecord
    package var content: BaseContent

    package init(document: RelativePath, side: Side, record: DocumentRecord, content: BaseContent) {
        (self.document, self.side) = (document, side)
        (self.record, self.content) = (record, content)
    }
}
