/// The newer version has a field that the older one has not.
struct AddLens: Lens {
    enum Content: Sendable {
        /// JSON.
        case constant([UInt8])
        /// The same as another field of the object; nothing, where that is missing.
        case copy(of: [UInt8])
    }

    /// Where it stands among the others.
    enum Order: Sendable {
        case first, last
        case after([UInt8])
    }

    var key: [UInt8]
    var content: Content
    var order: Order

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard work.index(of: key, in: object) == nil else { return object }
        var new: Draft.Value
        switch content {
        case .constant(let text): new = work.draft.make(text)
        case .copy(let source):
            guard let member = work.member(source, of: object) else { return object }
            new = try work.draft.copy(member)
        }
        new.isDerived = true
        let place: Int
        switch order {
        case .first: place = 0
        case .last: place = .max
        case .after(let other): place = work.index(of: other, in: object).map { $0 + 1 } ?? .max
        }
        work.insert(new, as: key, at: place, in: object)
        return object
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        work.remove(key, from: object)
        return object
    }
}
