/// What is wrong with a regular expression, and where.
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
        /// A `)` closes nothing.
        case nothingToClose
        case tooDeep
        /// A character with a meaning stands where it can have none.
        case unescaped
        case escape(EscapeFault)
        case emptyRange

        case repeatsNothing
        case repeatsRepetition
        case tooOften
        /// The most times are fewer than the least.
        case mostBelowLeast
        case noCount
    }

    /// What is left out of ECMA-262.
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
