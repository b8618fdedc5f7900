/// A call of a function, with the values of its arguments.
struct ExpressionCall {
    var function: ExpressionFunction
    /// The call in the tree.
    var link: ExpressionTree.Link
    /// Null for an argument that is an expression.
    private(set) var values: [ExpressionValue] = []
    /// That argument, if the function takes one.
    private(set) var expression: ExpressionTree.Link?

    typealias Value = ExpressionValue
    typealias Kind = ExpressionError.ArgumentKind

    init(_ function: ExpressionFunction, at link: ExpressionTree.Link) {
        (self.function, self.link) = (function, link)
    }

    @inline(never)
    mutating func add(
        _ expression: ExpressionTree.Link,
        in run: Evaluator,
        at argument: ExpressionTree.Link
    ) throws(ExpressionError) {
        let place = values.count
        guard function.expressionPlace == place else {
            throw run.fail(argument, .type(.argument(function, place), expected: [], found: .expression))
        }
        self.expression = expression
        values.append(.null)
    }

    @inline(never)
    mutating func add(
        _ value: Value,
        in run: inout Evaluator,
        at argument: ExpressionTree.Link
    ) throws(ExpressionError) {
        guard function.expressionPlace != values.count else {
            throw run.fail(
                link,
                .type(.argument(function, values.count), expected: [.expression], found: run.kind(of: value))
            )
        }
        values.append(function.takesMoments ? value : try run.settled(value, at: argument))
    }

    func result(in run: inout Evaluator) throws(ExpressionError) -> Value {
        if let result = try numberFunction(in: &run) { return result }
        if let result = try listFunction(in: &run) { return result }
        if let result = try stringFunction(in: &run) { return result }
        if let result = try objectFunction(in: &run) { return result }
        return try TimeCall(self).result(in: &run)
    }

    // MARK: Errors

    func wrongType(_ place: Int, _ expected: Kind..., in run: Evaluator) -> ExpressionError {
        wrongType(place, expected, found: run.kind(of: values[place]), in: run)
    }

    func wrongType(_ place: Int, _ expected: [Kind], found: Kind, in run: Evaluator) -> ExpressionError {
        run.fail(link, .type(.argument(function, place), expected: expected, found: found))
    }

    func wrongValue(_ fault: ExpressionError.Fault, in run: Evaluator) -> ExpressionError {
        run.fail(link, .value(fault))
    }

    // MARK: Arguments

    func number(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> ExactNumber {
        if let number = try run.number(values[place], at: link) { return number }
        throw wrongType(place, .number, in: run)
    }

    func string(_ place: Int, in run: Evaluator) throws(ExpressionError) -> [UInt8] {
        if let string = run.string(values[place]) { return string }
        throw wrongType(place, .string, in: run)
    }

    func elements(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> [Value] {
        if let elements = try run.elements(of: values[place], at: link) { return elements }
        throw wrongType(place, .array, in: run)
    }

    func members(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> [Value.Member] {
        if let members = try run.members(of: values[place], at: link) { return members }
        throw wrongType(place, .object, in: run)
    }

    func numbers(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> [ExactNumber] {
        guard let elements = try run.elements(of: values[place], at: link) else {
            throw wrongType(place, .numbers, in: run)
        }
        var numbers: [ExactNumber] = []
        for element in elements {
            guard let number = try run.number(element, at: link) else {
                throw wrongType(place, [.numbers], found: run.kind(of: element), in: run)
            }
            numbers.append(number)
        }
        return numbers
    }

    func strings(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> [[UInt8]] {
        guard let elements = try run.elements(of: values[place], at: link) else {
            throw wrongType(place, .strings, in: run)
        }
        var strings: [[UInt8]] = []
        for element in elements {
            guard let string = run.string(element) else {
                throw wrongType(place, [.strings], found: run.kind(of: element), in: run)
            }
            strings.append(string)
        }
        return strings
    }

    /// A whole number, which is `nil` if it is left out; a very large one is cut to `Int32`.
    func whole(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> Int? {
        guard place < values.count else { return nil }
        let number = try number(place, in: &run)
        guard number.rounded(.down) == number else { throw wrongValue(.notWhole(function), in: run) }
        let most = Int(Int32.max)
        return min(max(number.integer ?? (number.isNegative ? -most : most), -most), most)
    }

    /// The same for a number that counts something.
    func count(_ place: Int, in run: inout Evaluator) throws(ExpressionError) -> Int? {
        let count = try whole(place, in: &run)
        if let count, count < 0 { throw wrongValue(.negative(function), in: run) }
        return count
    }
}

extension ExpressionFunction {
    /// The place of the argument that is an expression.
    fileprivate var expressionPlace: Int? {
        switch self {
        case .map: 0
        case .maxBy, .minBy, .sortBy, .groupBy: 1
        default: nil
        }
    }

    /// Whether it tells itself when a moment that it is given changes its value.
    fileprivate var takesMoments: Bool {
        switch self {
        case .daysBetween, .daysSince, .daysUntil, .localDate, .startOfDay, .type, .weekday: true
        default: false
        }
    }
}
