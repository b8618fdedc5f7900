package import Documents

/// Why the values of a store are no document, or a document cannot be written to it.
package struct StoreMismatch: Error, Sendable, Hashable {
    package var file: String
    /// As in the file.
    package var key: String
    package var reason: Reason

    package init(file: String, key: String, reason: Reason) {
        (self.file, self.key, self.reason) = (file, key, reason)
    }

    package enum Reason: Error, Sendable, Hashable {
        /// The value has another type than the program of the side reads.
        case type(found: StoreType, expected: StoreType)
        /// The plugin whose encoding the store has neither writes nor reads such a value.
        case encoding(StoreFault)
        /// The value of the store cannot be a value of a document, such as a number that is infinite.
        case undocumented(StoreType)
        /// The document is not JSON, so that it has no values for keys.
        case notJSON(JSONError)
        /// It is ambiguous which value of the document is meant.
        case ambiguous(JSONPointer)
        case kind(JSONPointer, found: JSONValue.Kind, expected: StoreFieldType)
        /// A number that the type does not hold.
        case number(JSONPointer, text: String, expected: StoreFieldType)
        /// A value that is no time in these forms, or a time that has no such form.
        case time(JSONPointer, forms: [TimeForm], expected: TimeForm)
        /// A string with half a surrogate pair.
        case notText(JSONPointer)
        /// A `null` in an array, which the store cannot hold.
        case null(JSONPointer)
        /// The document has a scalar where it should have the field.
        case noPlace(JSONPointer)
    }
}
