/// Reads the value of a field that a lens adds.
extension AddLens.Content {
    private static let keys = ["value", "copy", "count", "sum", "join"]

    init(_ fields: [String: YAMLField], of field: YAMLField) throws(ProfileError) {
        let given = Self.keys.filter { fields[$0] != nil }
        guard given.count == 1, let key = given.first, let value = fields[key] else {
            throw field.fail(.oneOf(Self.keys, .content))
        }
        for (other, owner) in [("where", "count"), ("by", "join")] where key != owner {
            if let stray = fields[other] { throw stray.fail(.rule(.strayKey(other, of: owner))) }
        }
        switch key {
        case "value": self = .constant(try value.json())
        case "copy": self = .copy(of: try value.bytes())
        case "join":
            guard let by = fields["by"] else { throw field.fail(.missing("by", .separator)) }
            self = .joined(try value.texts().map { Array($0.utf8) }, separator: try by.bytes())
        default: self = .derived(try Derivation(fields, of: field))
        }
    }
}
