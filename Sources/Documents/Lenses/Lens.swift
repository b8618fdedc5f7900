/// One invertible step of a migration. Both ways are pure functions of the document: what one way has
/// to make up it marks as derived, and what the other way drops stays in the last agreed content, from
/// where `DocumentRule.translate` brings it back.
protocol Lens: Sendable {
    /// From the older version to the newer one.
    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
    /// From the newer version to the older one.
    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value
}

/// The document that lenses work on, and where in it they are.
struct LensWork {
    var draft: Draft
    /// The way to the value that the current lens is given, for errors.
    var place = JSONPointer.root

    init(_ document: JSON) { draft = Draft(document) }

    /// An object that may be changed.
    mutating func object(_ value: Draft.Value) throws(DocumentError) -> Draft.Value {
        guard draft.kind(value) == .object else { throw mismatch(value, expected: "an object") }
        return try draft.open(value)
    }

    func mismatch(_ value: Draft.Value, expected: String) -> DocumentError {
        .mismatch(
            pointer: place.description,
            position: draft.position(value),
            expected: expected,
            found: draft.kind(value).words
        )
    }

    /// The place of a member in an opened object.
    func index(of key: [UInt8], in object: Draft.Value) -> Int? {
        draft.index(of: key, in: object)
    }

    func member(_ key: [UInt8], of object: Draft.Value) -> Draft.Value? {
        index(of: key, in: object).flatMap { draft.container(object)?.items[$0].value }
    }

    mutating func insert(_ value: Draft.Value, as key: [UInt8], at place: Int, in object: Draft.Value) {
        let item = Draft.Item(key: .text(escaped(key)), value: value, slot: nil)
        _ = draft.change(object) { $0.items.insert(item, at: min(place, $0.items.count)) }
    }

    /// Takes a member out, if it is there.
    @discardableResult
    mutating func remove(_ key: [UInt8], from object: Draft.Value) -> Draft.Item? {
        guard let index = index(of: key, in: object) else { return nil }
        return draft.change(object) { $0.items.remove(at: index) }
    }
}
