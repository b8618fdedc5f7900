import Documents

/// Converts between a value of a document and the value under its key.
struct FieldConversion {
    private let field: StoreField
    private let pointer: JSONPointer
    private let store: StoreRule
    private let zone: TimeZoneRules?

    init(_ field: StoreField, at pointer: JSONPointer, in store: StoreRule, zone: TimeZoneRules?) {
        (self.field, self.pointer, self.store, self.zone) = (field, pointer, store, zone)
    }

    /// `nil` for `null`.
    func stored(_ value: JSONValue) throws(StoreMismatch.Reason) -> StoreValue? {
        if value == .null { return nil }
        guard let times = field.times else { return try typed(value) }
        guard let time = times.stored(value, zone: zone) else {
            throw .time(pointer, forms: times.document, expected: times.store)
        }
        return try typed(time)
    }

    private func typed(_ value: JSONValue) throws(StoreMismatch.Reason) -> StoreValue {
        switch (field.type, value) {
        case (.string, .string(let bytes)): return .string(try text(bytes))
        case (.bool, .bool(let flag)): return .bool(flag)
        case (.integer, .number), (.int32, .number): return try integer(value)
        case (.real, .number(let text)): return .real(try real(text))
        case (.date, .number(let text)): return .date(try real(text))
        case (.float, .number(let text)):
            guard let number = Float(text), number.isFinite else { throw unfit(text) }
            return .float(number)
        case (.strings, .array(let elements)): return try strings(elements)
        case (.array, .array), (.dictionary, .object): return try structured(value)
        default: throw .kind(pointer, found: value.kind, expected: field.type)
        }
    }

    private func integer(_ value: JSONValue) throws(StoreMismatch.Reason) -> StoreValue {
        if field.type == .int32 {
            if let number = value.integer(Int32.self) { return .int32(number) }
        } else {
            if let number = value.integer(Int64.self) { return .integer(number) }
            if store.fileKind == .propertyList, let number = value.integer(UInt64.self) {
                return .unsigned(number)
            }
        }
        guard case .number(let text) = value else {
            throw .kind(pointer, found: value.kind, expected: field.type)
        }
        throw unfit(text)
    }

    /// The nearest one.
    private func real(_ text: String) throws(StoreMismatch.Reason) -> Double {
        guard let number = Double(text), number.isFinite else { throw unfit(text) }
        return number
    }

    private func text(_ bytes: [UInt8]) throws(StoreMismatch.Reason) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(pointer) }
        return text
    }

    private func strings(_ elements: [JSONValue]) throws(StoreMismatch.Reason) -> StoreValue {
        var texts: [String] = []
        for element in elements {
            guard case .string(let bytes) = element else {
                throw .kind(pointer, found: element.kind, expected: field.type)
            }
            texts.append(try text(bytes))
        }
        return store.hasSets ? .strings(texts) : .array(texts.map { .string($0) })
    }

    private func structured(_ value: JSONValue) throws(StoreMismatch.Reason) -> StoreValue {
        do throws(StoreValue.Misfit) {
            return try StoreValue(structuring: value)
        } catch {
            switch error {
            case .null: throw .null(pointer)
            case .duplicateKey: throw .ambiguous(pointer)
            case .notText: throw .notText(pointer)
            case .number(let text): throw unfit(text)
            }
        }
    }

    private func unfit(_ text: String) -> StoreMismatch.Reason {
        .number(pointer, text: text, expected: field.type)
    }
}

extension FieldConversion {
    /// The value of the document that a value of the store is.
    func documented(_ value: StoreValue) throws(StoreMismatch.Reason) -> JSONValue {
        let json = try Self.json(value)
        guard let times = field.times else { return json }
        guard let time = times.documented(json, zone: zone) else { throw .undocumented(value.type) }
        return time
    }

    private static func json(_ value: StoreValue) throws(StoreMismatch.Reason) -> JSONValue {
        switch value {
        case .string(let text): return .string(Array(text.utf8))
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .number(String(number))
        case .unsigned(let number): return .number(String(number))
        case .int32(let number): return .number(String(number))
        case .real(let number), .date(let number): return try number.json(value.type)
        case .float(let number): return try number.json(value.type)
        case .strings(let texts): return .array(texts.map { .string(Array($0.utf8)) })
        case .array(let elements):
            return .array(try elements.map { element throws(StoreMismatch.Reason) in try json(element) })
        case .dictionary(let values):
            var members: [JSONValue.Member] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                members.append(JSONValue.Member(key: Array(key.text.utf8), value: try json(value)))
            }
            return .object(members)
        case .data, .uid: throw .undocumented(value.type)
        }
    }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    /// The shortest number that is read as this one again.
    fileprivate func json(_ type: StoreType) throws(StoreMismatch.Reason) -> JSONValue {
        guard isFinite else { throw .undocumented(type) }
        // A whole number is written as encoders write it, without `.0`.
        let text = String(self)
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
}

extension StoreFieldType {
    /// The type of the value before it is encoded.
    func storeType(in store: StoreRule) -> StoreType {
        switch self {
        case .string: .string
        case .bool: .bool
        case .integer: .integer
        case .int32: .int32
        case .real: .real
        case .float: .float
        case .date: .date
        case .strings: store.hasSets ? .strings : .array
        case .array: .array
        case .dictionary: .dictionary
        }
    }
}

extension StoreRule {
    /// Whether a list of strings is Android's `<set>`. Flutter's plugin encodes lists itself.
    fileprivate var hasSets: Bool { format == .sharedPreferences }
}
