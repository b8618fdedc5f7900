extension ExpressionError {
    /// One line, with the column last.
    package var text: String { "\(reason.text), at column \(column)" }

    /// The function that was most likely meant by one that is not known.
    package var suggestion: String? {
        switch reason {
        case .unknownFunction(let name):
            nearestWord(to: name, among: ExpressionFunction.allCases.map(\.rawValue))
        case .unknownField(let name, let known): nearestWord(to: name, among: known)
        default: nil
        }
    }
}

extension ExpressionError.Reason {
    package var text: String {
        switch self {
        case .unexpected(let found, let expected): "expected \(expected.words), found \(found.words)"
        case .notJSON(let error): "a literal that is not JSON: \(error.located.withoutPosition)"
        case .unknownFunction(let name): "unknown function `\(name)`"
        case .arity(let function, let found):
            "`\(function.rawValue)` takes \(function.arity.words), found \(found)"
        case .type(let place, let expected, let found):
            "\(place.words) must be \(expected.words), found \(found.words)"
        case .value(let fault): fault.words
        case .unknownField(let name, let known):
            "no document has a field `\(name)` there"
                + (known.isEmpty ? "" : "; it has " + known.map { "`\($0)`" }.joined(separator: ", "))
        case .undefinedVariable(let name): "`$\(name)` is not defined here"
        case .divisionByZero: "a division by zero"
        case .tooLong(let limit): "an expression has at most \(limit) bytes"
        case .tooDeep(let limit): "an expression has at most \(limit) levels"
        case .tooManySteps(let limit): "the evaluation takes more than \(limit) steps"
        case .tooManyBytes(let limit): "the evaluation makes more than \(limit) bytes"
        case .tooManyDigits(let limit): "a calculation with a number of more than \(limit) digits"
        }
    }
}

extension ExpressionError.Found {
    fileprivate var words: String {
        switch self {
        case .end: "the end"
        case .text(let text): "`\(text)`"
        }
    }
}

extension ExpressionError.Wish {
    fileprivate var words: String {
        switch self {
        case .expression: "an expression"
        case .end: "an operator or the end"
        case .key: "a key"
        case .index: "a number, `:` or `*`"
        case .variable: "a variable such as `$a`"
        case .unquotedName: "a function's name without quotes"
        case .step: "a key, `*`, `[` or `{` after the `.`"
        case .sign(let sign), .closing(let sign): "`\(sign)`"
        case .more(let closing): "`,` or `\(closing)`"
        }
    }
}

extension ExpressionError.Place {
    fileprivate var words: String {
        switch self {
        case .argument(let function, let place): "argument \(place + 1) of `\(function.rawValue)`"
        case .key(let function): "each key of `\(function.rawValue)`"
        case .operand(let sign): "an operand of `\(sign)`"
        }
    }
}

extension ExpressionError.ArgumentKind {
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .expression: "an expression such as `&a`"
        case .numbers: "an array of numbers"
        case .strings: "an array of strings"
        case .pairs: "an array of pairs of a string and a value"
        case .objects: "an array of objects"
        }
    }
}

extension [ExpressionError.ArgumentKind] {
    fileprivate var words: String { isEmpty ? "a value" : map(\.words).joined(separator: " or ") }
}

extension ClosedRange<Int> {
    /// As the number of arguments of a function.
    fileprivate var words: String {
        let most = upperBound == 1 ? "1 argument" : "\(upperBound) arguments"
        if lowerBound == upperBound { return most }
        return upperBound == .max ? "at least \(lowerBound) argument" : "\(lowerBound) to \(most)"
    }
}

extension ExpressionError.Fault {
    fileprivate var words: String {
        switch self {
        case .zeroStep: "the step of a slice must not be 0"
        case .notWhole(let function): "`\(function.rawValue)` needs a whole number here"
        case .negative(let function): "`\(function.rawValue)` needs a number that is not negative here"
        case .notOneCharacter: "what pads a string must be one character"
        case .noTime(let function): "`\(function.rawValue)` cannot read this time"
        case .noDuration: "`duration` needs a text such as `P1DT2H30M`"
        case .timeRange(let function): "`\(function.rawValue)` leaves the years 0 to 9999"
        case .unknownForm(let form): "`date` knows no form `\(form)`"
        case .zeroWhole: "`percent` of a whole of 0"
        case .tooManyPlaces: "`round` takes at most 30 places"
        case .lowAboveHigh: "`clamp` has a low above its high"
        }
    }
}
