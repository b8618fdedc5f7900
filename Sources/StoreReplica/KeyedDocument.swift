package import Model
package import Stores

/// A document whose value lies under keys of a file.
package struct KeyedDocument: Sendable {
    /// Beneath the container.
    package var file: RelativePath
    package var format: KeyedFormat
    /// All keys that belong to the document.
    package var keys: Set<ExactText>
    /// Where AsyncStorage has the value of the only key if it is long; `nil` for other formats.
    package var valueFile: RelativePath?
    /// The document's bytes; `nil` if it is absent. The second argument is `last`.
    package var read: @Sendable (any KeyedFile, [UInt8]?) throws(StoreProblem) -> [UInt8]?
    /// What to write for these bytes; `nil` removes a key, and all of them for an absent document.
    package var changes: @Sendable ([UInt8]?) throws(StoreProblem) -> StoreChanges

    /// The keys that distinguish it from other documents of the file, without keys that only copy its values.
    package var identity: [String]
    /// Whether the file's single values are those of another document than this one, which it also has as a
    /// whole; `nil` for a document that is under one key only, or composed.
    package var disagrees: (@Sendable (any KeyedFile, [UInt8]) -> Bool)?
    /// It has no text of its own, and is composed of single values.
    package var isComposed: Bool
    /// For a composed document: what the file last had, with what single values cannot express.
    package var last: [UInt8]?

    package init(
        file: RelativePath,
        format: KeyedFormat,
        keys: [String],
        identity: [String]? = nil,
        isComposed: Bool = false,
        read: @escaping @Sendable (any KeyedFile, [UInt8]?) throws(StoreProblem) -> [UInt8]?,
        changes: @escaping @Sendable ([UInt8]?) throws(StoreProblem) -> StoreChanges
    ) {
        (self.file, self.format, self.isComposed) = (file, format, isComposed)
        self.keys = Set(keys.map(ExactText.init(_:)))
        self.identity = identity ?? keys.sorted()
        (self.read, self.changes) = (read, changes)
    }

    /// The document's bytes; `nil` if it is absent.
    package func bytes(in file: any KeyedFile) throws(StoreProblem) -> [UInt8]? { try read(file, last) }

    /// The same, or `.some(nil)` if it is absent; `nil` if they cannot be read.
    func reading(_ file: any KeyedFile) -> [UInt8]?? {
        do throws(StoreProblem) { return try bytes(in: file) } catch { return nil }
    }
}

/// How a file with keys is read.
package struct KeyedFormat: Sendable {
    package var parse: @Sendable ([UInt8]) throws(StoreFault) -> any KeyedFile
    package var empty: @Sendable () -> any KeyedFile
    /// While there is a file of the same name with `.bak`, a program is writing the file, and the other one
    /// has its content.
    package var hasBackup: Bool

    /// The file has nothing but the document, and goes with it.
    package var isWhole: Bool

    package init(
        hasBackup: Bool = false,
        isWhole: Bool = false,
        parse: @escaping @Sendable ([UInt8]) throws(StoreFault) -> any KeyedFile,
        empty: @escaping @Sendable () -> any KeyedFile
    ) {
        (self.parse, self.empty, self.hasBackup, self.isWhole) = (parse, empty, hasBackup, isWhole)
    }
}
