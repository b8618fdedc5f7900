import Documents

extension StoreFault {
    /// Of a manifest that is not JSON.
    init(_ error: JSONError) {
        let place = StorePlace.line(error.position?.line ?? 1, column: error.position?.column ?? 1)
        self =
            switch error {
            case .tooLarge(let bytes, let limit): .tooLarge(bytes: bytes, limit: limit)
            case .tooDeep(_, let limit): .tooDeep(limit: limit)
            case .unexpected(_, _, .end): .malformed(.asyncStorage, place, .endOfFile)
            case .unexpected(_, let expected, _): .malformed(.asyncStorage, place, .expected(expected))
            case .notUTF8, .utf16, .loneSurrogate: .malformed(.asyncStorage, place, .notUTF8)
            case .duplicateKey(_, let key): .duplicateKey(.asyncStorage, key)
            case .byteOrderMark: .malformed(.asyncStorage, place, .expected("`{`"))
            }
    }
}

extension JSONNode.Kind {
    /// The type of a value that is one; `nil` for null.
    var storeType: StoreType? {
        switch self {
        case .object: .dictionary
        case .array: .array
        case .string: .string
        case .number: .real
        case .true, .false: .bool
        case .null: nil
        }
    }
}
