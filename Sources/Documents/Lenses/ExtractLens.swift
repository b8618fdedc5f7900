/// Moves a text column of a table into a new table; the rows then refer to it by id.
///
/// The id of a text is the one that the new table already has, in a partly migrated document, else the one
/// that the base has, else one derived from the text itself, which is the same on every machine.
struct ExtractLens: Lens {
    /// The original table, and the new one.
    var rows: JSONPointer
    var table: JSONPointer
    /// The column with the text, and the column with the id that replaces it.
    var text: [UInt8]
    var reference: [UInt8]
    /// The columns of the new table: the text, and optionally the id, and a number for the order of the
    /// texts, in steps.
    var title: [UInt8]
    var id: [UInt8]?
    var order: (column: [UInt8], step: Int)?
    /// A column for the smallest text of the rows that refer to the entry.
    var smallest: [UInt8]?

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let root = try work.container(value)
        guard let rows = try work.openTable(rows, in: root) else { return root }
        let titles = try titles(in: root, &work)
        var groups: [Group] = []
        for index in 0..<work.draft.count(of: rows) {
            guard let row = try work.openRow(index, of: rows), let keyIndex = work.index(of: text, in: row),
                let member = work.member(text, of: row)
            else { continue }
            guard let words = work.draft.string(member) else {
                throw work.mismatch(member, expected: .string, at: text)
            }
            try work.checkFree(reference, in: row)
            guard !words.isEmpty else {
                work.remove(text, from: row)
                continue
            }
            let oldest = smallest.flatMap { work.member($0, of: row) }.map { work.draft.text($0) }
            let known = titles.first { $0.title == words }?.id ?? known(words, work)
            let new = work.draft.make(escaped(add(words, known, oldest, &groups)))
            let key = work.draft.makeKey(reference)
            _ = work.draft.change(row) {
                $0.items[keyIndex].key = key
                $0.items[keyIndex].value = new
            }
        }
        try add(groups, to: root, &work)
        return root
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let root = try work.container(value)
        var titles: [[UInt8]: [UInt8]] = [:]
        for (id, title) in try self.titles(in: root, &work) { titles[id] = title }
        var kept: [[UInt8]] = []
        if let rows = try work.openTable(rows, in: root) {
            for index in 0..<work.draft.count(of: rows) { try refer(index, of: rows, titles, &kept, &work) }
        }
        try removeTable(from: root, except: kept, &work)
        return root
    }

    /// The ids and texts in the new table.
    private func titles(
        in root: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> [(id: [UInt8], title: [UInt8])] {
        guard let table = try work.openTable(table, in: root) else { return [] }
        var titles: [(id: [UInt8], title: [UInt8])] = []
        for index in 0..<work.draft.count(of: table) {
            guard let row = try work.openRow(index, of: table),
                let title = work.member(title, of: row).flatMap({ work.draft.string($0) }),
                let key = work.draft.container(table)?.items[index].key
            else { continue }
            titles.append((work.draft.bytes(of: key), title))
        }
        return titles
    }

    /// Removes the new table. In a partly migrated document the table already existed: its own rows stay,
    /// and those that the document's own ids refer to.
    private func removeTable(
        from root: Draft.Value,
        except kept: [[UInt8]],
        _ work: inout LensWork
    ) throws(DocumentError) {
        guard let parent = try work.open(table.parent, in: root), let name = table.tokens.last else { return }
        let place = work.place.appending(table)
        guard work.exampleNode(at: place) != nil, let table = try work.openTable(table, in: root) else {
            work.remove(name, from: parent)
            return
        }
        for index in (0..<work.draft.count(of: table)).reversed() {
            guard let key = work.draft.container(table)?.items[index].key else { continue }
            let id = work.draft.bytes(of: key)
            if kept.contains(id) || work.exampleNode(at: place.appending(id)) != nil { continue }
            work.remove(id, from: table)
        }
    }

    /// Replaces an id by its text, unless the base of the older version has the id.
    private func refer(
        _ index: Int,
        of rows: Draft.Value,
        _ titles: [[UInt8]: [UInt8]],
        _ kept: inout [[UInt8]],
        _ work: inout LensWork
    ) throws(DocumentError) {
        guard let row = try work.openRow(index, of: rows), let keyIndex = work.index(of: reference, in: row),
            let member = work.member(reference, of: row)
        else { return }
        let rowKey = work.draft.container(rows)?.items[index].key.map { work.draft.bytes(of: $0) } ?? []
        if work.exampleNode(at: work.place.appending(self.rows).appending(rowKey).appending(reference)) != nil
        {
            if let id = work.draft.string(member) { kept.append(id) }
            return
        }
        try work.checkFree(text, in: row)
        guard let title = work.draft.string(member).flatMap({ titles[$0] }) else {
            // The id refers to no row, so there is no text for it.
            work.remove(reference, from: row)
            return work.lose(reference, .noRow(table: table.description))
        }
        let new = work.draft.make(escaped(title))
        let key = work.draft.makeKey(text)
        _ = work.draft.change(row) {
            $0.items[keyIndex].key = key
            $0.items[keyIndex].value = new
        }
    }

    // MARK: The new table

    private struct Group {
        var title: [UInt8]
        var id: [UInt8]
        /// JSON text.
        var smallest: [UInt8]?
    }

    /// The id of a text, which is added to the groups if it is new.
    private func add(_ words: [UInt8], _ known: [UInt8]?, _ oldest: [UInt8]?, _ groups: inout [Group])
        -> [UInt8]
    {
        if let index = groups.firstIndex(where: { $0.title == words }) {
            if let oldest {
                groups[index].smallest = groups[index].smallest.map { lesser($0, oldest) } ?? oldest
            }
            return groups[index].id
        }
        let id = known ?? text + [UInt8(ascii: ":")] + words
        groups.append(Group(title: words, id: id, smallest: oldest))
        return id
    }

    private func lesser(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { b.lexicographicallyPrecedes(a) ? b : a }

    /// The id that the base has for a text.
    private func known(_ words: [UInt8], _ work: LensWork) -> [UInt8]? {
        guard let example = work.example, let table = work.exampleNode(at: work.place.appending(table)),
            example.kind(table) == .object
        else { return nil }
        for (key, row) in example.members(of: table) {
            if let title = example.value(of: title, in: row), example.kind(title) == .string,
                example.string(title) == words
            {
                return example.string(key)
            }
        }
        return nil
    }

    private func add(
        _ groups: [Group],
        to root: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) {
        guard let parent = try work.openTable(table.parent, in: root), let key = table.tokens.last else {
            throw work.mismatch(root, expected: .objectAt(table.parent))
        }
        if work.index(of: key, in: parent) == nil {
            var table = work.draft.make(Draft.Container(isObject: true, items: [], origin: nil))
            table.isDerived = groups.isEmpty
            work.insert(table, as: key, at: .max, in: parent)
        }
        guard let table = try work.openTable(table, in: root) else { return }
        let sorted = groups.sorted { $0.title.lexicographicallyPrecedes($1.title) }
        for (index, group) in sorted.enumerated() where work.index(of: group.id, in: table) == nil {
            var row = Draft.Container(isObject: true, items: [], origin: nil)
            func column(_ name: [UInt8], _ text: [UInt8], isDerived: Bool) {
                var value = work.draft.make(text)
                value.isDerived = isDerived
                row.items.append(Draft.Item(key: work.draft.makeKey(name), value: value, slot: nil))
            }
            if let id { column(id, escaped(group.id), isDerived: true) }
            column(title, escaped(group.title), isDerived: false)
            if let order { column(order.column, Array(String(index * order.step).utf8), isDerived: true) }
            if let smallest, let text = group.smallest { column(smallest, text, isDerived: true) }
            work.insert(work.draft.make(row), as: group.id, at: .max, in: table)
        }
    }

    func newer(_ place: JSONPointer) -> JSONPointer { named(place, text, reference) }
    func older(_ place: JSONPointer) -> JSONPointer { named(place, reference, text) }

    /// The path after the column is renamed in each row.
    private func named(_ place: JSONPointer, _ old: [UInt8], _ new: [UInt8]) -> JSONPointer {
        let depth = rows.tokens.count + 1
        guard place.tokens.count > depth, place.tokens.starts(with: rows.tokens), place.tokens[depth] == old
        else { return place }
        var place = place
        place.tokens[depth] = new
        return place
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        var isKnown = false
        try shape.change(at: rows.tokens[...]) { table throws(ShapeFault) in
            guard case .object(var fields) = table, var row = fields.others else { return }
            try row.changeFields { fields throws(ShapeFault) in
                var field = try fields.take(text)
                field.key = reference
                try fields.put(field)
            }
            fields.others = row
            table = .object(fields)
            isKnown = true
        }
        guard isKnown, let key = table.tokens.last else { return }
        var columns = Shape.Fields()
        try columns.put(Shape.Field(key: title, shape: .types(.string), isRequired: true))
        if let id { try columns.put(Shape.Field(key: id, shape: .types(.string), isRequired: true)) }
        if let order {
            try columns.put(Shape.Field(key: order.column, shape: .types(.integer), isRequired: true))
        }
        if let smallest { try columns.put(Shape.Field(key: smallest, shape: .any, isRequired: false)) }
        let new = Shape.object(Shape.Fields(others: .object(columns)))
        try shape.change(at: table.parent.tokens[...]) { parent throws(ShapeFault) in
            try parent.changeFields { fields throws(ShapeFault) in
                try fields.put(Shape.Field(key: key, shape: new, isRequired: true))
            }
        }
    }

    var words: String { "extract `\(name(text))` of `\(rows)` into `\(table)`, as `\(name(reference))`" }
}
