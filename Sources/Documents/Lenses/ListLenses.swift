/// Converts a single value to a list that contains it. A list stays as it is.
struct ValueListLens: FieldLens {
    var key: [UInt8]

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        work.draft.kind(value) == .array ? value : work.makeList([value])
    }

    /// The first element; nothing for an empty list.
    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        try work.elements(of: value, at: key).first
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        if case .array = field.shape { return }
        // `null` stays.
        if let types = field.shape.types, types.contains(.null) {
            field.shape = .types(types == .null ? .null : [.array, .null])
        } else {
            field.shape = .array(prefix: [], items: field.shape)
        }
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        field.shape = try field.shape.items(at: key)
        field.isRequired = false
    }

    private var list: JSONPointer { JSONPointer(tokens: [key]) }

    func newer(_ place: JSONPointer) -> JSONPointer { place.moved(from: list, to: list.appending(0)) }
    func older(_ place: JSONPointer) -> JSONPointer { place.moved(from: list.appending(0), to: list) }

    var words: String { "convert `\(name(key))` from a value to a list" }
    var inverse: InverseLens { inverse("convert `\(name(key))` from a list to a value") }
}

/// Converts a text to the list of its parts.
struct TextListLens: FieldLens {
    var key: [UInt8]
    var separator: [UInt8]

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        guard let text = work.draft.string(value) else {
            throw work.mismatch(value, expected: .string, at: key)
        }
        // An empty text has no parts, rather than one empty part.
        let parts = text.isEmpty ? [] : text.parts(partedBy: separator)
        return work.makeList(parts.map { work.draft.make(escaped($0)) })
    }

    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        var parts: [[UInt8]] = []
        for (index, element) in try work.elements(of: value, at: key).enumerated() {
            guard let part = work.draft.string(element) else {
                throw try work.inside(key) { work throws(DocumentError) in
                    work.mismatch(element, expected: .string, at: Array(String(index).utf8))
                }
            }
            parts.append(part)
        }
        return work.draft.make(escaped(Array(parts.joined(separator: separator))))
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        try field.convert(from: .string, to: .string)
        let isNullable = field.shape.types?.contains(.null) ?? false
        field.shape = isNullable ? .types([.array, .null]) : .array(prefix: [], items: .types(.string))
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        _ = try field.shape.items(at: key)
        field.shape = .types(.string)
    }

    private var shown: String { String(decoding: separator, as: UTF8.self) }

    var words: String { "split `\(name(key))` at `\(shown)`" }
    var inverse: InverseLens { inverse("join `\(name(key))` with `\(shown)`") }
}

extension LensWork {
    mutating func makeList(_ elements: [Draft.Value]) -> Draft.Value {
        let items = elements.map { Draft.Item(key: nil, value: $0, slot: nil) }
        return draft.make(Draft.Container(isObject: false, items: items, origin: nil))
    }

    mutating func elements(
        of list: Draft.Value,
        at key: [UInt8]
    ) throws(DocumentError) -> [Draft.Value] {
        guard draft.kind(list) == .array else { throw mismatch(list, expected: .array, at: key) }
        let opened = try draft.open(list)
        return draft.container(opened)?.items.map(\.value) ?? []
    }
}

extension Shape {
    /// The shape of the elements of a field that must be a list.
    func items(at key: [UInt8]) throws(ShapeFault) -> Shape {
        switch self {
        case .any: return .any
        case .array(let prefix, let items): return prefix.isEmpty ? items : .any
        case .object, .types: throw .mismatch(.array, at: JSONPointer(tokens: [key]), found: kind)
        }
    }
}

extension [UInt8] {
    /// At most `most` parts; the last one contains the rest.
    func parts(partedBy separator: [UInt8], most: Int = .max) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var rest = self[...]
        while parts.count < most - 1, let place = rest.place(of: separator) {
            parts.append(Array(rest[..<place]))
            rest = rest[(place + separator.count)...]
        }
        return parts + [Array(rest)]
    }
}

extension ArraySlice<UInt8> {
    fileprivate func place(of bytes: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: bytes) }
    }
}
