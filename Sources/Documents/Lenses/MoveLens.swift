/// Moves a field to another object of the document. Objects that this leaves empty are removed, and created
/// again in reverse.
struct MoveLens: Lens {
    /// The old path, from the value that the lens works on.
    var old: JSONPointer
    var new: JSONPointer

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try move(old, new, value, &work)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try move(new, old, value, &work)
    }

    private func move(
        _ from: JSONPointer,
        _ to: JSONPointer,
        _ value: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let source = from.tokens.last, let goal = to.tokens.last,
            let start = try work.open(from.parent, in: object), work.index(of: source, in: start) != nil
        else { return object }
        try work.makeObjects(to.parent, in: object)
        guard let end = try work.open(to.parent, in: object), work.draft.kind(end) == .object else {
            throw work.mismatch(object, expected: .objectToMoveTo(to.parent))
        }
        try work.checkFree(goal, in: end)
        guard let item = work.remove(source, from: start) else { return object }
        work.insert(item.value, as: goal, at: .max, in: end)
        try work.removeEmptied(from.parent, in: object)
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        guard let source = old.tokens.last, let goal = new.tokens.last else { return }
        var moved: Shape.Field?
        try shape.change(at: old.tokens.dropLast()[...]) { inner throws(ShapeFault) in
            try inner.changeFields { fields throws(ShapeFault) in moved = try fields.take(source) }
        }
        try shape.empty(old.tokens.dropLast()[...])
        guard var field = moved else { return }
        field.key = goal
        shape.makeObjects(new.tokens.dropLast()[...], isRequired: field.isRequired)
        try shape.change(at: new.tokens.dropLast()[...]) { inner throws(ShapeFault) in
            try inner.changeFields { fields throws(ShapeFault) in try fields.put(field) }
        }
    }

    func newer(_ place: JSONPointer) -> JSONPointer { place.moved(from: old, to: new) }
    func older(_ place: JSONPointer) -> JSONPointer { place.moved(from: new, to: old) }

    var words: String { "move `\(old)` to `\(new)`" }
}

extension LensWork {
    /// Creates the missing objects on a path.
    fileprivate mutating func makeObjects(
        _ pointer: JSONPointer,
        in opened: Draft.Value
    ) throws(DocumentError) {
        var way = JSONPointer.root
        for token in pointer.tokens {
            guard let above = try open(way, in: opened), draft.kind(above) == .object else { return }
            if index(of: token, in: above) == nil {
                var new = draft.make(Draft.Container(isObject: true, items: [], origin: nil))
                // No version requires the object: whether it exists follows from what it contains.
                new.isDerived = true
                insert(new, as: token, at: .max, in: above)
            }
            way = way.appending(token)
        }
    }

    /// Removes the objects on a path that are now empty, unless the base has them.
    fileprivate mutating func removeEmptied(
        _ pointer: JSONPointer,
        in opened: Draft.Value
    ) throws(DocumentError) {
        var way = pointer
        while let token = way.tokens.last, let emptied = try open(way, in: opened),
            draft.kind(emptied) == .object, draft.count(of: emptied) == 0,
            exampleNode(at: place.appending(way)) == nil,
            let above = try open(way.parent, in: opened), draft.kind(above) == .object
        {
            remove(token, from: above)
            way = way.parent
        }
    }
}

extension JSONPointer {
    var parent: JSONPointer { JSONPointer(tokens: Array(tokens.dropLast())) }

    /// Its path after the value at `old` moved to `new`.
    func moved(from old: JSONPointer, to new: JSONPointer) -> JSONPointer {
        guard tokens.starts(with: old.tokens) else { return self }
        return JSONPointer(tokens: new.tokens + tokens.dropFirst(old.tokens.count))
    }
}
