/// An error in a schema, and its position.
package struct SchemaError: Error, Sendable, Hashable {
    package var pointer: String
    package var position: JSONPosition
    package var reason: Reason

    package enum Reason: Sendable, Hashable {
        case notASchema(JSONNode.Kind)
        case expected(Expected)
        /// Parsers may read different schemas.
        case unreadable(JSONError)
        case unsupported(Unsupported, String)
        case pattern(String, PatternError)
        case repeatedAnchor
        case reference(String, ReferenceFault)
        /// The schema at this path refers to itself for the same value.
        case endless(JSONPointer)
    }

    /// What the value of a keyword must be.
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

    /// Why a `$ref` leads to no schema.
    package enum ReferenceFault: Sendable, Hashable {
        case otherDocument, noPointer, noSchema
    }
}
