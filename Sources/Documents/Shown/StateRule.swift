/// A state in which a widget shows a text beside the document, or instead of it.
package struct StateRule: Sendable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case placeholder, fresh, stale, error
        case noData = "nodata"

        /// Whether the widget shows the document.
        package var showsDocument: Bool { self == .fresh || self == .stale }
    }

    /// Its name among `errors`, or its position in `states`, from 1.
    package var name: String
    package var state: State
    package var text: LocalizedMessage?
    /// `nil`: only the program knows when.
    var condition: Condition?

    enum Condition: Sendable {
        case schema(Schema)
        case expression(JSONExpression)
    }

    /// Whether a document may be in it, or not, without a change.
    package var readsMoment: Bool {
        if case .expression(let expression) = condition {
            expression.dependencies.moment != nil
        } else {
            false
        }
    }

    /// The names of `errors` that the program tells by itself, whatever a document fits.
    static let programStates: Set = ["fresh", "stale", "locked", "incompatible"]
}

/// What a widget says beside the document, or instead of it.
package enum StateText: Sendable, Hashable {
    case fixed(String)
    /// With the values of its arguments.
    case message(LocalizedMessage, [ShownValues.Value])
}
