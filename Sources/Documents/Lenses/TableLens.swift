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
        let agreed = AgreedRows(of: work.place.appending(key), work)
        let agreedNames = agreed?.names(byID: id, work) ?? [:]
        var names: Set<[UInt8]> = []
        var rows: [(name: [UInt8], row: Draft.Value)] = []
        for (index, element) in elements.enumerated() {
            let token = Array(String(index).utf8)
            try work.inside(key) { work throws(DocumentError) in
                try work.inside(token) { work throws(DocumentError) in
                    let row = try work.object(element)
                    let id = try idText(of: row, &work)
                    let name = agreedNames[id] ?? id
                    guard names.insert(name).inserted else {
                        throw repeatedID(row, work)
                    }
                    if let order { try work.checkFree(order, in: row) }
                    work.insert(row, as: name, at: .max, in: table)
                    rows.append((name, row))
                }
            }
        }
        number(rows, agreed, &work)
        return table
    }

    private func repeatedID(_ row: Draft.Value, _ work: LensWork) -> DocumentError {
        work.mismatch(work.member(id, of: row) ?? row, expected: .uniqueID, at: id)
    }

    /// The id as a key.
    private func idText(of row: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> [UInt8] {
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
        _ rows: [(name: [UInt8], row: Draft.Value)],
        _ agreed: AgreedRows?,
        _ work: inout LensWork
    ) {
        guard let order else { return }
        let known = agreed?.numbers(of: rows.map(\.name), in: order, work) ?? rows.map { _ in nil }
        for ((_, row), number) in zip(rows, RowNumber.numbers(known, step: 1)) {
            guard let number else { continue }
            var place = work.draft.make(number)
            place.isDerived = true
            work.insert(place, as: order, at: .max, in: row)
        }
    }

    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        guard work.draft.kind(value) == .object else {
            throw work.mismatch(value, expected: .table, at: key)
        }
        let table = try work.draft.open(value)
        var ids: Set<[UInt8]> = []
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
                    // The list could not become a table again.
                    guard ids.insert(try idText(of: row, &work)).inserted else {
                        throw repeatedID(row, work)
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
