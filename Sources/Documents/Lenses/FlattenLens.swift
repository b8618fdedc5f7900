/// Converts a list of lists to one list of all their elements.
struct FlattenLens: FieldLens {
    var key: [UInt8]

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        var all: [Draft.Value] = []
        for (index, list) in try work.elements(of: value, at: key).enumerated() {
            all += try work.inside(key) { work throws(DocumentError) in
                try work.elements(of: list, at: Array(String(index).utf8))
            }
        }
        return work.makeList(all)
    }

    /// Lists as long as those in the base, the last one with the rest; without a base, one list.
    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        var rest = try work.elements(of: value, at: key)[...]
        var lists: [Draft.Value] = []
        let counts = counts(in: work)
        for count in counts.dropLast() where count <= rest.count {
            lists.append(work.makeList(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        if !counts.isEmpty || !rest.isEmpty { lists.append(work.makeList(Array(rest))) }
        return work.makeList(lists)
    }

    /// The numbers of elements of the base's lists.
    private func counts(in work: LensWork) -> [Int] {
        guard let example = work.example, let node = work.exampleNode(at: work.place.appending(key)),
            example.kind(node) == .array
        else { return [] }
        return example.elements(of: node).map { list in
            example.kind(list) == .array ? Array(example.elements(of: list)).count : 0
        }
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        field.shape = .array(prefix: [], items: try field.shape.items(at: key).items(at: key))
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        let items = try field.shape.items(at: key)
        field.shape = .array(prefix: [], items: .array(prefix: [], items: items))
    }

    private var list: JSONPointer { JSONPointer(tokens: [key]) }

    // As if there were one list.
    func newer(_ place: JSONPointer) -> JSONPointer { place.moved(from: list.appending(0), to: list) }
    func older(_ place: JSONPointer) -> JSONPointer { place.moved(from: list, to: list.appending(0)) }

    var words: String { "convert `\(name(key))` from a list of lists to a list" }
    var inverse: InverseLens { inverse("convert `\(name(key))` from a list to a list of lists") }
}
