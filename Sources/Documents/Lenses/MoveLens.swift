/// A field stands elsewhere. Hoisting and plunging are moves, too.
struct MoveLens: Lens {
    /// From the root of what the lens is given.
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
        guard let end = try work.open(to.parent, in: object), work.draft.kind(end) == .object else {
            throw work.mismatch(object, expected: "an object at `\(to.parent)` to move to")
        }
        try work.checkFree(goal, in: end)
        guard let item = work.remove(source, from: start) else { return object }
        work.insert(item.value, as: goal, at: .max, in: end)
        return object
    }

    func shape(_ shape: inout Shape) throws(Shape.Fault) {
        guard let source = old.tokens.last, let goal = new.tokens.last else { return }
        var moved: Shape.Field?
        try shape.change(at: old.tokens.dropLast()[...]) { inner throws(Shape.Fault) in
            try inner.changeFields { fields throws(Shape.Fault) in moved = try fields.take(source) }
        }
        guard var field = moved else { return }
        field.key = goal
        try shape.change(at: new.tokens.dropLast()[...]) { inner throws(Shape.Fault) in
            try inner.changeFields { fields throws(Shape.Fault) in try fields.put(field) }
        }
    }

    var words: String { "move `\(old)` to `\(new)`" }
}

extension JSONPointer {
    var parent: JSONPointer { JSONPointer(tokens: Array(tokens.dropLast())) }
}
