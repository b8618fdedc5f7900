package import Model
package import Stores

/// A key of a store with its value.
package struct StoreEntry: Sendable, Hashable {
    package var key: String
    package var content: Content

    package enum Content: Sendable, Hashable {
        case value(StoreValue)
        case null
        /// In a file of this name, which cannot be read.
        case missingFile(String)
    }

    package init(_ key: String, _ content: Content) { (self.key, self.content) = (key, content) }
}

/// A change of one value by hand.
package struct StorePut: Sendable, Hashable {
    package var key: String
    package var bytes: [UInt8]
    /// `nil`: the type that the key has.
    package var type: StoreType?
    /// The hash of the value that is replaced, `.some(nil)` for a key that has none; `nil` for any.
    package var expected: Digest??

    package init(_ bytes: [UInt8], for key: String, as type: StoreType?, over expected: Digest??) {
        (self.key, self.bytes, self.type, self.expected) = (key, bytes, type, expected)
    }

    /// - Parameter only: the only type that the format has.
    func value(over old: StoreValue?, only: StoreType? = nil) throws(StoreFileFault) -> StoreValue {
        if let expected, old.map({ Digest(of: $0.bytes) }) != expected { throw .mismatch(key: key) }
        guard let type = type ?? old?.type ?? only else { throw .noType(key: key) }
        guard let value = StoreValue(bytes, as: type) else { throw .notA(type, key: key) }
        // Its dates, data and numbers that JSON does not have would become texts.
        if self.type == nil, let old, StoreValue(old.bytes, as: type) != old {
            throw .inexpressible(type, key: key)
        }
        return value
    }
}
