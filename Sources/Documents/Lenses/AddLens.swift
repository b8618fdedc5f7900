/// Adds a field that the older version lacks, or where it may be missing.
struct AddLens: Lens {
    enum Content: Sendable {
        /// A constant value, as JSON text.
        case constant([UInt8])
        /// A copy of another field of the object; nothing is added if that is missing.
        case copy(of: [UInt8])
        /// A number computed from other values of the object; nothing is added if there are none.
        case derived(Derivation)
        /// The joined text of those of the fields that exist.
        case joined([[UInt8]], separator: [UInt8])
    }

    /// The position of the field among the others.
    enum Order: Sendable {
        case first, last
        case after([UInt8])
    }

    var key: [UInt8]
    var content: Content
    var order = Order.last
    /// Whether documents of the older version may have the field.
    var isOptionalBefore = false

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard work.index(of: key, in: object) == nil else { return object }
        guard let made = try made(object, &work) else { return object }
        let new = work.draft.derived(made)
        let place: Int
        switch order {
        case .first: place = 0
        case .last: place = .max
        case .after(let other): place = work.index(of: other, in: object).map { $0 + 1 } ?? .max
        }
        work.insert(new, as: key, at: place, in: object)
        return object
    }

    /// The default; `nil` if it cannot be derived from this object.
    private func made(_ object: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        switch content {
        case .constant(let text): return work.draft.make(text)
        case .copy(let source):
            guard let member = work.member(source, of: object) else { return nil }
            return try work.draft.copy(member)
        case .derived(let derivation):
            guard let json = work.draft.json(object),
                let value = derivation.value(of: derivation.values, in: json)
            else { return nil }
            return work.draft.make(value.json(isString: false))
        case .joined(let keys, let separator):
            var parts: [[UInt8]] = []
            for key in keys {
                guard let member = work.member(key, of: object), work.draft.kind(member) != .null else {
                    continue
                }
                guard let text = work.draft.string(member) else {
                    throw work.mismatch(member, expected: .string, at: key)
                }
                parts.append(text)
            }
            return parts.isEmpty ? nil : work.draft.make(escaped(Array(parts.joined(separator: separator))))
        }
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let member = work.member(key, of: object) else { return object }
        // The older document in the base has the field, so the field stays.
        if work.isInExample(key) { return object }
        if isOptionalBefore {
            guard let made = try made(object, &work),
                let json = work.draft.json(made), work.draft.isEqual(member, to: json, JSON.root)
            else { return object }
        }
        work.remove(key, from: object)
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in
            // Some documents of the older version may have the field.
            if let index = fields.index(of: key), isOptionalBefore || !fields.list[index].isRequired {
                fields.list[index].isRequired = true
                return
            }
            switch content {
            case .constant(let text):
                try fields.put(Shape.Field(key: key, shape: Shape(ofValue: text), isRequired: true))
            case .copy(let source):
                guard let index = fields.index(of: source) else {
                    if fields.others != nil { return }
                    throw fields.missing(source)
                }
                var field = fields.list[index]
                field.key = key
                try fields.put(field)
            case .derived(let derivation):
                try derivation.check(.object(fields))
                let type: SchemaTypes = derivation.function == .count ? .integer : .number
                try fields.put(Shape.Field(key: key, shape: .types(type), isRequired: false))
            case .joined(let keys, _):
                for other in keys where fields.index(of: other) == nil && fields.others == nil {
                    throw fields.missing(other)
                }
                try fields.put(Shape.Field(key: key, shape: .types(.string), isRequired: false))
            }
        }
    }

    var effect: MigrationStep.Effect { .adds }

    var words: String {
        "\(isOptionalBefore ? "add where missing" : "add") `\(name(key))`: \(content.words)"
    }
}

extension AddLens.Content {
    fileprivate var words: String {
        switch self {
        case .constant(let text): name(Array(text.prefix(40))) + (text.count > 40 ? "…" : "")
        case .copy(let source): "a copy of `\(name(source))`"
        case .derived(let derivation): "the \(derivation.function.rawValue) of `\(derivation.values)`"
        case .joined(let keys, _): keys.map { "`\(name($0))`" }.joined(separator: " and ")
        }
    }
}

extension AddLens {
    /// The lens that removes the field, in the newer version, when it has the default value.
    var omission: InverseLens {
        InverseLens(lens: self, words: "omit `\(name(key))` where it is \(content.words)") {
            shape throws(ShapeFault) in
            try shape.changeField(key) { field in
                field.isRequired = false
                guard case .constant(let text) = content, JSONNode.Kind(beginning: text) == .null,
                    case .types(let types) = field.shape
                else { return }
                field.shape = .types(types.subtracting(.null))
            }
        }
    }
}

extension Shape {
    /// The shape of a value that a profile gives.
    init(ofValue text: [UInt8]) {
        switch JSONNode.Kind(beginning: text) {
        case .null: self = .types(.null)
        case .true, .false: self = .types(.boolean)
        case .string: self = .types(.string)
        case .number: self = .types(ExactDecimal(text).isInteger ? .integer : .number)
        case .object, .array: self = .any
        }
    }
}

/// Removes a field. Its value stays in the base for the way back. Without a base it becomes the default, if
/// there is one.
struct RemoveLens: Lens {
    var key: [UInt8]
    /// JSON text.
    var defaultValue: [UInt8]?

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        work.remove(key, from: object)
        return object
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        guard let defaultValue else { return value }
        return try AddLens(key: key, content: .constant(defaultValue)).up(value, &work)
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in _ = try fields.take(key) }
    }

    var effect: MigrationStep.Effect { .removes }

    var words: String { "remove `\(name(key))`" }
}

/// Renames a field, which keeps its position.
struct RenameLens: Lens {
    var old: [UInt8]
    var new: [UInt8]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try rename(old, new, value, &work)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try rename(new, old, value, &work)
    }

    private func rename(
        _ from: [UInt8],
        _ to: [UInt8],
        _ value: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let index = work.index(of: from, in: object) else { return object }
        try work.checkFree(to, in: object)
        let key = work.draft.makeKey(to)
        _ = work.draft.change(object) { $0.items[index].key = key }
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in
            var field = try fields.take(old)
            field.key = new
            try fields.put(field)
        }
    }

    func newer(_ place: JSONPointer) -> JSONPointer {
        place.moved(from: JSONPointer(tokens: [old]), to: JSONPointer(tokens: [new]))
    }

    func older(_ place: JSONPointer) -> JSONPointer {
        place.moved(from: JSONPointer(tokens: [new]), to: JSONPointer(tokens: [old]))
    }

    var words: String { "rename `\(name(old))` to `\(name(new))`" }
}
