/// One evaluation of an expression.
struct Evaluator {
    typealias Link = ExpressionTree.Link
    typealias Value = ExpressionValue

    let tree: ExpressionTree
    let text: NodeText
    let surroundings: JSONExpression.Surroundings
    /// See `JSONExpression.Evaluation`. What an evaluation reads of the moment are outcomes; while each of
    /// them stays the same, so do all others, and the value.
    private(set) var changesAt: Int?
    /// The values of the `let` expressions around, the innermost last.
    private var locals: [Value] = []
    private var variables: ExpressionVariables
    /// Today, once it was read.
    var presentDay: Int?
    private var stepsLeft: Int
    private var bytesLeft: Int

    init(_ tree: ExpressionTree, _ text: NodeText, _ surroundings: JSONExpression.Surroundings) {
        self.tree = tree
        self.text = text
        self.surroundings = surroundings
        variables = ExpressionVariables(surroundings)
        stepsLeft = surroundings.limits.steps
        bytesLeft = surroundings.limits.bytes
    }

    // MARK: Bounds and errors

    mutating func charge(_ steps: Int, at link: Link) throws(ExpressionError) {
        stepsLeft -= steps
        if stepsLeft < 0 { throw fail(link, .tooManySteps(limit: surroundings.limits.steps)) }
    }

    mutating func charge(bytes: Int, at link: Link) throws(ExpressionError) {
        bytesLeft -= bytes
        if bytesLeft < 0 { throw fail(link, .tooManyBytes(limit: surroundings.limits.bytes)) }
    }

    func fail(_ link: Link, _ reason: ExpressionError.Reason) -> ExpressionError {
        ExpressionError(column: tree.columns[link], reason: reason)
    }

    /// The value may change in this second, if any.
    mutating func note(change: Int?) {
        if let change { changesAt = min(changesAt ?? change, change) }
    }

    // MARK: Parts

    // These functions call each other for each level of an expression. They are not inlined, so that a level
    // needs little of the stack.

    mutating func evaluate(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        try charge(1, at: link)
        switch tree.parts[link] {
        case .current: return value
        case .field, .local, .bound, .free, .index, .root, .literal: return try leaf(link, on: value)
        case .member(let left, let right):
            let value = try evaluate(left, on: value)
            return isNull(value) ? .null : try evaluate(right, on: value)
        case .pipe(let left, let right): return try evaluate(right, on: try evaluate(left, on: value))
        case .elements, .values, .flattened, .sliced: return try projection(link, on: value)
        case .filtered: return try filter(link, on: value)
        case .list(let links): return try list(links, on: value)
        case .hash(let entries): return try hash(entries, on: value)
        case .or, .and, .not, .choice: return try logic(link, on: value)
        case .comparison, .arithmetic, .signed: return try operation(link, on: value)
        case .bindings(let values, let body): return try bind(values, body, on: value)
        case .call(let function, let arguments): return try call(function, arguments, on: value, at: link)
        // Only functions have them, which evaluate what they refer to.
        case .reference: return .null
        }
    }

    @inline(never)
    private mutating func leaf(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        switch tree.parts[link] {
        case .literal(let literal): literal
        case .field(let key): try field(key, of: value, at: link)
        case .local(let place): locals[place]
        case .bound(.today): try TimeCall.today(at: link, in: &self)
        case .bound(let variable): try self.variable(variable.rawValue, at: link)
        case .free(let name): try variable(name, at: link)
        case .index(let index): try element(index, of: value, at: link)
        default: .node(JSON.root)
        }
    }

    @inline(never)
    private mutating func logic(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        switch tree.parts[link] {
        case .or(let left, let right):
            let first = try evaluate(left, on: value)
            return isTrue(first) ? first : try evaluate(right, on: value)
        case .and(let left, let right):
            let first = try evaluate(left, on: value)
            return isTrue(first) ? try evaluate(right, on: value) : first
        case .not(let operand): return .bool(!(try isTrue(operand, on: value)))
        case .choice(let condition, let yes, let no):
            return try evaluate(try isTrue(condition, on: value) ? yes : no, on: value)
        default: return .null
        }
    }

    @inline(never)
    mutating func isTrue(_ link: Link, on value: Value) throws(ExpressionError) -> Bool {
        isTrue(try evaluate(link, on: value))
    }

    @inline(never)
    private mutating func operation(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        switch tree.parts[link] {
        case .comparison(let comparison, let left, let right):
            let a = try evaluate(left, on: value)
            return try compare(a, comparison, try evaluate(right, on: value), at: link)
        case .arithmetic(let operation, let left, let right):
            let a = try evaluate(left, on: value)
            return try calculate(a, operation, try evaluate(right, on: value), at: link)
        case .signed(let isNegative, let operand):
            return try signed(try evaluate(operand, on: value), isNegative: isNegative, at: link)
        default: return .null
        }
    }

    @inline(never)
    private mutating func list(_ links: [Link], on value: Value) throws(ExpressionError) -> Value {
        var elements: [Value] = []
        elements.reserveCapacity(links.count)
        for link in links { elements.append(try settled(try evaluate(link, on: value), at: link)) }
        return .array(elements)
    }

    @inline(never)
    private mutating func hash(
        _ entries: [ExpressionTree.Entry],
        on value: Value
    ) throws(ExpressionError) -> Value {
        var object = ObjectBuilder()
        for entry in entries {
            let value = try evaluate(entry.value, on: value)
            object.set(entry.key, try settled(value, at: entry.value))
        }
        return .object(object.members)
    }

    @inline(never)
    private mutating func bind(
        _ values: [Link],
        _ body: Link,
        on value: Value
    ) throws(ExpressionError) -> Value {
        var bound: [Value] = []
        for link in values { bound.append(try evaluate(link, on: value)) }
        locals += bound
        defer { locals.removeLast(bound.count) }
        return try evaluate(body, on: value)
    }

    @inline(never)
    private mutating func call(
        _ function: ExpressionFunction,
        _ arguments: [Link],
        on value: Value,
        at link: Link
    ) throws(ExpressionError) -> Value {
        var call = ExpressionCall(function, at: link)
        for argument in arguments {
            if case .reference(let expression) = tree.parts[argument] {
                try call.add(expression, in: self, at: argument)
            } else {
                try call.add(try evaluate(argument, on: value), in: &self, at: argument)
            }
        }
        return try call.result(in: &self)
    }

    // MARK: Variables

    /// The years 0 to 9999, in seconds since 1970.
    static let years = -62_167_219_200...253_402_300_799

    private mutating func variable(_ name: String, at link: Link) throws(ExpressionError) -> Value {
        if let value = variables[name] { return value }
        throw fail(link, .undefinedVariable(name))
    }

    func now(at link: Link) throws(ExpressionError) -> Int {
        guard let now = surroundings.now else { throw fail(link, .undefinedVariable("now")) }
        guard Self.years.contains(now) else { throw fail(link, .value(.timeRange(.date))) }
        return now
    }

    func zone(at link: Link) throws(ExpressionError) -> TimeZoneRules {
        guard let zone = surroundings.zone else { throw fail(link, .undefinedVariable("zone")) }
        return zone.rules
    }

    /// A value that does not move with the moment: that of this second.
    @inline(never)
    mutating func settled(_ value: Value, at link: Link) throws(ExpressionError) -> Value {
        guard case .moment(let moving) = value else { return value }
        let now = try now(at: link)
        note(change: now + 1)
        return .number(try bounded(moving.value(at: now), at: link))
    }

    /// `number`, unless it has too many digits.
    func bounded(_ number: ExactNumber?, at link: Link) throws(ExpressionError) -> ExactNumber {
        guard let number else { throw fail(link, .tooManyDigits(limit: ExactNumber.mostDigits)) }
        return number
    }
}

/// Members in the order in which their keys came first.
struct ObjectBuilder {
    private(set) var members: [ExpressionValue.Member] = []
    private var places: [[UInt8]: Int] = [:]

    /// The later value counts.
    @inline(never)
    mutating func set(_ key: [UInt8], _ value: ExpressionValue) {
        if let place = place(of: key) {
            members[place].value = value
        } else {
            places[key] = members.count
            members.append(ExpressionValue.Member(key: key, value: value))
        }
    }

    func place(of key: [UInt8]) -> Int? { places[key] }
}
