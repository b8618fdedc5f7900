import Documents
import Model

/// What breaks its schema crosses to nobody: the other side keeps its last good one.
extension PlanInput {
    /// Only what is new is looked at: what was agreed on was good once, or was let pass.
    func invalidity(_ side: Side) -> Problem? {
        guard let snapshot = snapshot(side) else { return nil }
        return violation(in: snapshot.json, version: snapshot.version).map { .invalid($0) }
    }

    /// The first place where a document breaks the schema of its version, unless such documents pass.
    func violation(in document: JSON, version: Int?) -> SchemaViolation? {
        rule.breach(of: document, version: version)
    }
}

extension DocumentRule {
    func breach(of document: JSON, version: Int?) -> SchemaViolation? {
        passesInvalid ? nil : violations(of: document, version: version).first
    }
}
