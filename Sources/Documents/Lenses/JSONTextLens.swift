/// Converts a text that is JSON to the value that it represents, as programs keep values in stores of texts.
struct JSONTextLens: FieldLens {
    var key: [UInt8]

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        guard let text = work.draft.string(value), let json = try? JSON(parsing: text) else {
            throw work.mismatch(value, expected: .jsonText, at: key)
        }
        return work.draft.make(json.slice(JSON.root))
    }

    /// The text in the base, if it represents the same value.
    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        if let example = work.example, let node = work.exampleNode(at: work.place.appending(key)),
            example.kind(node) == .string, let json = try? JSON(parsing: example.string(node)),
            work.draft.isEqual(value, to: json, JSON.root)
        {
            return work.draft.make(example.slice(node))
        }
        return work.draft.make(escaped(DraftPrinter.text(of: value, in: work.draft)))
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        try field.convert(from: .string, to: .string)
        field.shape = .any
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) { field.shape = .types(.string) }

    /// What is inside the text has no path.
    func older(_ place: JSONPointer) -> JSONPointer {
        place.tokens.first == key ? JSONPointer(tokens: [key]) : place
    }

    var words: String { "convert `\(name(key))` from JSON in a text to a value" }
    var inverse: InverseLens { inverse("convert `\(name(key))` from a value to JSON in a text") }
}
