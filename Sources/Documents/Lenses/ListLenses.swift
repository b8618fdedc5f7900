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
        field.shape = .array(prefix: [], items: field.shape)
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
        field.shape = .array(prefix: [], items: .types(.string))
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        _ = try field.shape.items(at: key)
        field.shape = .types(.string)
    }

    private var shown: String { String(decoding: separator, as: UTF8.self) }

    var words: String { "split `\(name(key))` at `\(shown)`" }
    var inverse: InverseLens { inverse("join `\(name(key))` with `\(shown)`") }
}

/// Converts a list of objects to a table whose keys are the values of one of their fields. The field stays
/// in the rows.
struct TableLens: FieldLens {
    var key: [UInt8]
    var id: [UInt8]
    /// A column for the position in the list.
    var order: [UInt8]?

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        let elements = try work.elements(of: value, at: key)
        let table = work.draft.make(Draft.Container(isObject: true, items: [], origin: nil))
        var names: Set<[UInt8]> = []
        for (index, element) in elements.enumerated() {
            let token = Array(String(index).utf8)
            try work.inside(key) { work throws(DocumentError) in
                try work.inside(token) { work throws(DocumentError) in
                    let row = try work.object(element)
                    let name = try rowName(of: row, &work)
                    guard names.insert(name).inserted else {
                        throw work.mismatch(work.member(id, of: row) ?? row, expected: .uniqueID, at: id)
                    }
                    try number(row, index, &work)
                    work.insert(row, as: name, at: .max, in: table)
                }
            }
        }
        return table
    }

    /// The id of a row, as a key.
    private func rowName(of row: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> [UInt8] {
        guard let member = work.member(id, of: row) else {
            throw work.mismatch(row, expected: .objectWith(key: name(id)))
        }
        switch work.draft.kind(member) {
        case .string: return work.draft.string(member) ?? []
        case .number: return work.draft.text(member)
        default: throw work.mismatch(member, expected: .id, at: id)
        }
    }

    private func number(
        _ row: Draft.Value,
        _ index: Int,
        _ work: inout LensWork
    ) throws(DocumentError) {
        guard let order else { return }
        try work.checkFree(order, in: row)
        var place = work.draft.make(Array(String(index).utf8))
        place.isDerived = true
        work.insert(place, as: order, at: .max, in: row)
    }

    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        guard work.draft.kind(value) == .object else {
            throw work.mismatch(value, expected: .table, at: key)
        }
        let table = try work.draft.open(value)
        var rows: [(place: ExactDecimal?, row: Draft.Value)] = []
        for index in 0..<work.draft.count(of: table) {
            guard let item = work.draft.container(table)?.items[index], let label = item.key else { continue }
            let name = work.draft.bytes(of: label)
            try work.inside(key) { work throws(DocumentError) in
                try work.inside(name) { work throws(DocumentError) in
                    let row = try work.object(item.value)
                    if work.member(id, of: row) == nil {
                        work.insert(work.draft.make(escaped(name)), as: id, at: 0, in: row)
                    }
                    let place = order.flatMap { work.remove($0, from: row) }?.value
                    let isNumber = place.map { work.draft.kind($0) == .number } ?? false
                    rows.append((isNumber ? place.map { ExactDecimal(work.draft.text($0)) } : nil, row))
                }
            }
        }
        return work.makeList(sorted(rows))
    }

    /// The rows by ascending position; rows without one come last, in the order of the table.
    private func sorted(_ rows: [(place: ExactDecimal?, row: Draft.Value)]) -> [Draft.Value] {
        rows.enumerated().sorted { a, b in
            switch (a.element.place, b.element.place) {
            case (let mine?, let its?) where mine != its: mine < its
            case (.some, nil): true
            case (nil, .some): false
            default: a.offset < b.offset
            }
        }.map(\.element.row)
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        var row = try field.shape.items(at: key)
        try row.changeFields { fields throws(ShapeFault) in
            if fields.index(of: id) == nil, fields.others == nil { throw fields.missing(id) }
            guard let order else { return }
            try fields.put(Shape.Field(key: order, shape: .types(.integer), isRequired: true))
        }
        field.shape = .object(Shape.Fields(others: row))
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        if case .any = field.shape { return }
        guard case .object(let table) = field.shape else {
            throw .mismatch(.table, at: JSONPointer(tokens: [key]), found: field.shape.kind)
        }
        var row = table.others ?? .any
        try row.changeFields { fields throws(ShapeFault) in
            if let order { _ = try fields.take(order) }
            if fields.index(of: id) == nil {
                try fields.put(Shape.Field(key: id, shape: .types(.string), isRequired: true))
            }
        }
        field.shape = .array(prefix: [], items: row)
    }

    var words: String { "convert `\(name(key))` from a list to a table by `\(name(id))`" }
    var inverse: InverseLens { inverse("convert `\(name(key))` from a table to a list, with `\(name(id))`") }
}

extension LensWork {
    fileprivate mutating func makeList(_ elements: [Draft.Value]) -> Draft.Value {
        let items = elements.map { Draft.Item(key: nil, value: $0, slot: nil) }
        return draft.make(Draft.Container(isObject: false, items: items, origin: nil))
    }

    fileprivate mutating func elements(
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
    fileprivate func items(at key: [UInt8]) throws(ShapeFault) -> Shape {
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
