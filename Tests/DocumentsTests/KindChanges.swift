@testable import Documents

extension DocumentRule {
    private static let beginning = WidgetSetting(zone: .utc, now: 0)

    /// In UTC, at the beginning of 1970.
    func kinds(changedBetween old: JSON?, and new: JSON?) -> [String] {
        kinds(changedBetween: old, and: new, in: Self.beginning)
    }

    /// The state of a document by its content, and its text as the profile has it.
    func errorState(of document: JSON) -> (state: StateRule.State, text: String?)? {
        states.state(of: document, in: Self.beginning).rule.map { ($0.state, $0.text?.all.first?.text) }
    }
}
