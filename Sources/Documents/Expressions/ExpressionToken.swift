/// A word or sign of an expression.
struct ExpressionToken: Sendable {
    var kind: Kind
    /// From 1, in Unicode scalars.
    var column: Int
    /// The column after the last scalar.
    var end: Int

    var isNumber: Bool {
        if case .number = kind { return true }
        return false
    }

    enum Kind: Sendable, Equatable {
        case end
        case name(String)
        case quotedName([UInt8])
        case variable(String)
        /// Without a sign; as large as an `Int` at most.
        case number(Int)
        case raw([UInt8])
        case literal(JSONValue)
        case sign(Sign)
    }

    enum Sign: String, Sendable {
        case dot = "."
        case star = "*"
        case comma = ","
        case colon = ":"
        case current = "@"
        case root = "$"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBracket = "["
        case closeBracket = "]"
        case flatten = "[]"
        case filter = "[?"
        case openBrace = "{"
        case closeBrace = "}"
        case reference = "&"
        case and = "&&"
        case or = "||"
        case pipe = "|"
        case not = "!"
        case question = "?"
        case assign = "="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case atMost = "<="
        case above = ">"
        case atLeast = ">="
        case plus = "+"
        case minus = "-"
        case times = "×"
        case divide = "/"
        case divideWhole = "//"
        case modulo = "%"
    }
}
