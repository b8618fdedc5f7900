/// A small value that a schema describes. Of the keywords only the common ones are considered, so whether it
/// fits the schema has to be checked.
struct SchemaSample {
    let schema: Schema

    func text() -> [UInt8] { text(0, depth: 0) }

    private static let greatestDepth = 16

    private func text(_ index: Int, depth: Int) -> [UInt8] {
        let rule = schema.rules[index]
        guard depth < Self.greatestDepth else { return Array("null".utf8) }
        if let node = rule.constant ?? rule.enumeration?.first ?? rule.defaultValue {
            return schema.json.slice(node)
        }
        if let reference = rule.reference { return text(reference, depth: depth + 1) }
        let types = rule.types ?? (rule.prefixItems.isEmpty ? .object : .array)
        if types.contains(.object) { return object(rule, depth) }
        if types.contains(.array) { return array(rule, depth) }
        if types.contains(.string) { return escaped(string(rule)) }
        if types.contains(.number) || types.contains(.integer) {
            return Array((rule.minimum?.text ?? "0").utf8)
        }
        return Array((types.contains(.boolean) ? "false" : "null").utf8)
    }

    private func object(_ rule: FixedRule, _ depth: Int) -> [UInt8] {
        let members = rule.required.map { key in
            escaped(key) + Array(":".utf8)
                + (rule.properties[key].map { text($0, depth: depth + 1) } ?? Array("{}".utf8))
        }
        return Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
    }

    private func array(_ rule: FixedRule, _ depth: Int) -> [UInt8] {
        let count = Swift.min(rule.minItems ?? 0, Self.greatestDepth)
        let elements = (0..<count).map { index in
            let schema = index < rule.prefixItems.count ? rule.prefixItems[index] : rule.items
            return schema.map { text($0, depth: depth + 1) } ?? Array("{}".utf8)
        }
        return Array("[".utf8) + elements.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    private func string(_ rule: FixedRule) -> [UInt8] {
        switch rule.format {
        case .dateTime: Array("2026-01-18T14:30:00Z".utf8)
        case .date: Array("2026-01-18".utf8)
        default: [UInt8](repeating: UInt8(ascii: "a"), count: rule.minLength ?? 0)
        }
    }
}
