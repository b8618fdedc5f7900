/// Parses an expression: each sign binds more or less tightly than others (operator precedence).
struct ExpressionParser {
    private(set) var tree = ExpressionTree()
    var dependencies = JSONExpression.Dependencies()
    /// The variables of the `let` expressions around, the innermost last.
    var visible: [String] = []
    private let tokens: [ExpressionToken]
    private var index = 0
    var depth = 0

    typealias Link = ExpressionTree.Link
    typealias Sign = ExpressionToken.Sign

    /// How tightly signs bind what stands before them; a sign below `projection` ends a projection.
    enum Tightness: Int, Comparable {
        case none, pipe, choice, or, and, comparison, sum, product, sign, flatten, projection, bracket, dot

        static func < (a: Tightness, b: Tightness) -> Bool { a.rawValue < b.rawValue }
    }

    init(_ text: String) throws(ExpressionError) {
        var lexer = ExpressionLexer(text)
        tokens = try lexer.tokens()
    }

    mutating func parse() throws(ExpressionError) {
        _ = try expression()
        guard token.kind == .end else { throw unexpected(.end) }
    }

    // MARK: Tokens

    var token: ExpressionToken { token(ahead: 0) }

    /// The last token is the end.
    func token(ahead: Int) -> ExpressionToken { tokens[min(index + ahead, tokens.count - 1)] }

    mutating func advance() { index += 1 }

    func isAt(_ sign: Sign) -> Bool { token.kind == .sign(sign) }

    mutating func skip(_ sign: Sign) -> Bool {
        guard isAt(sign) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: Sign, orElse wish: ExpressionError.Wish) throws(ExpressionError) {
        guard skip(sign) else { throw unexpected(wish) }
    }

    func unexpected(_ wish: ExpressionError.Wish) -> ExpressionError {
        ExpressionError(column: token.column, reason: .unexpected(token.found, expected: wish))
    }

    // MARK: The tree

    @inline(never)
    mutating func append(
        _ part: ExpressionTree.Part,
        column: Int,
        over links: [Link] = []
    ) throws(ExpressionError) -> Link {
        let levels = 1 + (links.map { tree.levels[$0] }.max() ?? 0)
        try check(levels, at: column)
        return tree.append(part, column: column, levels: levels)
    }

    private func check(_ levels: Int, at column: Int) throws(ExpressionError) {
        guard levels <= JSONExpression.mostLevels else {
            throw ExpressionError(column: column, reason: .tooDeep(limit: JSONExpression.mostLevels))
        }
    }

    /// Keeps the stack of the parser small, whose caller sets `depth` back.
    mutating func descend() throws(ExpressionError) {
        depth += 1
        try check(depth, at: token.column)
    }

    // MARK: Expressions

    // These functions call each other for each level, see `Evaluator.evaluate`.

    @inline(never)
    mutating func expression(_ tightness: Tightness = .none) throws(ExpressionError) -> Link {
        try descend()
        defer { depth -= 1 }
        var left = try operand()
        while let binding = tightnessOfToken, binding > tightness {
            left = try continued(left, binding)
        }
        return left
    }

    /// `nil` for a token that cannot continue an expression.
    private var tightnessOfToken: Tightness? {
        guard case .sign(let sign) = token.kind else { return nil }
        switch sign {
        case .pipe: return .pipe
        case .question: return .choice
        case .or: return .or
        case .and: return .and
        case .equal, .unequal, .below, .atMost, .above, .atLeast: return .comparison
        case .plus, .minus: return .sum
        case .star, .times, .divide, .divideWhole, .modulo: return .product
        case .flatten: return .flatten
        case .filter, .openBracket: return .bracket
        case .dot: return .dot
        default: return nil
        }
    }

    @inline(never)
    private mutating func continued(_ left: Link, _ tightness: Tightness) throws(ExpressionError) -> Link {
        guard case .sign(let sign) = token.kind else { return left }
        let column = token.column
        switch sign {
        case .flatten, .filter, .openBracket, .dot: return try stepped(left)
        case .question: return try choice(left)
        default: break
        }
        advance()
        let right = try expression(tightness)
        let part: ExpressionTree.Part
        switch sign {
        case .pipe: part = .pipe(left, right)
        case .or: part = .or(left, right)
        case .and: part = .and(left, right)
        case .star, .times: part = .arithmetic(.times, left, right)
        default:
            if let comparison = ExpressionTree.Comparison(rawValue: sign.rawValue) {
                part = .comparison(comparison, left, right)
            } else if let operation = ExpressionTree.Arithmetic(rawValue: sign.rawValue) {
                part = .arithmetic(operation, left, right)
            } else {
                return left
            }
        }
        return try append(part, column: column, over: [left, right])
    }

    @inline(never)
    private mutating func choice(_ condition: Link) throws(ExpressionError) -> Link {
        let column = token.column
        advance()
        let yes = try expression()
        try expect(.colon, orElse: .sign(":"))
        // The second colon belongs to the inner one.
        let no = try expression(.pipe)
        return try append(
            .choice(condition, then: yes, else: no),
            column: column,
            over: [condition, yes, no]
        )
    }
}

extension ExpressionToken {
    var found: ExpressionError.Found {
        switch kind {
        case .end: .end
        case .name(let name): .text(name)
        case .quotedName: .text("\"")
        case .variable(let name): .text("$\(name)")
        case .number(let number): .text("\(number)")
        case .raw: .text("'")
        case .literal: .text("`")
        case .sign(let sign): .text(sign.rawValue)
        }
    }
}
