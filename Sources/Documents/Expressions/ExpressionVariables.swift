/// The variables of the surroundings. Each is converted once, when it is first read.
struct ExpressionVariables {
    private let surroundings: JSONExpression.Surroundings
    private var known: [String: ExpressionValue] = [:]

    init(_ surroundings: JSONExpression.Surroundings) { self.surroundings = surroundings }

    /// `nil` if it is not defined; `$today` is a function of `$now` and `$zone`.
    subscript(name: String) -> ExpressionValue? {
        mutating get {
            if let value = known[name] { return value }
            let value = value(of: name)
            known[name] = value
            return value
        }
    }

    private func value(of name: String) -> ExpressionValue? {
        if let own = surroundings.variables[name] { return ExpressionValue(own) }
        return switch BoundVariable(rawValue: name) {
        case .now: surroundings.now.map { _ in .moment(MovingNumber()) }
        case .today, nil: nil
        case .zone: surroundings.zone.map { ExpressionValue($0.name) }
        case .locale: surroundings.locale.map { ExpressionValue($0) }
        case .family: surroundings.family.map { ExpressionValue($0) }
        case .limit: surroundings.limit.map { ExpressionValue($0) }
        case .config: surroundings.config.map { ExpressionValue($0) }
        }
    }
}
