import Documents

/// The value of an expression as compact JSON.
func value(
    _ expression: String,
    of document: String = "null",
    _ change: (inout JSONExpression.Surroundings) -> Void = { _ in }
) throws -> String {
    String(decoding: try evaluation(expression, of: document, change).value.bytes, as: UTF8.self)
}

func evaluation(
    _ expression: String,
    of document: String = "null",
    _ change: (inout JSONExpression.Surroundings) -> Void = { _ in }
) throws -> JSONExpression.Evaluation {
    var surroundings = JSONExpression.Surroundings()
    change(&surroundings)
    return try JSONExpression(parsing: expression).evaluate(try JSON(document), in: surroundings)
}

/// The error of an expression, when it is parsed or evaluated.
func fault(
    _ expression: String,
    of document: String = "null",
    _ change: (inout JSONExpression.Surroundings) -> Void = { _ in }
) -> ExpressionError? {
    do {
        _ = try evaluation(expression, of: document, change)
        return nil
    } catch {
        return error as? ExpressionError
    }
}

extension JSONExpression.Zone {
    static let berlin = JSONExpression.Zone(
        name: "Europe/Berlin",
        rules: TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
    )
    /// Its clocks go back from midnight to 23:00.
    static let lisbonWas = JSONExpression.Zone(
        name: "Atlantic/Azores",
        rules: TimeZoneRules(posix: "<-01>1<+00>,M3.5.0/0,M10.5.0/0") ?? .utc
    )
}
