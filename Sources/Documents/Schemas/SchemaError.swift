/// Why a schema cannot be used, and where in it.
package struct SchemaError: Error, Sendable, Hashable {
    package var pointer: String
    package var position: JSONPosition
    package var reason: Reason

    package enum Reason: Sendable, Hashable {
        case notASchema(JSONNode.Kind)
        case expected(Expected)
        /// Two readers would not read the same schema.
        case unreadable(JSONError)
        case unsupported(Unsupported, String)
        case pattern(String, PatternError)
        case repeatedAnchor
        case reference(String, ReferenceFault)
        /// The schema at this place refers to itself for the same value.
        case endless(JSONPointer)
    }

    /// What the value of a keyword has to be.
    package enum Expected: Sendable, Hashable {
        case string, boolean, number, numberAboveZero, wholeNumber
        case list, keys, distinctKeys, listsOfKeys
        case type, types
        case schemas, objectOfSchemas
        case anchor
        /// An `$id` without a fragment.
        case id
        case reference
    }

    package enum Unsupported: Sendable, Hashable {
        case keyword, format, dialect
    }

    /// Why a `$ref` leads nowhere.
    package enum ReferenceFault: Sendable, Hashable {
        case otherDocument, noPointer, noSchema
    }
}
