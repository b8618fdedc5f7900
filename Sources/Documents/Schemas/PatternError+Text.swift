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
        case .nothingToClose: "has a `)` too many"
        case .tooDeep: "has too many groups in one another"
        case .unescaped: "has a character that must be escaped"
        case .escape(let fault): fault.words
        case .emptyRange: "has a range that goes nowhere"
        case .repeatsNothing: "repeats nothing"
        case .repeatsRepetition: "repeats a repetition"
        case .tooOften: "repeats too often"
        case .mostBelowLeast: "repeats less often than it repeats"
        case .noCount: "has a `{` without a number"
        }
    }
}

extension PatternError.Feature {
    fileprivate var words: String {
        switch self {
        case .lookaround: "looks around"
        case .backreference: "refers back"
        case .characterProperty: "asks for a property of characters"
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
        case .unknown: "has an escape that means nothing"
        case .noControlLetter: "has a `\\c` without a letter"
        case .noDigits: "has an escape without its digits"
        case .noCodePoint: "has an escape that is no code point"
        }
    }
}
