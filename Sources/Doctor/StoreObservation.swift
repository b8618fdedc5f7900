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
    package var surroundings = Surroundings()

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

    /// What is at the store's place, apart from its content.
    package struct Surroundings: Sendable, Hashable {
        /// The permission bits of the file and of its directory; `nil` if there is none.
        package var mode: UInt32?
        package var directoryMode: UInt32?
        /// The path of a file that has the store's name but for its case, where the store is missing.
        package var otherCase: String?
        /// The path of a manifest of AsyncStorage that is in another directory, where the store is missing.
        package var otherPlace: String?
        /// The path of the DataStore in which the app's `SharedPreferencesAsync` keeps its values.
        package var dataStore: String?
        /// The names of the files beside it that are the UserDefaults of the profile's other groups.
        package var otherGroups: [String] = []
        /// The names of the files that killed runs of `store put` left beside it.
        package var leftovers: [String] = []

        package init() {}
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
        /// `isMade`: the bridge makes it.
        case noTable(isMade: Bool)
        /// A JSON file of another name.
        case json(DocumentObservation)
    }
}
