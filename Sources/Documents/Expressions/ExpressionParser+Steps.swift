extension ExpressionParser {
    /// An index or a slice, not a list of expressions, begins at this bracket.
    var isIndex: Bool {
        switch token(ahead: 1).kind {
        case .number, .sign(.colon): true
        case .sign(.star): token(ahead: 2).kind == .sign(.closeBracket)
        case .sign(.minus): token(ahead: 2).isNumber
        default: false
        }
    }

    /// The step behind an expression: `.a`, `[0]`, `[*]`, `[1:2]`, `[]` or `[?a]`.
    @inline(never)
    mutating func stepped(_ left: Link) throws(ExpressionError) -> Link {
        let column = token.column
        switch token.kind {
        case .sign(.dot):
            advance()
            if skip(.star) {
                return try projection(over: left, column: column) { .values(left, each: $0) }
            }
            let right = try member()
            return try append(.member(left, right), column: column, over: [left, right])
        case .sign(.flatten):
            advance()
            return try projection(over: left, column: column) { .flattened(left, each: $0) }
        case .sign(.filter): return try filtered(left)
        default:
            advance()
            return try bracketed(left, column: column)
        }
    }

    @inline(never)
    private mutating func filtered(_ left: Link) throws(ExpressionError) -> Link {
        let column = token.column
        advance()
        let condition = try expression()
        try expect(.closeBracket, orElse: .sign("]"))
        return try projection(over: left, condition, column: column) {
            .filtered(left, by: condition, each: $0)
        }
    }

    /// Behind the opening bracket of an index, a slice or a `[*]`.
    @inline(never)
    private mutating func bracketed(_ left: Link, column: Int) throws(ExpressionError) -> Link {
        if skip(.star) {
            try expect(.closeBracket, orElse: .sign("]"))
            return try projection(over: left, column: column) { .elements(left, each: $0) }
        }
        let first = try bound()
        if let first, skip(.closeBracket) {
            let right = try append(.index(first), column: column)
            return try append(.member(left, right), column: column, over: [left, right])
        }
        guard isAt(.colon) else { throw unexpected(first == nil ? .index : .sign("]")) }
        let slice = try slice(from: first)
        return try projection(over: left, column: column) { .sliced(left, slice, each: $0) }
    }

    private mutating func slice(from start: Int?) throws(ExpressionError) -> ExpressionTree.Slice {
        var slice = ExpressionTree.Slice(start: start)
        advance()
        slice.stop = try bound()
        var column = token.column
        if skip(.colon) {
            column = token.column
            slice.step = try bound() ?? 1
        }
        try expect(.closeBracket, orElse: .sign("]"))
        guard slice.step != 0 else { throw ExpressionError(column: column, reason: .value(.zeroStep)) }
        return slice
    }

    /// A number with its sign, if there is one.
    private mutating func bound() throws(ExpressionError) -> Int? {
        var isNegative = false
        if isAt(.minus), token(ahead: 1).isNumber, token(ahead: 1).column == token.end {
            isNegative = true
            advance()
        }
        guard case .number(let number) = token.kind else { return nil }
        advance()
        return isNegative ? -number : number
    }

    /// What may stand behind a dot.
    @inline(never)
    private mutating func member() throws(ExpressionError) -> Link {
        let column = token.column
        switch token.kind {
        case .name: return try named()
        case .quotedName: return try operand()
        case .sign(.openBracket):
            advance()
            return try list(column: column)
        case .sign(.openBrace):
            advance()
            return try hash(column: column)
        default: throw unexpected(.step)
        }
    }

    /// The steps up to the end of a projection are taken for each of its elements.
    @inline(never)
    mutating func projection(
        over links: Link...,
        column: Int,
        _ part: (Link) -> ExpressionTree.Part
    ) throws(ExpressionError) -> Link {
        try descend()
        defer { depth -= 1 }
        var each = try append(.current, column: token.column)
        while isAt(.dot) || isAt(.openBracket) || isAt(.filter) { each = try stepped(each) }
        return try append(part(each), column: column, over: links + [each])
    }
}
