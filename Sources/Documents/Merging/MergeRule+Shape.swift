// What merge rules, and fields that are computed, require of the documents' shape.
extension MergeRule {
    /// Whether the rule applies to values of this shape.
    func check(
        _ shape: Shape,
        _ document: Shape,
        _ place: JSONPointer
    ) throws(ShapeFault) {
        switch self {
        case .mine: return
        case .newest, .max, .min:
            try shape.expect([.string, .number, .integer, .null], .comparison, place)
        case .sum: try shape.expect([.string, .number, .integer], .sum, place)
        case .set:
            try shape.expect(.array, .union, place)
            guard case .array(let prefix, let items) = shape else { return }
            for inner in prefix + [items] where inner.types?.isSubset(of: [.object, .array]) ?? false {
                throw .notScalars(place, hold: inner.kind)
            }
        case .derived(let derivation):
            try shape.expect([.number, .integer, .string], .number, place)
            try derivation.check(document)
        }
    }
}

extension Derivation {
    /// Whether documents of this shape have the values that the field is computed from.
    func check(_ document: Shape) throws(ShapeFault) {
        let values = try document.inside(values.tokens[...])
        guard function == .sum else { return }
        try values.expect([.number, .integer, .string, .null], .sum, self.values)
    }
}

extension Shape {
    fileprivate func expect(
        _ allowed: SchemaTypes,
        _ operation: ShapeFault.Operation,
        _ place: JSONPointer
    ) throws(ShapeFault) {
        guard let types, types.isDisjoint(with: allowed) else { return }
        throw .unfit(operation, place, kind)
    }

    /// The shape of the values that a pattern matches.
    func inside(_ pattern: ArraySlice<[UInt8]>) throws(ShapeFault) -> Shape {
        guard let token = pattern.first else { return self }
        let rest = pattern.dropFirst()
        let isAny = token == JSONPointer.anyToken
        switch self {
        case .any: return .any
        case .types: throw .noMembers(kind, named: name(token))
        case .array(let prefix, let items):
            if isAny { return try (prefix.isEmpty ? items : .any).inside(rest) }
            guard let index = arrayIndex(token) else { throw .noMembers(kind, named: name(token)) }
            return try (index < prefix.count ? prefix[index] : items).inside(rest)
        case .object(let fields):
            if isAny { return try (fields.list.isEmpty ? fields.others ?? .any : .any).inside(rest) }
            if let index = fields.index(of: token) { return try fields.list[index].shape.inside(rest) }
            guard let others = fields.others else { throw fields.missing(token) }
            return try others.inside(rest)
        }
    }
}
