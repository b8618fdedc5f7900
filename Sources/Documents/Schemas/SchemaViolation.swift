/// A value that does not fit its schema.
package struct SchemaViolation: Sendable, Hashable {
    /// Of the value in the document.
    package var pointer: String
    package var position: JSONPosition
    /// The place of the keyword in the schema, as a JSON Pointer.
    package var rule: String
    package var reason: Reason

    /// Whether it fits was not found out: that would take too long.
    package var isUndecided: Bool { if case .undecided = reason { true } else { false } }

    /// Why it does not fit. Values are given as the document or the schema writes them.
    package enum Reason: Sendable, Hashable {
        /// By the schema `false`.
        case forbidden
        case type(JSONNode.Kind, expected: SchemaTypes)
        case notConstant(String)
        case notListed([String])

        case number(String, NumberFault, String)
        case tooFew(Counted, Int, least: Int)
        case tooMany(Counted, Int, most: Int)

        case pattern(String)
        case format(StringFormat)
        /// Whether it fits this pattern was not found out.
        case undecided(pattern: String)

        case missing(key: String)
        case missingBeside(key: String, missing: String)
        case repeatedElement

        case fitsNone
        /// Of alternatives of which it must fit one.
        case fitsSeveral(Int)
        case fitsExcluded
    }

    /// How a number is related to the one in the schema.
    package enum NumberFault: Sendable, Hashable {
        case below, above, notAbove, notBelow, notMultiple
    }

    package enum Counted: Sendable, Hashable {
        case characters, elements, members
        /// The elements that fit `contains`.
        case contained
    }
}
