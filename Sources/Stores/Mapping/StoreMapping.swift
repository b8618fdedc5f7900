package import Documents

/// Converts between a document and the keys under which a store has it.
package struct StoreMapping: Sendable {
    package let store: StoreRule
    package let document: DocumentRule
    let encoding: StoreKeys

    /// Documents have their own limit of size. Values are converted by recursion.
    static let limits = JSONLimits(maxBytes: .max, maxDepth: 512)

    package init(_ store: StoreRule, of document: DocumentRule) {
        (self.store, self.document) = (store, document)
        encoding = StoreKeys(store)
    }

    /// All keys that belong to the document, as in the file. For a database, the keys of its rows.
    package var keys: [String] { store.keys.flatMap(encoding.keys) }

    /// The document that the values are; `nil` if its keys do not exist.
    ///
    /// If the store has the whole document under a key, these are its exact bytes, and the other keys do not
    /// count. Else it is composed of the fields, in the order of the rule.
    ///
    /// - Parameters:
    ///   - version: The version of a document that is composed of fields; `nil` means the newest.
    ///   - last: The document that was last written to the store. A composed document is a copy of it, with
    ///     the fields whose values differ; what has no key in the store stays as it is.
    package func document(
        from values: (String) -> StoreValue?,
        at version: Int? = nil,
        last: [UInt8]? = nil
    ) throws(StoreMismatch) -> [UInt8]? {
        guard let whole = store.whole else { return try composed(from: values, at: version, last: last) }
        let key = whole.key
        guard
            let value = try located(
                key,
                { () throws(StoreMismatch.Reason) in
                    try encoding.decode(key, of: whole.type, from: values)
                }
            )
        else { return nil }
        switch (whole, value) {
        case (.text, .string(let text)): return Array(text.utf8)
        case (.data, .data(let bytes)): return bytes
        default: throw mismatch(key, .type(found: value.type, expected: whole.type))
        }
    }

    /// What becomes of all keys of the document, as in the file, when it is written; `nil` removes a key.
    ///
    /// - Parameters:
    ///   - bytes: `nil` if there is no document any more.
    ///   - version: The version of the document.
    package func changes(
        writing bytes: [UInt8]?,
        at version: Int?
    ) throws(StoreMismatch) -> StoreChanges {
        var changes: StoreChanges = [:]
        for key in keys { changes.updateValue(nil, forKey: ExactText(key)) }
        guard let bytes else { return changes }
        func set(_ key: String, _ value: StoreValue?) throws(StoreMismatch) {
            let encoded = try located(key) { () throws(StoreMismatch.Reason) in
                try encoding.encode(value, under: key)
            }
            changes.merge(encoded) { $1 }
        }
        switch store.whole {
        case nil: break
        case .data(let key): try set(key, .data(bytes))
        case .text(let key):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw mismatch(key, .notText(.root))
            }
            try set(key, .string(text))
        }
        guard let first = store.fields.first else { return changes }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes, limits: Self.limits)
        } catch {
            throw mismatch(first.key, .notJSON(error))
        }
        for field in store.fields { try set(field.key, try stored(field, of: json, at: version)) }
        return changes
    }

    /// The value of a field of a document.
    func stored(_ field: StoreField, of json: JSON, at version: Int?) throws(StoreMismatch) -> StoreValue? {
        let pointer = store.start[version].appending(field.pointer)
        let value: JSONValue?
        do throws(DocumentError) {
            value = try pointer.value(in: json)
        } catch {
            throw mismatch(field.key, .ambiguous(pointer))
        }
        guard let value else { return nil }
        let conversion = FieldConversion(field, at: pointer, in: store, zone: document.zone)
        return try located(field.key) { () throws(StoreMismatch.Reason) in try conversion.stored(value) }
    }

    func located<Value>(
        _ key: String,
        _ body: () throws(StoreMismatch.Reason) -> Value
    ) throws(StoreMismatch) -> Value {
        do throws(StoreMismatch.Reason) {
            return try body()
        } catch {
            throw mismatch(key, error)
        }
    }

    func mismatch(_ key: String, _ reason: StoreMismatch.Reason) -> StoreMismatch {
        StoreMismatch(file: store.file, key: encoding.spelled(key), reason: reason)
    }
}

extension StoreRule.Whole {
    var type: StoreType {
        switch self {
        case .text: .string
        case .data: .data
        }
    }
}
