import FileSystem
import Model

/// A new value of a document in a store.
struct StoreChange<Document> {
    /// `nil`: the document is removed.
    let bytes: [UInt8]?
    let target: Location
    let document: Document
    /// A temporary file of the document, whose name identifies the change.
    let temporary: Location

    init(to bytes: [UInt8]?, of target: Location, in document: Document, named temporary: Location) {
        (self.bytes, self.target, self.document, self.temporary) = (bytes, target, document, temporary)
    }
}
