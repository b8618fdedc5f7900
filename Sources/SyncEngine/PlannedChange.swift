package import Reconciliation

/// What one document needs, or what became of it: a row of a dry run and of a report.
package struct PlannedChange: Codable, Sendable, Hashable {
    package enum Action: String, Codable, Sendable {
        case create, update, delete, merge, adopt, conflict, hold
    }
    package var document: String
    package var action: Action
    /// The side whose change it is (`nil` for a merge of both, or where nothing crosses).
    package var from: Side?
    /// In words, for a person.
    package var reason: String
    /// A document of a version newer than the profile knows.
    package var isNewerVersion: Bool

    package init(document: String, action: Action, from: Side?, reason: String, isNewerVersion: Bool = false)
    {
        self.document = document
        self.action = action
        self.from = from
        self.reason = reason
        self.isNewerVersion = isNewerVersion
    }

    static func adopted(_ document: RelativePath) -> PlannedChange {
        PlannedChange(
            document: document.description,
            action: .adopt,
            from: nil,
            reason: "both sides hold the same"
        )
    }
}
