/// The schema that all samples match, as lines of YAML.
struct DraftSchema {
    let samples: [Sample]
    /// Fields of the root with a fixed value.
    var constants: [String: Int] = [:]

    func lines(_ indent: String) -> [String] {
        var lines = ["\(indent)type: \(types)"]
        let objects = samples.compactMap(\.object)
        let keys = allKeys(of: objects)
        if !keys.isEmpty {
            lines.append("\(indent)properties:")
            for key in keys { lines += property(key, of: objects, indent + "  ") }
            let required = keys.filter { key in objects.allSatisfy { $0[key] != nil } }
            if !required.isEmpty { lines.append("\(indent)required: [\(listed(required))]") }
        }
        let items = samples.compactMap(\.elements).flatMap(\.self)
        if !items.isEmpty {
            lines.append("\(indent)items:")
            lines += DraftSchema(samples: items).lines(indent + "  ")
        }
        return lines
    }

    private func property(_ key: String, of objects: [SampleObject], _ indent: String) -> [String] {
        if let constant = constants[key] { return ["\(indent)\(yamlScalar(key)): {const: \(constant)}"] }
        let inner = DraftSchema(samples: objects.compactMap { $0[key] }).lines(indent + "  ")
        guard inner.count == 1 else { return ["\(indent)\(yamlScalar(key)):"] + inner }
        return ["\(indent)\(yamlScalar(key)): {\(inner[0].drop { $0 == " " })}"]
    }

    /// The types of the samples. Integers count as numbers, since another document may have a fraction.
    private var types: String {
        let all = ["object", "array", "string", "number", "boolean", "\"null\""]
        let found = Set(samples.map(\.typeName))
        let names = all.filter(found.contains)
        return names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
    }

    private func listed(_ keys: [String]) -> String { keys.map { yamlScalar($0) }.joined(separator: ", ") }
}

extension Sample {
    var typeName: String {
        switch self {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "number"
        case .bool: "boolean"
        case .null: "\"null\""
        }
    }
}
