/// The states that a document may be in.
package struct StateRules: Sendable {
    /// The first one that a document fits is what a widget shows.
    package var rules: [StateRule] = []
    /// The values of the document, which are the arguments of texts.
    var values: [NamedExpression] = []

    package var isEmpty: Bool { rules.isEmpty }
    /// Whether a document may be in another one without a change.
    package var readsMoment: Bool { rules.contains(where: \.readsMoment) }

    /// The first state whose condition a document of the newest version fits.
    ///
    /// - Parameter isStale: by its age; then a `stale` without a condition is one of them.
    package func state(of document: JSON, isStale: Bool = false, in setting: WidgetSetting) -> FoundState {
        var found = FoundState()
        for rule in rules {
            do throws(ShownValues.Fault) {
                guard try rule.fits(document, isStale: isStale, setting, &found.changesAt) else { continue }
                found.rule = rule
                found.text = rule.text.map {
                    .message($0, arguments(of: $0, document, setting, &found.changesAt))
                }
            } catch {
                found.fault = error
            }
            break
        }
        return found
    }

    /// The text of a state that the program tells.
    func text(of state: StateRule.State) -> LocalizedMessage? {
        let named = rules.filter { $0.state == state }
        return (named.first { $0.condition == nil } ?? named.first)?.text
    }

    private func arguments(
        of text: LocalizedMessage,
        _ document: JSON,
        _ setting: WidgetSetting,
        _ changesAt: inout Int64?
    ) -> [ShownValues.Value] {
        let names = Set(text.all.flatMap { $0.arguments.map(\.name) })
        var arguments: [ShownValues.Value] = []
        for value in values where names.contains(value.name) {
            // In a state of error a document may lack what its text names.
            let result = try? value.expression.value(named: value.name, document, in: setting, &changesAt)
            arguments.append(ShownValues.Value(name: value.name, value: result ?? .null))
        }
        return arguments
    }
}

/// Which of its states a document is in.
package struct FoundState: Sendable {
    /// `nil`: none, so it is fresh, or stale by its age.
    package var rule: StateRule?
    package var text: StateText?
    package var fault: ShownValues.Fault?
    /// When it may be another one without a change of the document, in milliseconds since 1970.
    package var changesAt: Int64?

    package init() {}

    /// Equal for equal states with equal texts.
    package var identity: [UInt8] {
        var bytes = Array((fault.map { "!\($0.name)" } ?? rule?.name ?? "").utf8)
        if case .message(_, let values) = text {
            for value in values { bytes += [0] + value.canonical }
        }
        return bytes
    }
}

extension StateRule {
    fileprivate func fits(
        _ document: JSON,
        isStale: Bool,
        _ setting: WidgetSetting,
        _ changesAt: inout Int64?
    ) throws(ShownValues.Fault) -> Bool {
        switch condition {
        case .schema(let schema): return schema.firstViolation(of: document) == nil
        case .expression(let expression):
            return try expression.value(named: "states \(name)", document, in: setting, &changesAt).isTrue
        case nil: return state == .stale && isStale
        }
    }
}
