/// Wraps the document: what is the document in the older version is a member of an object in the newer one.
struct WrapLens: Lens {
    var key: [UInt8]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        var object = work.draft.make(Draft.Container(isObject: true, items: [], origin: nil))
        object.isDerived = value.isDerived
        work.insert(value, as: key, at: 0, in: object)
        return object
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let member = work.member(key, of: object) else {
            throw work.mismatch(value, expected: .objectWith(key: name(key)))
        }
        return member
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        shape = .object(Shape.Fields(list: [Shape.Field(key: key, shape: shape, isRequired: true)]))
    }

    func newer(_ place: JSONPointer) -> JSONPointer { place.moved(from: .root, to: wrapped) }
    func older(_ place: JSONPointer) -> JSONPointer { place.moved(from: wrapped, to: .root) }

    private var wrapped: JSONPointer { JSONPointer(tokens: [key]) }

    var words: String { "wrap in `\(name(key))`" }

    /// The lens in reverse: a member of the older document becomes the document.
    var inverse: InverseLens {
        InverseLens(lens: self, words: "unwrap `\(name(key))`") { shape throws(ShapeFault) in
            guard case .object(let fields) = shape else {
                if case .any = shape { return }
                throw .mismatch(.object, found: shape.kind)
            }
            guard let index = fields.index(of: key) else { throw fields.missing(key) }
            shape = fields.list[index].shape
        }
    }
}
