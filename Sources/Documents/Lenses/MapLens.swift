/// Replaces single values of a field. Values that are not listed stay, or become a default.
///
/// Several values may become the same one. In reverse, the base decides which of them is written, else the
/// first one listed.
struct MapLens: Lens {
    /// JSON scalars.
    struct Pair: Sendable {
        var old: [JSON]
        var new: [JSON]
    }

    var key: [UInt8]
    var values: [Pair]
    /// The result for a value that is not listed.
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
        /// Whether the reverse direction writes the original value.
        var isFirst: Bool
    }

    /// What a value becomes; `nil` if it stays.
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

    /// The text in the base, if it has the same meaning.
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
