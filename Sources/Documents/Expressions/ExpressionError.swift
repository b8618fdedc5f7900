/// Why an expression cannot be read, or has no value.
package struct ExpressionError: Error, Sendable, Hashable {
    /// From 1, in Unicode scalars of the expression.
    package var column: Int
    package var reason: Reason
    /// See `JSONExpression.Evaluation`: the first second in which there may be a value, or another error.
    package internal(set) var changesAt: Int?

    package init(column: Int, reason: Reason) {
        self.column = column
        self.reason = reason
    }

    /// The kinds of errors that JMESPath names, and those of the bounds.
    package enum Kind: String, Sendable, Hashable {
        case syntax
        case invalidArity = "invalid-arity"
        case invalidType = "invalid-type"
        case invalidValue = "invalid-value"
        case notANumber = "not-a-number"
        case undefinedVariable = "undefined-variable"
        case unknownField = "unknown-field"
        case unknownFunction = "unknown-function"
        case tooLarge = "too-large"
    }

    package enum Reason: Sendable, Hashable {
        case unexpected(Found, expected: Wish)
        /// Text between backticks that is not JSON.
        case notJSON(JSONError)
        case unknownFunction(String)
        case arity(ExpressionFunction, found: Int)

        case type(Place, expected: [ArgumentKind], found: ArgumentKind)
        case value(Fault)
        case undefinedVariable(String)
        /// No document has the field.
        case unknownField(String, known: [String])
        case divisionByZero

        case tooLong(limit: Int)
        case tooDeep(limit: Int)
        case tooManySteps(limit: Int)
        case tooManyBytes(limit: Int)
        case tooManyDigits(limit: Int)
    }

    /// What the expression has instead of what was expected.
    package enum Found: Sendable, Hashable {
        case end
        case text(String)
    }

    /// What may stand at a place.
    package enum Wish: Sendable, Hashable {
        case expression, end, key, index, variable, sign(String)
        /// The name of a function.
        case unquotedName
        /// What may follow a dot.
        case step
        /// `,` or the closing bracket.
        case more(closing: String)
        /// The end of a string or literal.
        case closing(String)
    }

    /// Where a value of a wrong kind was met.
    package enum Place: Sendable, Hashable {
        case argument(ExpressionFunction, Int)
        /// What the expression of a function gives for an element.
        case key(ExpressionFunction)
        case operand(String)
    }

    /// The kinds of values, and the expressions that functions take.
    package enum ArgumentKind: String, Sendable, Hashable {
        case null, boolean, number, string, array, object, expression
        /// Elements of an array must be alike.
        case numbers, strings, pairs, objects
    }

    /// A value of the right kind that has no meaning.
    package enum Fault: Sendable, Hashable {
        case zeroStep
        case notWhole(ExpressionFunction)
        case negative(ExpressionFunction)
        case notOneCharacter
        case noTime(ExpressionFunction)
        case noDuration
        case timeRange(ExpressionFunction)
        case unknownForm(String)
        case zeroWhole
        case tooManyPlaces
        case lowAboveHigh
    }

    package var kind: Kind {
        switch reason {
        case .unexpected, .notJSON: .syntax
        case .unknownFunction: .unknownFunction
        case .arity: .invalidArity
        case .type: .invalidType
        case .value: .invalidValue
        case .undefinedVariable: .undefinedVariable
        case .unknownField: .unknownField
        case .divisionByZero, .tooManyDigits: .notANumber
        case .tooLong, .tooDeep, .tooManySteps, .tooManyBytes: .tooLarge
        }
    }
}
