/// What the last agreed document has for a row in the column that numbers the rows of its table.
struct RowNumber {
    /// `nil`: the row has no number. Such rows come last.
    var number: ExactDecimal?
    /// Its JSON text.
    var text: [UInt8]?
    /// Where the row stands in the table: rows of one number come in this order.
    var index: Int

    /// The texts of the numbers for rows in their order, of which each has its agreed number, if it has one.
    ///
    /// The agreed numbers stay where they give this order, gaps included, and a new row gets the next number.
    /// Else all rows are numbered anew: were only some, the others' numbers might not fit between them.
    static func numbers(_ agreed: [RowNumber?], step: Int) -> [[UInt8]?] {
        kept(agreed, step: step) ?? agreed.indices.map { Array(String($0 * step).utf8) }
    }

    private static func kept(_ agreed: [RowNumber?], step: Int) -> [[UInt8]?]? {
        var rows: [RowNumber] = []
        for row in agreed {
            guard let row = row ?? new(after: rows.last, step: step),
                rows.last?.precedes(row) ?? true
            else { return nil }
            rows.append(row)
        }
        return rows.map(\.text)
    }

    /// A new row, which no row of the same number may follow.
    private static func new(after last: RowNumber?, step: Int) -> RowNumber? {
        guard let last else { return RowNumber(text: [UInt8(ascii: "0")], index: .max) }
        guard let text = last.text, let number = Int(String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        let (next, isTooLarge) = number.addingReportingOverflow(step)
        return isTooLarge ? nil : RowNumber(text: Array(String(next).utf8), index: .max)
    }

    init(text: [UInt8]?, index: Int) {
        self.text = text
        self.index = index
        number = text.map { ExactDecimal($0) }
    }

    private func precedes(_ other: RowNumber) -> Bool {
        switch (number, other.number) {
        case (let mine?, let its?): mine == its ? index < other.index : mine < its
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): index < other.index
        }
    }
}

extension AgreedRows {
    /// The numbers that rows have in a column; `nil` for new rows.
    func numbers(of rows: [[UInt8]], in column: [UInt8], _ work: LensWork) -> [RowNumber?] {
        var numbers: [RowNumber?] = []
        for name in rows {
            guard let row = nodes[name] else {
                numbers.append(nil)
                continue
            }
            let cell = cell(column, of: name, work)
            switch cell.map(example.kind) {
            case nil, .null: numbers.append(RowNumber(text: nil, index: row))
            case .number: numbers.append(RowNumber(text: cell.map(example.slice), index: row))
            // A later lens writes the numbers in another form, or they are no numbers.
            default: return rows.map { _ in nil }
            }
        }
        return numbers
    }
}
