import Documents
import Model
import Processes

/// A document that an agent holds: it leaves it as it is on both sides.
struct HeldDocument: Hashable {
    var name: String
    /// Why, in the agent's words.
    var reason: String

    /// The held documents in the answer of `widgetbridge status --json`; `nil` if it is no such answer.
    static func all(in answer: String) -> [HeldDocument]? {
        guard let members = try? YAMLField.root(of: answer, file: "status").members(),
            let documents = try? members.first(where: { $0.name == "documents" })?.value.list()
        else { return nil }
        return documents.compactMap { document in
            guard let members = try? document.members() else { return nil }
            func text(_ name: String) -> String? {
                members.first { $0.name == name }.flatMap { try? $0.value.text() }
            }
            guard text("state") == "held", let name = text("name") else { return nil }
            return HeldDocument(name: name, reason: text("reason") ?? "")
        }
    }

    /// Asks the agent; `nil` if it does not answer in time.
    ///
    /// - Parameter command: one that prints its status.
    static func ask(_ command: String, environment: [String: String], within limit: Duration)
        -> [HeldDocument]?
    {
        guard let child = try? ChildCommand(command, environment: environment, isHeard: true) else {
            return nil
        }
        defer { child.end(patience: .zero) }
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            // What it printed before its end is all there once its end is known.
            let isOver = child.ended() != nil
            if let answer = child.lines().last { return all(in: answer) }
            if isOver { return nil }
            child.wait(milliseconds: 20)
        }
        return nil
    }
}

extension ObservationReport {
    /// What an agent holds at rest is no divergence, and nothing that it brings.
    mutating func record(held: [HeldDocument]?) {
        guard let held else { return noticed.append(.heldUnknown) }
        for one in held {
            noticed.append(.held(document: one.name, reason: one.reason))
            guard let number = history.documents.firstIndex(where: { $0.description == one.name }) else {
                continue
            }
            history.rest?.held.insert(number)
            history.rest?.differences.removeAll { $0.document == number }
            judgement.anomalies.removeAll { $0.kind == .divergence && $0.document == number }
        }
        if !held.isEmpty, !judgement.kinds.contains(.divergence) { skipped[.divergence] = .undecided }
    }
}
