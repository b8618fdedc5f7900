extension ExpressionParser {
    /// What can begin an expression.
    @inline(never)
    mutating func operand() throws(ExpressionError) -> Link {
        switch token.kind {
        case .sign(let sign): try signed(sign)
        case .name: try word()
        default: try literal()
        }
    }

    private mutating func literal() throws(ExpressionError) -> Link {
        let (kind, column) = (token.kind, token.column)
        let part: ExpressionTree.Part
        switch kind {
        case .variable(let name): part = variable(name, column: column)
        case .quotedName(let name): part = .field(name)
        case .raw(let text): part = .literal(.string(text))
        case .literal(let value): part = .literal(ExpressionValue(value))
        default: throw unexpected(.expression)
        }
        advance()
        if case .field = part, isAt(.openParenthesis) { throw unexpected(.unquotedName) }
        return try append(part, column: column)
    }

    @inline(never)
    private mutating func signed(_ sign: Sign) throws(ExpressionError) -> Link {
        let column = token.column
        switch sign {
        case .current, .root:
            advance()
            return try append(sign == .root ? .root : .current, column: column)
        case .star:
            let current = try append(.current, column: column)
            advance()
            return try projection(over: current, column: column) { .values(current, each: $0) }
        case .flatten, .filter: return try stepped(try append(.current, column: column))
        case .openBracket:
            if isIndex { return try stepped(try append(.current, column: column)) }
            advance()
            return try list(column: column)
        case .openBrace:
            advance()
            return try hash(column: column)
        case .openParenthesis:
            advance()
            return try parenthesized()
        case .not:
            advance()
            return try prefixed(column: column) { .not($0) }
        case .plus, .minus:
            advance()
            return try prefixed(column: column) { .signed(isNegative: sign == .minus, $0) }
        default: throw unexpected(.expression)
        }
    }

    @inline(never)
    private mutating func parenthesized() throws(ExpressionError) -> Link {
        let inner = try expression()
        try expect(.closeParenthesis, orElse: .sign(")"))
        return inner
    }

    /// A sign binds its operand more tightly than all but steps: `!a.b` is `!(a.b)`.
    @inline(never)
    private mutating func prefixed(
        column: Int,
        _ part: (Link) -> ExpressionTree.Part
    ) throws(ExpressionError) -> Link {
        let operand = try expression(.sign)
        return try append(part(operand), column: column, over: [operand])
    }

    /// A field, a function, or a `let`, which is a word like others before anything but a variable.
    @inline(never)
    private mutating func word() throws(ExpressionError) -> Link {
        if token.kind == .name("let"), case .variable = token(ahead: 1).kind { return try bindings() }
        return try named()
    }

    /// A field or a function.
    @inline(never)
    mutating func named() throws(ExpressionError) -> Link {
        guard case .name(let name) = token.kind else { throw unexpected(.step) }
        let column = token.column
        advance()
        if isAt(.openParenthesis) { return try call(name, column: column) }
        return try append(.field(Array(name.utf8)), column: column)
    }

    @inline(never)
    private mutating func bindings() throws(ExpressionError) -> Link {
        let column = token.column
        var (names, values): ([String], [Link]) = ([], [])
        repeat {
            advance()
            guard case .variable(let name) = token.kind else { throw unexpected(.variable) }
            names.append(name)
            advance()
            try expect(.assign, orElse: .sign("="))
            values.append(try expression())
        } while isAt(.comma)
        guard token.kind == .name("in") else { throw unexpected(.sign("in")) }
        advance()
        visible += names
        let body = try expression()
        visible.removeLast(names.count)
        return try append(.bindings(values, in: body), column: column, over: values + [body])
    }

    private mutating func variable(_ name: String, column: Int) -> ExpressionTree.Part {
        if let place = visible.lastIndex(of: name) { return .local(place) }
        let use = JSONExpression.Use(name: "$\(name)", column: column)
        guard let bound = BoundVariable(rawValue: name) else {
            dependencies.free.append(use)
            return .free(name)
        }
        dependencies.note(bound.dependencies, use)
        return .bound(bound)
    }

    @inline(never)
    private mutating func call(_ name: String, column: Int) throws(ExpressionError) -> Link {
        guard let function = ExpressionFunction(rawValue: name) else {
            throw ExpressionError(column: column, reason: .unknownFunction(name))
        }
        advance()
        var arguments: [Link] = []
        while !isAt(.closeParenthesis) {
            if !arguments.isEmpty { try expect(.comma, orElse: .more(closing: ")")) }
            arguments.append(try argument())
        }
        advance()
        guard function.arity.contains(arguments.count) else {
            throw ExpressionError(column: column, reason: .arity(function, found: arguments.count))
        }
        dependencies.note(function.dependencies, JSONExpression.Use(name: name, column: column))
        return try append(.call(function, arguments), column: column, over: arguments)
    }

    @inline(never)
    private mutating func argument() throws(ExpressionError) -> Link {
        let column = token.column
        guard skip(.reference) else { return try expression() }
        let inner = try expression()
        return try append(.reference(inner), column: column, over: [inner])
    }

    /// Behind the opening bracket.
    @inline(never)
    mutating func list(column: Int) throws(ExpressionError) -> Link {
        var elements: [Link] = []
        repeat { elements.append(try expression()) } while skip(.comma)
        try expect(.closeBracket, orElse: .more(closing: "]"))
        return try append(.list(elements), column: column, over: elements)
    }

    /// Behind the opening brace.
    @inline(never)
    mutating func hash(column: Int) throws(ExpressionError) -> Link {
        var entries: [ExpressionTree.Entry] = []
        repeat {
            let key = try key()
            entries.append(ExpressionTree.Entry(key: key, value: try expression()))
        } while skip(.comma)
        try expect(.closeBrace, orElse: .more(closing: "}"))
        return try append(.hash(entries), column: column, over: entries.map(\.value))
    }

    /// The key of an entry, with the colon behind it.
    @inline(never)
    private mutating func key() throws(ExpressionError) -> [UInt8] {
        let key: [UInt8]
        switch token.kind {
        case .name(let name): key = Array(name.utf8)
        case .quotedName(let name): key = name
        default: throw unexpected(.key)
        }
        advance()
        try expect(.colon, orElse: .sign(":"))
        return key
    }
}

/// What a variable or function reads besides the document.
struct DependencyKinds: OptionSet {
    let rawValue: UInt8
    static let moment = DependencyKinds(rawValue: 1)
    static let place = DependencyKinds(rawValue: 2)
    static let widget = DependencyKinds(rawValue: 4)
}

extension BoundVariable {
    var dependencies: DependencyKinds {
        switch self {
        case .now: .moment
        case .today: [.moment, .place]
        case .zone, .locale: .place
        case .family, .limit, .config: .widget
        }
    }
}

extension JSONExpression.Dependencies {
    /// Notes the first use of each kind.
    mutating func note(_ kinds: DependencyKinds, _ use: JSONExpression.Use) {
        if kinds.contains(.moment) { moment = moment ?? use }
        if kinds.contains(.place) { place = place ?? use }
        if kinds.contains(.widget) { widget = widget ?? use }
    }
}
