package import Documents

/// A single value of a store that is not what the document has in the same store.
package struct StoreDifference: Sendable, Hashable {
    /// As in the file.
    package var key: String
    /// The value in the document.
    package var pointer: JSONPointer
    /// `nil`: there is no value under the key.
    package var found: StoreValue?
    /// What the document would have there; `nil` if it has no such value.
    package var expected: StoreValue?

    package init(key: String, pointer: JSONPointer, found: StoreValue?, expected: StoreValue?) {
        (self.key, self.pointer, self.found, self.expected) = (key, pointer, found, expected)
    }
}
