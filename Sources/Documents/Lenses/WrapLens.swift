/// The newer version has, as one member of an object, what the older one is.
struct WrapLens: Lens {
    var key: [UInt8]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = work.draft.make(Draft.Container(isObject: true, items: [], origin: nil))
        work.insert(value, as: key, at: 0, in: object)
        return object
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let member = work.member(key, of: object) else {
            let name = String(decoding: key, as: UTF8.self)
            throw work.mismatch(value, expected: "an object with `\(name)`")
        }
        return member
    }
}
