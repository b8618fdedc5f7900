/// A value that violates its schema.
package struct SchemaViolation: Sendable, Hashable {
    /// The pointer of the value in the document.
    package var pointer: String
    package var position: JSONPosition
    /// The JSON Pointer of the keyword in the schema.
    package var rule: String
    package var reason: Reason

    /// Whether it is unknown if the value matches, because finding out would take too long.
    package var isUndecided: Bool { if case .undecided = reason { true } else { false } }

    /// Why it violates the schema. Values are given as the document or the schema writes them.
    package enum Reason: Sendable, Hashable {
        /// The schema is `false`.
        case forbidden
        case type(JSONNode.Kind, expected: SchemaTypes)
        case notConstant(String)
        case notListed([String])

        case number(String, NumberFault, String)
        case tooFew(Counted, Int, least: Int)
        case tooMany(Counted, Int, most: Int)

        case pattern(String)
        case format(StringFormat)
        /// Whether it matches this pattern took too long to find out.
        case undecided(pattern: String)

        case missing(key: String)
        case missingBeside(key: String, missing: String)
        case repeatedElement

        case fitsNone
        /// It matches this many alternatives, and must match exactly one.
        case fitsSeveral(Int)
        case fitsExcluded
    }

    /// How a number relates to the limit in the schema.
    package enum NumberFault: Sendable, Hashable {
        case below, above, notAbove, notBelow, notMultiple
    }

    package enum Counted: Sendable, Hashable {
        case characters, elements, members
        /// The elements that match `contains`.
        case contained
    }
}
