extension JSONExpression {
    /// What an evaluation knows besides the document. A variable without a value is not defined.
    package struct Surroundings: Sendable {
        /// `$now`: in seconds since 1970.
        package var now: Int?
        package var zone: Zone?
        package var locale: String?
        package var family: String?
        /// The number of rows that the widget's family has.
        package var limit: Int?
        /// The parameters of the placed widget.
        package var config: JSONValue?
        /// Of the caller, without their `$`; they count before the ones above.
        package var variables: [String: JSONValue] = [:]
        package var limits = Limits()

        package init() {}
    }

    package struct Zone: Sendable, Hashable {
        /// `$zone`.
        package var name: String
        package var rules: TimeZoneRules

        package init(name: String, rules: TimeZoneRules) { (self.name, self.rules) = (name, rules) }
    }

    /// Bounds of one evaluation.
    package struct Limits: Sendable, Hashable {
        /// The most parts that are evaluated and elements that are read or made.
        package var steps = 1_000_000
        /// The most bytes of the strings that are made, and of the value.
        package var bytes = 16 << 20

        package init() {}
    }

    package struct Evaluation: Sendable, Hashable {
        package let value: JSONValue
        /// The first second, since 1970, in which the value may be another without a change of the document;
        /// `nil` if it depends on the document alone. It may be early, but is never late.
        package let changesAt: Int?
    }

    package func evaluate(
        _ document: JSON,
        in surroundings: Surroundings = Surroundings()
    ) throws(ExpressionError) -> Evaluation {
        var evaluator = Evaluator(tree, document.text, surroundings)
        do throws(ExpressionError) {
            let found = try evaluator.evaluate(tree.top, on: .node(JSON.root))
            let value = try evaluator.result(found, at: tree.top)
            return Evaluation(value: value, changesAt: evaluator.changesAt)
        } catch {
            var error = error
            error.changesAt = evaluator.changesAt
            throw error
        }
    }
}
