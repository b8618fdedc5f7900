/// Turns fields whose names are paths, such as `window.size`, into objects in each other.
struct NestLens: Lens {
    var separator: [UInt8]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        let items = work.draft.container(object)?.items ?? []
        try work.setItems([], of: object)
        for item in items {
            guard let key = item.key else { continue }
            try insert(item, path: path(work.draft.bytes(of: key)), into: object, &work)
        }
        return object
    }

    /// A name with an empty part is none of a path.
    private func path(_ key: [UInt8]) -> [[UInt8]] {
        let parts = key.parts(partedBy: separator)
        return parts.contains { $0.isEmpty } ? [key] : parts
    }

    private func insert(
        _ item: Draft.Item,
        path: [[UInt8]],
        into object: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) {
        var above = object
        for (depth, part) in path.dropLast().enumerated() {
            let place: Int
            if let found = work.index(of: part, in: above) {
                place = found
            } else {
                place = work.draft.count(of: above)
                let new = work.draft.make(Draft.Container(isObject: true, items: [], origin: nil))
                work.insert(new, as: part, at: place, in: above)
            }
            guard let member = work.member(part, of: above) else { return }
            guard work.draft.kind(member) == .object else {
                let place = JSONPointer(tokens: work.place.tokens + path.prefix(depth + 1))
                throw work.mismatch(member, expected: .objectAt(place))
            }
            let inner = try work.draft.open(member)
            work.replace(place, with: inner, in: above)
            above = inner
        }
        guard let name = path.last else { return }
        try work.checkFree(name, in: above)
        guard path.count > 1 else {
            _ = work.draft.change(above) { $0.items.append(item) }
            return
        }
        work.insert(item.value, as: name, at: .max, in: above)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        var flat: [Draft.Item] = []
        // The next one last.
        var pending = (work.draft.container(object)?.items ?? []).reversed().map {
            (path: [[UInt8]](), item: $0)
        }
        while let (path, item) = pending.popLast() {
            guard let key = item.key.map({ work.draft.bytes(of: $0) }) else { continue }
            let inner = work.draft.kind(item.value) == .object ? try work.draft.open(item.value) : nil
            if let inner, let items = work.draft.container(inner)?.items, !items.isEmpty {
                pending += items.reversed().map { (path + [key], $0) }
            } else if path.isEmpty {
                flat.append(item)
            } else {
                let name = Array((path + [key]).joined(separator: separator))
                flat.append(Draft.Item(key: work.draft.makeKey(name), value: item.value, slot: nil))
            }
        }
        try work.setItems(flat, of: object)
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { _ in }
        shape = .any
    }

    func newer(_ place: JSONPointer) -> JSONPointer {
        guard let key = place.tokens.first else { return place }
        return JSONPointer(tokens: path(key) + place.tokens.dropFirst())
    }

    /// As if no list were inside.
    func older(_ place: JSONPointer) -> JSONPointer {
        place.tokens.count < 2
            ? place : JSONPointer(tokens: [Array(place.tokens.joined(separator: separator))])
    }

    var words: String { "nest fields at `\(name(separator))` in their names" }

    /// The lens in reverse: objects become fields whose names are paths.
    var inverse: InverseLens {
        InverseLens(lens: self, words: "name fields by their paths, with `\(name(separator))`") {
            shape throws(ShapeFault) in
            try shape.changeFields { _ in }
            shape = .any
        }
    }
}
