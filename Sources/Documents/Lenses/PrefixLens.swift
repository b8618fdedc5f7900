/// Replaces the beginning of a text, or of the first text of a list of lines.
struct PrefixLens: FieldLens {
    var key: [UInt8]
    var old: [UInt8]
    var new: [UInt8]

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        try replaced(old, by: new, in: value, &work)
    }

    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        try replaced(new, by: old, in: value, &work)
    }

    private func replaced(
        _ old: [UInt8],
        by new: [UInt8],
        in value: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        if work.draft.kind(value) == .array {
            var lines = try work.elements(of: value, at: key)
            guard let first = lines.first else {
                throw work.mismatch(value, expected: .textBeginning(name(old)), at: key)
            }
            lines[0] = try replaced(old, by: new, inText: first, &work)
            return work.makeList(lines)
        }
        return try replaced(old, by: new, inText: value, &work)
    }

    private func replaced(
        _ old: [UInt8],
        by new: [UInt8],
        inText value: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        guard let text = work.draft.string(value), text.starts(with: old) else {
            throw work.mismatch(value, expected: .textBeginning(name(old)), at: key)
        }
        var made = work.draft.make(escaped(new + text.dropFirst(old.count)))
        made.isDerived = value.isDerived
        return made
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) { try check(field) }
    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) { try check(field) }

    private func check(_ field: Shape.Field) throws(ShapeFault) {
        guard let types = field.shape.types else { return }
        guard !types.isDisjoint(with: [.string, .array]) else {
            throw .inconvertible(name(key), types, from: [.string, .array])
        }
    }

    var words: String { "replace `\(name(old))` by `\(name(new))` where `\(name(key))` begins" }
}
