package import Documents
import Model

/// A document that violates its schema is not synced: the other side keeps its last valid one.
extension PlanInput {
    /// Checks only changed sides: the base was valid, or was accepted.
    func invalidity(_ side: Side) -> Problem? {
        guard let snapshot = snapshot(side) else { return nil }
        return violation(in: snapshot.json, version: snapshot.version).map { .invalid($0) }
    }

    /// The first violation of the schema of its version, unless the rule accepts such documents.
    func violation(in document: JSON, version: Int?) -> SchemaViolation? {
        rule.breach(of: document, version: version)
    }
}

extension DocumentRule {
    func breach(of document: JSON, version: Int?) -> SchemaViolation? {
        passesInvalid ? nil : firstViolation(of: document, version: version)
    }
}

extension SchemaViolation {
    /// The first one in a document's text. `nil` also for a text that is not JSON, or of an unknown version.
    package init?(in text: [UInt8], by rule: DocumentRule, limits: JSONLimits) {
        guard let json = try? JSON(parsing: text, limits: limits) else { return nil }
        self.init(in: json, by: rule)
    }

    package init?(in json: JSON, by rule: DocumentRule) {
        guard let violation = rule.breach(of: json, version: rule.known(json)) else { return nil }
        self = violation
    }
}
