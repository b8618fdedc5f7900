/// Single values of a field have other names. Those that are not listed stay, or become what the others are.
///
/// Several values may become one. Of what one may have come from, the last agreed document's own is written,
/// else the first that is listed.
struct MapLens: Lens {
    /// JSON scalars.
    struct Pair: Sendable {
        var old: [JSON]
        var new: [JSON]
    }

    var key: [UInt8]
    var values: [Pair]
    /// What a value becomes that is not listed.
    var oldDefault: JSON?
    var newDefault: JSON?

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try map(value, &work, isUp: true)
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try map(value, &work, isUp: false)
    }

    private func map(
        _ value: Draft.Value,
        _ work: inout LensWork,
        isUp: Bool
    ) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let index = work.index(of: key, in: object), let member = work.member(key, of: object) else {
            return object
        }
        let image = image(isUp) { work.draft.isEqual(member, to: $0, JSON.root) }
        guard let image else { return object }
        if image.isListed {
            if !image.isFirst { work.lose(key, .merged(into: name(image.value.bytes))) }
        } else {
            work.lose(key, .unlisted(becomes: name(image.value.bytes)))
        }
        var new = work.draft.make(used(for: member, work, isUp) ?? image.value.bytes)
        new.isDerived = member.isDerived
        work.replace(index, with: new, in: object)
        return object
    }

    private struct Image {
        var value: JSON
        var isListed: Bool
        /// It is what the way back writes.
        var isFirst: Bool
    }

    /// What a value becomes; `nil` where it stays.
    private func image(_ isUp: Bool, of isValue: (JSON) -> Bool) -> Image? {
        for pair in values {
            let (from, to) = isUp ? (pair.old, pair.new) : (pair.new, pair.old)
            if let index = from.firstIndex(where: isValue) {
                return Image(value: to[0], isListed: true, isFirst: index == 0)
            }
        }
        let fallback = isUp ? newDefault : oldDefault
        return fallback.map { Image(value: $0, isListed: false, isFirst: false) }
    }

    /// As the last agreed document says it, if that means the same.
    private func used(for value: Draft.Value, _ work: LensWork, _ isUp: Bool) -> [UInt8]? {
        guard let example = work.example, let node = work.exampleNode(at: work.place.appending(key)),
            let image = image(!isUp, of: { example.isEqual(node, to: $0, JSON.root) }),
            work.draft.isEqual(value, to: image.value, JSON.root)
        else { return nil }
        return example.slice(node)
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeField(key) { $0.shape = .any }
    }

    var words: String {
        "map \(values.count) values of `\(name(key))`"
            + (newDefault.map { ", others to \(name($0.bytes))" } ?? "")
    }
}
