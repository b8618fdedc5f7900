/// Applies lenses to a value inside a document. A missing value or `null` stays.
struct ScopeLens: Lens {
    /// The part of a document to which the lenses apply.
    enum Scope: Sendable {
        /// The value itself.
        case value
        /// Every element of an array.
        case elements
        /// Every row of a table: an object with a row for each of its keys.
        case rows
    }

    /// The elements or rows to which the lenses apply, by their content in the version that is left.
    struct Filter: Sendable {
        var old: Schema
        var new: Schema
    }

    var field: JSONPointer
    var scope: Scope
    var filter: Filter?
    var lenses: [any Lens]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try reach(field.tokens[...], value, filter?.old, &work) { value, work throws(DocumentError) in
            try work.run(lenses.map { LensStep(lens: $0, isUp: true) }, on: value)
        }
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        try reach(field.tokens[...], value, filter?.new, &work) { value, work throws(DocumentError) in
            try work.run(lenses.reversed().map { LensStep(lens: $0, isUp: false) }, on: value)
        }
    }

    private typealias Step = (Draft.Value, inout LensWork) throws(DocumentError) -> Draft.Value

    /// Follows a pointer of the profile. The recursion is bounded, because such a pointer is short.
    private func reach(
        _ tokens: ArraySlice<[UInt8]>,
        _ value: Draft.Value,
        _ condition: Schema?,
        _ work: inout LensWork,
        _ body: Step
    ) throws(DocumentError) -> Draft.Value {
        guard let token = tokens.first else { return try apply(value, condition, &work, body) }
        guard work.draft.kind(value) == .object || work.draft.kind(value) == .array else {
            throw work.mismatch(value, expected: .objectOrArray)
        }
        let opened = try work.draft.open(value)
        guard let index = work.index(of: token, in: opened), let member = work.member(token, of: opened),
            work.draft.kind(member) != .null
        else { return opened }
        let new = try work.inside(token) { work throws(DocumentError) in
            try reach(tokens.dropFirst(), member, condition, &work, body)
        }
        work.replace(index, with: new, in: opened)
        return opened
    }

    private func apply(
        _ value: Draft.Value,
        _ condition: Schema?,
        _ work: inout LensWork,
        _ body: Step
    ) throws(DocumentError) -> Draft.Value {
        let kind = work.draft.kind(value)
        switch scope {
        case .value: return try body(value, &work)
        case .elements: guard kind == .array else { throw work.mismatch(value, expected: .array) }
        case .rows: guard kind == .object else { throw work.mismatch(value, expected: .table) }
        }
        let opened = try work.draft.open(value)
        for index in 0..<work.draft.count(of: opened) {
            guard let item = work.draft.container(opened)?.items[index],
                condition.map({ work.draft.fits(item.value, $0) }) ?? true
            else { continue }
            let token = item.key.map { work.draft.bytes(of: $0) } ?? Array(String(index).utf8)
            let new = try work.inside(token) { work throws(DocumentError) in try body(item.value, &work) }
            work.replace(index, with: new, in: opened)
        }
        return opened
    }

    func newer(_ place: JSONPointer) -> JSONPointer {
        inside(place) { inner in lenses.reduce(inner) { $1.newer($0) } }
    }

    func older(_ place: JSONPointer) -> JSONPointer {
        inside(place) { inner in lenses.reversed().reduce(inner) { $1.older($0) } }
    }

    /// Applies `move` to the part of a path below the values that the lenses work on; other paths stay.
    private func inside(_ place: JSONPointer, _ move: (JSONPointer) -> JSONPointer) -> JSONPointer {
        let depth = field.tokens.count + (scope == .value ? 0 : 1)
        guard place.tokens.count >= depth, place.tokens.starts(with: field.tokens) else { return place }
        let inner = move(JSONPointer(tokens: Array(place.tokens.dropFirst(depth))))
        return JSONPointer(tokens: place.tokens.prefix(depth) + inner.tokens)
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.change(at: field.tokens[...]) { inner throws(ShapeFault) in
            switch (scope, inner) {
            case (_, .any): return
            case (.value, _): for lens in lenses { try lens.shape(&inner) }
            case (.elements, .array(let prefix, var items)):
                for lens in lenses { try lens.shape(&items) }
                // Of elements with and without the change, nothing is known.
                inner = .array(prefix: prefix, items: filter == nil ? items : .any)
            case (.rows, .object(var fields)):
                var rows = fields.others ?? .any
                for lens in lenses { try lens.shape(&rows) }
                fields.others = filter == nil ? rows : .any
                inner = .object(fields)
            default:
                throw .mismatch(scope == .elements ? .array : .table, at: field, found: inner.kind)
            }
        }
    }

    var needsZone: Bool { lenses.contains(where: \.needsZone) }

    var words: String {
        let inner =
            (filter == nil ? "" : "where it fits, ") + lenses.map(\.words).joined(separator: ", ")
        switch scope {
        case .value: return "in `\(field)`: \(inner)"
        case .elements: return "in each of `\(field)`: \(inner)"
        case .rows: return "in each row of `\(field)`: \(inner)"
        }
    }
}

extension Draft {
    fileprivate func fits(_ value: Value, _ schema: Schema) -> Bool {
        json(value).map { schema.firstViolation(of: $0) == nil } ?? false
    }
}
