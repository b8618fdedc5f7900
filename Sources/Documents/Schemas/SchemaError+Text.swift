extension SchemaError.Reason {
    package var text: String {
        switch self {
        case .notASchema(let kind): "expected a schema, found \(kind.words)"
        case .expected(let expected): expected.words
        case .unreadable(let error): error.reason
        case .unsupported(let kind, let name): kind.words(name)
        case .pattern(let pattern, let error): "the pattern `\(pattern)` \(error.text)"
        case .repeatedAnchor: "another schema has this `$anchor`"
        case .reference(let name, let fault): "`\(name)` \(fault.words)"
        case .endless(let place): "the schema at `\(place)` refers to itself for the same value"
        }
    }
}

extension SchemaError.Expected {
    fileprivate var words: String {
        switch self {
        case .string: "expected a string"
        case .boolean: "expected `true` or `false`"
        case .number: "expected a number"
        case .numberAboveZero: "expected a number above 0"
        case .wholeNumber: "expected a whole number from 0"
        case .list: "expected a list of values"
        case .keys: "expected a list of keys"
        case .distinctKeys: "expected a list of different keys"
        case .listsOfKeys: "expected an object of lists of keys"
        case .type: "expected a type"
        case .types: "expected a type, or a list of different types"
        case .schemas: "expected a list of schemas, at least one"
        case .objectOfSchemas: "expected an object of schemas"
        case .anchor: "expected a name of letters, digits, `-`, `.` and `_`"
        case .id: "expected a name without `#`"
        case .reference: "`$ref` is a string"
        }
    }
}

extension SchemaError.Unsupported {
    fileprivate func words(_ name: String) -> String {
        switch self {
        case .keyword: "the keyword `\(name)` is not supported"
        case .format:
            "the format `\(name)` is not supported; supported: "
                + StringFormat.allCases.map(\.rawValue).joined(separator: ", ")
        case .dialect: "`\(name)` is not supported; \(Schema.dialect) is"
        }
    }
}

extension SchemaError.ReferenceFault {
    fileprivate var words: String {
        switch self {
        case .otherDocument: "refers to another document; only `#…` and an `$id` of this schema are supported"
        case .noPointer: "does not end with a JSON Pointer or an `$anchor`"
        case .noSchema: "leads to no schema"
        }
    }
}
