/// Gives all fields whose names begin with a prefix another prefix. Other fields stay.
struct RenamePrefixLens: Lens {
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
        let items = work.draft.container(object)?.items ?? []
        var renamed = items
        for (index, item) in items.enumerated() {
            guard let key = item.key.map({ work.draft.bytes(of: $0) }), key.starts(with: from) else {
                continue
            }
            renamed[index].key = work.draft.makeKey(to + key.dropFirst(from.count))
        }
        try work.setItems(renamed, of: object)
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in
            for index in fields.list.indices where fields.list[index].key.starts(with: old) {
                fields.list[index].key = new + fields.list[index].key.dropFirst(old.count)
            }
            for (index, field) in fields.list.enumerated() where fields.index(of: field.key) != index {
                throw .fieldExists(name(field.key))
            }
        }
    }

    func newer(_ place: JSONPointer) -> JSONPointer { moved(place, old, new) }
    func older(_ place: JSONPointer) -> JSONPointer { moved(place, new, old) }

    private func moved(_ place: JSONPointer, _ from: [UInt8], _ to: [UInt8]) -> JSONPointer {
        guard let key = place.tokens.first, key.starts(with: from) else { return place }
        return JSONPointer(tokens: [to + key.dropFirst(from.count)] + place.tokens.dropFirst())
    }

    var words: String { "rename the fields `\(name(old))…` to `\(name(new))…`" }
}

extension LensWork {
    /// Replaces the items of an opened object, which must have each key once.
    mutating func setItems(_ items: [Draft.Item], of object: Draft.Value) throws(DocumentError) {
        var keys: Set<[UInt8]> = []
        for item in items {
            guard let key = item.key.map({ draft.bytes(of: $0) }) else { continue }
            guard keys.insert(key).inserted else { throw mismatch(item.value, expected: .nothing, at: key) }
        }
        _ = draft.change(object) { $0.items = items }
    }
}
