extension JSONPointer {
    /// Whether documents of the rule's newest version may have this value.
    package func isPossible(in rule: DocumentRule) -> Bool {
        guard let schema = rule.versions.last?.schema else { return true }
        return Shape(schema).inner(at: tokens[...]) != nil
    }

    /// Whether this value may have elements or members.
    package func isCountable(in rule: DocumentRule) -> Bool {
        guard let schema = rule.versions.last?.schema,
            case .types(let types)? = Shape(schema).inner(at: tokens[...])
        else { return true }
        return !types.isDisjoint(with: [.array, .object])
    }
}
