/// A lens that changes the value of one field. A missing field or `null` stays.
protocol FieldLens: Lens {
    var key: [UInt8] { get }
    /// The value in the newer version; `nil` removes the field.
    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value?
    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value?
    /// Changes the field's shape into that of the newer version.
    func shape(_ field: inout Shape.Field) throws(ShapeFault)
    /// Changes the field's shape into that of the older version, for lenses that are used in reverse.
    func olderShape(_ field: inout Shape.Field) throws(ShapeFault)
}

extension FieldLens {
    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try change(value, &work, newer)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try change(value, &work, older)
    }

    private func change(
        _ value: Draft.Value,
        _ work: inout LensWork,
        _ body: (Draft.Value, inout LensWork) throws(DocumentError) -> Draft.Value?
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let index = work.index(of: key, in: object), let member = work.member(key, of: object),
            work.draft.kind(member) != .null
        else { return object }
        if var new = try body(member, &work) {
            new.isDerived = new.isDerived || member.isDerived
            work.replace(index, with: new, in: object)
        } else {
            work.remove(key, from: object)
        }
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeField(key) { field throws(ShapeFault) in try self.shape(&field) }
    }

    /// The lens in reverse: the newer version gets what the older one has here.
    func inverse(_ words: String) -> InverseLens {
        InverseLens(lens: self, words: words) { shape throws(ShapeFault) in
            try shape.changeField(key) { field throws(ShapeFault) in try olderShape(&field) }
        }
    }
}

extension Shape {
    /// Changes the shape of a field, which must exist.
    mutating func changeField(
        _ key: [UInt8],
        _ body: (inout Field) throws(ShapeFault) -> Void
    ) throws(ShapeFault) {
        try changeFields { fields throws(ShapeFault) in
            guard let index = fields.index(of: key) else {
                if fields.others != nil { return }
                throw fields.missing(key)
            }
            try body(&fields.list[index])
        }
    }
}

extension Shape.Field {
    /// Replaces the types `old` by `new`; `null` stays allowed.
    mutating func convert(from old: SchemaTypes, to new: SchemaTypes) throws(ShapeFault) {
        guard let types = shape.types else { return }
        guard !types.isDisjoint(with: old) else { throw .inconvertible(name(key), types, from: old) }
        shape = .types(types.contains(.null) ? new.union(.null) : new)
    }
}
