extension PatternError {
    /// One line, with the offset last, counted from 1.
    var text: String { "\(reason.text), at \(offset + 1)" }
}

extension PatternError.Reason {
    package var text: String {
        switch self {
        case .tooLarge: "is too large"
        case .unsupported(let feature): "\(feature.words), which is not supported"
        case .unclosed(let bracket): "has a \(bracket.words) that is not closed"
        case .nothingToClose: "has a `)` without a `(`"
        case .tooDeep: "nests groups too deeply"
        case .unescaped: "has a character that must be escaped"
        case .escape(let fault): fault.words
        case .emptyRange: "has an empty range"
        case .repeatsNothing: "has a quantifier without anything to repeat"
        case .repeatsRepetition: "has a quantifier after a quantifier"
        case .tooOften: "expands to too many repetitions"
        case .mostBelowLeast: "has a repetition with a maximum below its minimum"
        case .noCount: "has a `{` without a number"
        }
    }
}

extension PatternError.Feature {
    fileprivate var words: String {
        switch self {
        case .lookaround: "uses look-around"
        case .backreference: "uses a back-reference"
        case .characterProperty: "uses a Unicode property"
        }
    }
}

extension PatternError.Bracket {
    fileprivate var words: String {
        switch self {
        case .group: "group"
        case .repetition: "`{`"
        case .characterClass: "`[`"
        }
    }
}

extension PatternError.EscapeFault {
    fileprivate var words: String {
        switch self {
        case .unfinished: "ends with a `\\`"
        case .unknown: "has an unknown escape"
        case .noControlLetter: "has a `\\c` without a letter"
        case .noDigits: "has an escape with missing digits"
        case .noCodePoint: "has an escape that is not a code point"
        }
    }
}
