package import Model
import Replica

/// What one document needs, or what was done: a row of a dry run or a report.
package struct PlannedChange: Sendable, Hashable {
    package enum Action: String, Codable, Sendable {
        case create, update, delete, merge, adopt, conflict, hold
    }
    package var document: String
    package var action: Action
    /// The side whose change it is (`nil` for a merge of both, or if nothing is copied).
    package var from: Side?
    package var reason: Reason

    package init(document: String, action: Action, from: Side?, reason: Reason) {
        self.document = document
        self.action = action
        self.from = from
        self.reason = reason
    }

    init(document: String, action: Action, from: Side?, _ reason: ChangeReason) {
        self.init(document: document, action: action, from: from, reason: .done(reason))
    }

    package enum Reason: Fact {
        case done(ChangeReason)
        /// Why it is held.
        case held(Side, Problem)

        package var text: String {
            switch self {
            case .done(let reason): reason.text
            case .held(let side, let problem): "\(side.rawValue): \(problem.text)"
            }
        }
    }

    /// The same, if it is held for a document that is in a store.
    func located(in replicas: BothSides<any Replica>) -> PlannedChange {
        guard case .held(let side, let problem) = reason, let path = RelativePath(document) else {
            return self
        }
        var change = self
        change.reason = .held(side, problem.located(at: replicas[side].address(of: path)))
        return change
    }

    /// Why it is done; `nil` if it is held.
    var done: ChangeReason? {
        if case .done(let reason) = reason { reason } else { nil }
    }

    /// The document has a version newer than the profile's newest.
    package var isNewerVersion: Bool {
        if case .held(_, let problem) = reason { problem.isNewerVersion } else { false }
    }

    static func adopted(_ document: RelativePath) -> PlannedChange {
        PlannedChange(
            document: document.description,
            action: .adopt,
            from: nil,
            .same
        )
    }
}
