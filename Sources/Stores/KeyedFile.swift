/// A file with values under keys, such as the preferences of an app.
///
/// A value: reading it changes nothing, and `replacing` returns the bytes of another file.
package protocol KeyedFile: Sendable {
    /// A file without keys, as the platform would create it.
    init()
    init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault)

    /// Without repetition, in the order of the file.
    var keys: [String] { get }
    subscript(key: String) -> StoreValue? { get }

    /// The bytes of the file with these changes; `nil` removes a key. Every other key keeps its value, its
    /// type and, where the format allows it, its bytes.
    func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8]
}

/// Limits of what is parsed.
package struct StoreLimits: Sendable, Hashable {
    /// The largest size of a file, in bytes.
    package var maxBytes: Int
    /// The most levels of nesting.
    package var maxDepth: Int
    /// The most values in a file, in all levels together.
    package var maxValues: Int

    package init(maxBytes: Int = 64 << 20, maxDepth: Int = 512, maxValues: Int = 1 << 21) {
        (self.maxBytes, self.maxDepth, self.maxValues) = (maxBytes, maxDepth, maxValues)
    }
}
