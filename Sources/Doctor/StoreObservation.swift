package import Documents
package import Model
package import Stores

/// A document's store on one side, and what was seen there.
package struct StoreObservation: Sendable {
    package var side: Side
    package var platform: StorePlatform
    package var rule: DocumentRule
    package var store: StoreRule
    package var content: Content

    package init(
        _ side: Side,
        _ platform: StorePlatform,
        _ rule: DocumentRule,
        _ store: StoreRule,
        _ content: Content
    ) {
        (self.side, self.platform, self.rule, self.store) = (side, platform, rule, store)
        self.content = content
    }

    package enum Content: Sendable {
        /// The container cannot be used.
        case unknown
        /// These files of the same kind are in its directory.
        case missing(neighbours: [String])
        case busy
        case locked
        case unreadable(FileError)
        case unusable(StoreProblem)
        /// A database of so many bytes is not copied.
        case notExamined(Int64)
        /// `backup`: it was read from the file with `.bak`, which is there since then, in nanoseconds since
        /// 1970.
        case file(any KeyedFile, size: Int, backup: Int64?)
        /// `nil`: the table has no such row.
        case row([UInt8]?)
        case noTable
        /// A JSON file of another name.
        case json(DocumentObservation)
    }
}
