/// Numbers the rows of a table in the order of one of their columns.
struct OrderLens: Lens {
    var rows: JSONPointer
    var column: [UInt8]
    var by: [UInt8]
    var step: Int

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let root = try work.container(value)
        guard let table = try work.openTable(rows, in: root) else { return root }
        var keys: [(index: Int, text: [UInt8], name: [UInt8])] = []
        for index in 0..<work.draft.count(of: table) {
            guard let key = work.draft.container(table)?.items[index].key,
                let row = try work.openRow(index, of: table)
            else { continue }
            // Rows without the column come last.
            let text = work.member(by, of: row).map { work.draft.text($0) } ?? [0xFF]
            keys.append((index, text, work.draft.bytes(of: key)))
        }
        keys.sort { a, b in
            a.text == b.text
                ? a.name.lexicographicallyPrecedes(b.name) : a.text.lexicographicallyPrecedes(b.text)
        }
        let agreed = AgreedRows(of: work.place.appending(rows), work)?
            .numbers(of: keys.map(\.name), in: column, work)
        for (key, number) in zip(keys, RowNumber.numbers(agreed ?? keys.map { _ in nil }, step: step)) {
            guard let row = work.draft.container(table)?.items[key.index].value, let number,
                work.index(of: column, in: row) == nil
            else { continue }
            var value = work.draft.make(number)
            value.isDerived = true
            work.insert(value, as: column, at: .max, in: row)
        }
        return root
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let root = try work.container(value)
        guard let table = try work.openTable(rows, in: root) else { return root }
        for index in 0..<work.draft.count(of: table) {
            guard let key = work.draft.container(table)?.items[index].key,
                let row = try work.openRow(index, of: table)
            else { continue }
            let place = work.place.appending(rows).appending(work.draft.bytes(of: key)).appending(column)
            if work.exampleNode(at: place) == nil { work.remove(column, from: row) }
        }
        return root
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.change(at: rows.tokens[...]) { table throws(ShapeFault) in
            guard case .object(var fields) = table, var row = fields.others else { return }
            try row.changeFields { fields throws(ShapeFault) in
                if fields.index(of: by) == nil, fields.others == nil { throw fields.missing(by) }
                try fields.put(Shape.Field(key: column, shape: .types(.integer), isRequired: true))
            }
            fields.others = row
            table = .object(fields)
        }
    }

    var words: String { "number the rows of `\(rows)` in `\(name(column))` by `\(name(by))`" }
}
