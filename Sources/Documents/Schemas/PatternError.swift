/// An error in a regular expression, and its position.
package struct PatternError: Error, Sendable, Hashable {
    /// In code points.
    package var offset: Int
    package var reason: Reason

    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    package enum Reason: Sendable, Hashable {
        case tooLarge
        case unsupported(Feature)
        case unclosed(Bracket)
        /// A `)` without a `(`.
        case nothingToClose
        case tooDeep
        /// A special character in a position where it has no meaning.
        case unescaped
        case escape(EscapeFault)
        case emptyRange

        case repeatsNothing
        case repeatsRepetition
        case tooOften
        /// The maximum is below the minimum.
        case mostBelowLeast
        case noCount
    }

    /// A feature of ECMA-262 that is not supported.
    package enum Feature: Sendable, Hashable {
        case lookaround, backreference, characterProperty
    }

    package enum Bracket: Sendable, Hashable {
        case group, repetition, characterClass
    }

    package enum EscapeFault: Sendable, Hashable {
        case unfinished, unknown, noControlLetter, noDigits, noCodePoint
    }
}
