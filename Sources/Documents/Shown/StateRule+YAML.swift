extension StateRule {
    /// A member of `errors`, with a schema as its condition.
    init(error name: String, _ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["text", "when"])
        self.init(name: name, state: name == Self.noDataName ? .noData : State(rawValue: name) ?? .error)
        text = try fields["text"].map { text throws(ProfileError) in
            LocalizedMessage(Message(plain: try text.text()))
        }
        condition = try fields["when"].map { when throws(ProfileError) in .schema(try when.schema()) }
        if condition != nil, Self.programStates.contains(name) { throw field.fail(.rule(.nameOfState(name))) }
    }

    private static let noDataName = "noData"

    /// The elements of `states`.
    static func all(_ field: YAMLField, _ values: [NamedExpression]) throws(ProfileError) -> [StateRule] {
        var states: [StateRule] = []
        for element in try field.list() {
            let fields = try element.fields(["state", "when", "text"])
            guard let name = fields["state"] else { throw element.fail(.missing("state")) }
            guard let state = State(rawValue: try name.text()) else {
                throw name.fail(.expected(.oneOf(State.allCases.map(\.rawValue)), .text(try name.text())))
            }
            var rule = StateRule(name: "\(states.count + 1)", state: state)
            rule.text = try fields["text"].map { text throws(ProfileError) in
                try LocalizedMessage(text, of: values.map(\.name))
            }
            if let when = fields["when"] {
                let expression = try JSONExpression(when)
                if let use = expression.dependencies.widget { throw when.fail(.rule(.ofOneWidget(use.name))) }
                if let earlier = states.first(where: { $0.hasCondition(expression) }) {
                    throw when.fail(.rule(.hidden(by: earlier.name)))
                }
                rule.condition = .expression(expression)
            } else if state == .fresh || state == .error {
                throw element.fail(.missing("when"))
            }
            states.append(rule)
        }
        return states
    }

    private func hasCondition(_ expression: JSONExpression) -> Bool {
        if case .expression(let own) = condition { own == expression } else { false }
    }
}
