/// What a schema says of the fields of a document: enough to check whether a list of lenses leads from one
/// version to the next.
indirect enum Shape: Sendable {
    /// Nothing is known.
    case any
    /// A value of one of these types, without fields that a lens could name.
    case types(SchemaTypes)
    case object(Fields)
    case array(prefix: [Shape], items: Shape)

    struct Field: Sendable {
        var key: [UInt8]
        var shape: Shape
        var isRequired: Bool
        /// The schema has a default for a missing field.
        var hasDefault = false
        /// A lens moved its last field away, so that only fields unknown to the schema can be left in it.
        var isEmptied = false
    }

    struct Fields: Sendable {
        var list: [Field] = []
        /// The shape of all other keys; `nil` if the schema says nothing about them.
        var others: Shape?
        /// The fields that lenses removed, for errors about missing fields.
        var gone: [[UInt8]] = []

        func index(of key: [UInt8]) -> Int? { list.firstIndex { $0.key == key } }
    }

    var types: SchemaTypes? {
        switch self {
        case .any: nil
        case .types(let types): types
        case .object: .object
        case .array: .array
        }
    }

    var kind: ShapeKind {
        switch self {
        case .any: .any
        case .types(let types): .types(types)
        case .object: .object
        case .array: .array
        }
    }
}

extension Shape {
    init(_ schema: Schema) { self.init(schema, rule: 0, within: []) }

    private init(_ schema: Schema, rule number: Int, within outer: [Int]) {
        // A schema that contains itself has no finite shape.
        guard !outer.contains(number) else {
            self = .any
            return
        }
        let rule = schema.rules[number]
        func inner(_ inner: Int) -> Shape { Shape(schema, rule: inner, within: outer + [number]) }
        var fields = Fields()
        for (key, property) in rule.propertyList {
            fields.list.append(
                Field(
                    key: key,
                    shape: inner(property),
                    isRequired: rule.required.contains(key),
                    hasDefault: schema.rules[property].defaultValue != nil
                )
            )
        }
        for key in rule.required where fields.index(of: key) == nil {
            fields.list.append(Field(key: key, shape: .any, isRequired: true))
        }
        if let others = rule.additionalProperties, !schema.rules[others].isFalse {
            fields.others = inner(others)
        }
        if !rule.patternProperties.isEmpty { fields.others = .any }
        let items = rule.items.map(inner) ?? .any
        if !fields.list.isEmpty || fields.others != nil || rule.types == .object {
            self = .object(fields)
        } else if !rule.prefixItems.isEmpty || rule.items != nil || rule.types == .array {
            self = .array(prefix: rule.prefixItems.map(inner), items: items)
        } else {
            self = rule.types.map { .types($0) } ?? .any
        }
        for other in rule.allOf + [rule.reference].compactMap({ $0 }) { join(inner(other), isCertain: true) }
        for other in rule.anyOf + rule.oneOf + [rule.then, rule.otherwise].compactMap({ $0 }) {
            join(inner(other), isCertain: false)
        }
    }

    /// Adds what another schema says of the same value. `isCertain`: it always applies.
    private mutating func join(_ other: Shape, isCertain: Bool) {
        switch (self, other) {
        case (.any, _): if isCertain { self = other } else if case .object = other { self = other.optional }
        case (.object(var mine), .object(let its)):
            for field in its.list {
                if let index = mine.index(of: field.key) {
                    if isCertain, field.isRequired { mine.list[index].isRequired = true }
                    if case .any = mine.list[index].shape { mine.list[index].shape = field.shape }
                } else {
                    mine.list.append(
                        Field(key: field.key, shape: field.shape, isRequired: isCertain && field.isRequired)
                    )
                }
            }
            mine.others = mine.others ?? its.others
            self = .object(mine)
        default: break
        }
    }

    private var optional: Shape {
        guard case .object(var fields) = self else { return self }
        for index in fields.list.indices { fields.list[index].isRequired = false }
        return .object(fields)
    }
}

// MARK: What lenses do to a shape

extension Shape {
    /// Changes the fields of an object. A shape about which nothing is known stays.
    mutating func changeFields(_ body: (inout Fields) throws(ShapeFault) -> Void) throws(ShapeFault) {
        switch self {
        case .any: return
        case .object(var fields):
            try body(&fields)
            self = .object(fields)
        case .array, .types: throw .mismatch(.object, found: kind)
        }
    }

    /// Marks the objects on a path that have no fields any more.
    mutating func empty(_ pointer: ArraySlice<[UInt8]>) throws(ShapeFault) {
        for depth in (0..<pointer.count).reversed() {
            let way = pointer.prefix(depth + 1)
            var isEmptied = false
            try change(at: way) { inner in
                guard case .object(let fields) = inner, fields.others == nil else { return }
                isEmptied = fields.list.allSatisfy(\.isEmptied)
            }
            guard isEmptied, let key = way.last else { return }
            try change(at: way.dropLast()) { above in
                guard case .object(var fields) = above, let index = fields.index(of: key) else { return }
                fields.list[index].isEmptied = true
                fields.list[index].isRequired = false
                above = .object(fields)
            }
        }
    }

    /// Changes the shape of the value at a pointer.
    mutating func change(
        at pointer: ArraySlice<[UInt8]>,
        _ body: (inout Shape) throws(ShapeFault) -> Void
    ) throws(ShapeFault) {
        guard let token = pointer.first else { return try body(&self) }
        let rest = pointer.dropFirst()
        switch self {
        case .any: return
        case .object(var fields):
            if let index = fields.index(of: token) {
                try fields.list[index].shape.change(at: rest, body)
            } else if fields.others != nil {
                return
            } else {
                throw fields.missing(token)
            }
            self = .object(fields)
        case .array(var prefix, var items):
            guard let index = arrayIndex(token) else { throw .noMembers(kind, named: name(token)) }
            if index < prefix.count {
                try prefix[index].change(at: rest, body)
            } else {
                try items.change(at: rest, body)
            }
            self = .array(prefix: prefix, items: items)
        case .types: throw .noMembers(kind, named: name(token))
        }
    }
}

extension Shape {
    /// That of the value at a pointer; `nil` if no document has one there.
    func inner(at pointer: ArraySlice<[UInt8]>) -> Shape? {
        guard let token = pointer.first else { return self }
        let rest = pointer.dropFirst()
        switch self {
        case .any: return .any
        case .types: return nil
        case .object(let fields):
            if let index = fields.index(of: token) { return fields.list[index].shape.inner(at: rest) }
            // Without fields, the schema says nothing of those that there are.
            return fields.others != nil || fields.list.isEmpty ? .any : nil
        case .array(let prefix, let items):
            return arrayIndex(token).flatMap {
                ($0 < prefix.count ? prefix[$0] : items).inner(at: rest)
            }
        }
    }
}

extension Shape.Fields {
    /// Removes a field, which must exist.
    mutating func take(_ key: [UInt8]) throws(ShapeFault) -> Shape.Field {
        if let index = index(of: key) {
            gone.append(key)
            return list.remove(at: index)
        }
        guard let others, !gone.contains(key) else { throw missing(key) }
        return Shape.Field(key: key, shape: others, isRequired: false)
    }

    mutating func put(_ field: Shape.Field) throws(ShapeFault) {
        guard index(of: field.key) == nil else { throw .fieldExists(name(field.key)) }
        list.append(field)
    }

    func missing(_ key: [UInt8]) -> ShapeFault {
        gone.contains(key) ? .fieldRemoved(name(key)) : .noField(name(key))
    }
}

/// A key as text.
func name(_ key: [UInt8]) -> String { String(decoding: key, as: UTF8.self) }

// MARK: Comparing shapes

extension Shape {
    /// The first reason why a document of this shape is not one of `target`; `nil` if the shapes show none.
    func difference(from target: Shape, at place: JSONPointer = .root) -> ShapeDifference? {
        switch (self, target) {
        case (.any, _), (_, .any): return nil
        case (.object(let mine), .object(let its)): return Self.difference(mine, its, place)
        case (.array(let prefix, let items), .array(let itsPrefix, let itsItems)):
            for (index, pair) in zip(prefix, itsPrefix).enumerated() {
                if let found = pair.0.difference(from: pair.1, at: place.appending(index)) { return found }
            }
            return items.difference(from: itsItems, at: place.appending([UInt8(ascii: "*")]))
        default:
            guard let mine = types, let its = target.types else { return nil }
            let wide = its.contains(.number) ? its.union(.integer) : its
            return mine.isSubset(of: wide) ? nil : .type(place, kind, expected: target.kind)
        }
    }

    private static func difference(_ mine: Fields, _ its: Fields, _ place: JSONPointer) -> ShapeDifference? {
        for field in its.list {
            let inner = place.appending(field.key)
            if let index = mine.index(of: field.key), !(mine.list[index].isEmptied && field.isRequired) {
                if let found = mine.list[index].shape.difference(from: field.shape, at: inner) {
                    return found
                }
            } else if field.isRequired, mine.others == nil {
                return .missing(inner)
            }
        }
        guard !its.list.isEmpty, its.others == nil else { return nil }
        for field in mine.list where its.index(of: field.key) == nil && !field.isEmptied {
            return .extra(place.appending(field.key))
        }
        return nil
    }
}

extension Shape {
    /// Adds the missing objects on a path, which exist where the moved field does.
    mutating func makeObjects(_ pointer: ArraySlice<[UInt8]>, isRequired: Bool) {
        guard let token = pointer.first, case .object(var fields) = self else { return }
        let index: Int
        if let found = fields.index(of: token) {
            index = found
        } else {
            if fields.others != nil { return }
            index = fields.list.count
            fields.list.append(Field(key: token, shape: .object(Fields()), isRequired: false))
        }
        if isRequired { fields.list[index].isRequired = true }
        fields.list[index].isEmptied = false
        fields.list[index].shape.makeObjects(pointer.dropFirst(), isRequired: isRequired)
        self = .object(fields)
    }
}
