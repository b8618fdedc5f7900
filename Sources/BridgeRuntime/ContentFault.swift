package import Documents
import SyncEngine

extension BridgeError.ContentFault {
    /// Why the bridge would hold a document with this text; `nil` also for a text that is not JSON.
    package init?(in text: [UInt8], heldBy rule: DocumentRule, limits: JSONLimits) {
        guard let json = try? JSON(parsing: text, limits: limits) else { return nil }
        switch rule.version(of: json) {
        case .newer(let version): self = .newer(version)
        case .unreadable(let fault): self = .version(fault)
        case .known, .unversioned:
            guard let violation = SchemaViolation(in: json, by: rule) else { return nil }
            self = .violation(violation)
        }
    }
}
