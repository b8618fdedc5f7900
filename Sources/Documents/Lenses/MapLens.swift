/// Single values of a field have other names. Those that are not listed stay.
struct MapLens: Lens {
    /// JSON scalars; each stands once on its side.
    struct Pair: Sendable {
        var old: [UInt8]
        var new: [UInt8]
    }

    var key: [UInt8]
    var values: [Pair]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try map(value, &work, values.map { ($0.old, $0.new) })
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try map(value, &work, values.map { ($0.new, $0.old) })
    }

    private func map(
        _ value: Draft.Value,
        _ work: inout LensWork,
        _ pairs: [(from: [UInt8], to: [UInt8])]
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let index = work.index(of: key, in: object), let member = work.member(key, of: object) else {
            return object
        }
        for pair in pairs {
            guard let from = try? JSON(parsing: pair.from), work.draft.isEqual(member, to: from, JSON.root)
            else {
                continue
            }
            var new = work.draft.make(pair.to)
            new.isDerived = member.isDerived
            work.replace(index, with: new, in: object)
            break
        }
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in
            guard let index = fields.index(of: key) else {
                if fields.others != nil { return }
                throw fields.missing(key)
            }
            fields.list[index].shape = .any
        }
    }

    var words: String { "map \(values.count) values of `\(name(key))`" }
}
