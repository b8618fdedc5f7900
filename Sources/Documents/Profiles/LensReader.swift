/// Reads lenses. Each is a mapping with one key, its name.
enum LensReader {
    private static let names = [
        "add", "default", "omit", "remove", "rename", "renamePrefix", "move", "copy", "wrap", "unwrap",
        "nest", "unnest", "hoist", "plunge", "convert", "map", "scale", "split", "join", "prefix",
        "extract", "orderBy", "in", "each", "eachRow",
    ]

    static func lens(_ field: YAMLField) throws(ProfileError) -> any Lens {
        let members = try field.members()
        guard members.count == 1, let (name, value) = members.first else {
            throw field.fail(.lens(.notOne))
        }
        if let lens = try fieldLens(name, value) { return lens }
        if let lens = try scopeLens(name, value) { return lens }
        throw value.fail(.lens(.unknown(name, known: names)))
    }

    /// A lens for one or two fields; `nil` for other names.
    private static func fieldLens(_ name: String, _ value: YAMLField) throws(ProfileError) -> (any Lens)? {
        switch name {
        case "add": return try AddLens(value)
        case "default":
            var lens = try AddLens(value)
            lens.isOptionalBefore = true
            return lens
        case "omit":
            let (field, constant) = try value.needed("field", "value")
            let content = AddLens.Content.constant(try constant.json())
            return AddLens(key: try field.bytes(), content: content, isOptionalBefore: true).omission
        case "remove": return try remove(value)
        case "rename":
            let (old, new) = try value.change()
            return RenameLens(old: old, new: new)
        case "renamePrefix":
            let (old, new) = try value.change()
            return RenamePrefixLens(old: old, new: new)
        case "move":
            let parts = try value.needed("from", "to")
            return try value.move(from: try parts.0.place(), to: try parts.1.place())
        case "copy":
            let parts = try value.needed("from", "to")
            return AddLens(key: try parts.1.bytes(), content: .copy(of: try parts.0.bytes()))
        case "hoist":
            let parts = try value.needed("field", "from")
            let key = try parts.0.bytes()
            let old = JSONPointer(tokens: [try parts.1.bytes(), key])
            return try value.move(from: old, to: JSONPointer(tokens: [key]))
        case "plunge":
            let parts = try value.needed("field", "into")
            let key = try parts.0.bytes()
            let new = JSONPointer(tokens: [try parts.1.bytes(), key])
            return try value.move(from: JSONPointer(tokens: [key]), to: new)
        default: return try valueLens(name, value)
        }
    }

    /// A lens for the value of one field; `nil` for other names.
    private static func valueLens(_ name: String, _ value: YAMLField) throws(ProfileError) -> (any Lens)? {
        switch name {
        case "convert":
            if let lens = try ListReader.lens(value) { return lens }
            return try ConvertLens(value)
        case "split": return try SplitLens(value, of: "field")
        case "join": return try SplitLens(value, of: "into").inverse
        case "map": return try MapLens(value)
        case "scale": return try ScaleLens(value)
        case "prefix": return try PrefixLens(value)
        default: return nil
        }
    }

    /// A lens for a whole object, a table, or a value inside; `nil` for other names.
    private static func scopeLens(_ name: String, _ value: YAMLField) throws(ProfileError) -> (any Lens)? {
        switch name {
        case "wrap": return WrapLens(key: try value.bytes())
        case "unwrap": return WrapLens(key: try value.bytes()).inverse
        case "nest": return NestLens(separator: try value.separator())
        case "unnest": return NestLens(separator: try value.separator()).inverse
        case "extract": return try ExtractLens(value)
        case "orderBy": return try OrderLens(value)
        case "in": return try ScopeLens(value, .value)
        case "each": return try ScopeLens(value, .elements)
        case "eachRow": return try ScopeLens(value, .rows)
        default: return nil
        }
    }

    private static func remove(_ field: YAMLField) throws(ProfileError) -> RemoveLens {
        guard field.isMapping else { return RemoveLens(key: try field.bytes()) }
        let fields = try field.fields(["field", "default"])
        guard let name = fields["field"] else { throw field.fail(.missing("field", .name)) }
        return RemoveLens(key: try name.bytes(), defaultValue: try fields["default"]?.json())
    }
}

extension YAMLField {
    /// Two required members; others are refused.
    fileprivate func needed(_ first: String, _ second: String) throws(ProfileError) -> (YAMLField, YAMLField)
    {
        let fields = try fields([first, second])
        guard let a = fields[first], let b = fields[second] else {
            throw fail(.needed([first, second]))
        }
        return (a, b)
    }

    /// Two different texts.
    fileprivate func change() throws(ProfileError) -> (from: [UInt8], to: [UInt8]) {
        let parts = try needed("from", "to")
        let (old, new) = (try parts.0.bytes(), try parts.1.bytes())
        if old == new { throw fail(.lens(.intoItself)) }
        return (old, new)
    }

    /// A lens that moves a field to a place outside of it.
    fileprivate func move(from old: JSONPointer, to new: JSONPointer) throws(ProfileError) -> MoveLens {
        if new.tokens.starts(with: old.tokens) { throw fail(.lens(.intoItself)) }
        return MoveLens(old: old, new: new)
    }

    /// A pointer to a value within the document, not its root.
    fileprivate func place() throws(ProfileError) -> JSONPointer {
        let pointer = try pointer()
        guard !pointer.tokens.isEmpty else { throw fail(.lens(.root)) }
        return pointer
    }
}

extension AddLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields([
            "field", "value", "copy", "count", "sum", "where", "join", "by", "first", "after",
        ])
        guard let name = fields["field"] else { throw field.fail(.missing("field", .name)) }
        key = try name.bytes()
        content = try Content(fields, of: field)
        switch (fields["first"], fields["after"]) {
        case (nil, nil): order = .last
        case (nil, let other?): order = .after(try other.bytes())
        case (let first?, nil):
            guard try first.text() == "true" else { throw first.fail(.expected(.firstOrNothing)) }
            order = .first
        default: throw field.fail(.either("first", "after", .order))
        }
    }
}

extension ConvertLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "from", "to"])
        guard let name = fields["field"], let from = fields["from"], let to = fields["to"] else {
            throw field.fail(.needed(["field", "from", "to"]))
        }
        key = try name.bytes()
        let old = try from.isList ? from.texts() : [from.text()]
        let new = try to.text()
        switch (old, new) {
        case (["0/1"], "boolean"), (["0/1", "boolean"], "boolean"): conversion = .flag(mostlyNumbers: true)
        case (["boolean", "0/1"], "boolean"): conversion = .flag(mostlyNumbers: false)
        case (["text"], "number"): conversion = .decimal
        case (["number"], "text"):
            conversion = .decimal
            isReversed = true
        case (["text"], "integer"): conversion = .integer
        case (["integer"], "text"):
            conversion = .integer
            isReversed = true
        default:
            let forms = old.compactMap(TimeForm.init)
            guard forms.count == old.count, !forms.isEmpty, let form = TimeForm(rawValue: new) else {
                throw field.fail(.lens(.unknownConversion))
            }
            conversion = .time(from: forms, to: form)
        }
    }
}

extension ScaleLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "by", "digits", "round"])
        guard let name = fields["field"], let factor = fields["by"] else {
            throw field.fail(.needed(["field", "by"]))
        }
        key = try name.bytes()
        let text = try factor.text(.factor)
        guard let fraction = Fraction(text) else { throw factor.fail(.expected(.factor, .text(text))) }
        self.factor = fraction
        if let digits = try fields["digits"]?.fields(["old", "new"]) {
            oldDigits = try digits["old"]?.digits()
            newDigits = try digits["new"]?.digits()
        }
        isRounded = try fields["round"]?.flag() ?? false
        if isRounded, oldDigits == nil, newDigits == nil {
            throw field.fail(.missing("digits", .rounding))
        }
    }
}

extension YAMLField {
    /// A number of decimal places.
    fileprivate func digits() throws(ProfileError) -> Int {
        let count = try count()
        guard count <= 30 else { throw fail(.expected(.digitCount, .text("\(count)"))) }
        return count
    }
}

extension MapLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "values", "default"])
        guard let name = fields["field"], let pairs = fields["values"] else {
            throw field.fail(.needed(["field", "values"]))
        }
        key = try name.bytes()
        values = []
        for pair in try pairs.list() {
            let sides = try pair.needed("old", "new")
            let (old, new) = (try sides.0.scalars(), try sides.1.scalars())
            // Values that become one could not be distinguished on the way back, so that needs a list in a
            // pair, not two pairs.
            let (allOld, allNew) = (values.flatMap(\.old) + old, values.flatMap(\.new) + new)
            guard allOld.isEachOnce, allNew.isEachOnce else { throw pair.fail(.lens(.repeatedValue)) }
            guard old.count == 1 || new.count == 1 else { throw pair.fail(.lens(.manyToMany)) }
            values.append(Pair(old: old, new: new))
        }
        if let others = try fields["default"]?.fields(["old", "new"]) {
            oldDefault = try others["old"]?.scalars().first
            newDefault = try others["new"]?.scalars().first
        }
    }
}

extension YAMLField {
    /// A scalar, or a list of scalars.
    fileprivate func scalars() throws(ProfileError) -> [JSON] {
        guard isList else {
            let text = try json()
            do throws(JSONError) {
                return [try JSON(parsing: text)]
            } catch {
                throw fail(.json(error))
            }
        }
        var values: [JSON] = []
        for element in try list() { values += try element.scalars() }
        guard !values.isEmpty else { throw fail(.lens(.noValue)) }
        return values
    }
}

extension [JSON] {
    fileprivate var isEachOnce: Bool {
        indices.allSatisfy { index in !self[..<index].contains { $0.isEqual(to: self[index]) } }
    }
}

extension PrefixLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "from", "to"])
        guard let name = fields["field"], let old = fields["from"], let new = fields["to"] else {
            throw field.fail(.needed(["field", "from", "to"]))
        }
        (key, self.old, self.new) = (try name.bytes(), try old.bytes(), try new.bytes())
        if self.old == self.new { throw field.fail(.lens(.intoItself)) }
    }
}

extension ExtractLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields([
            "rows", "field", "into", "as", "title", "id", "order", "step", "smallest",
        ])
        guard let rows = fields["rows"], let text = fields["field"], let table = fields["into"],
            let reference = fields["as"], let title = fields["title"]
        else { throw field.fail(.needed(["rows", "field", "into", "as", "title"])) }
        self.rows = try rows.pointer()
        self.text = try text.bytes()
        self.table = try table.place()
        self.reference = try reference.bytes()
        self.title = try title.bytes()
        id = try fields["id"]?.bytes()
        if let order = fields["order"] { self.order = (try order.bytes(), try fields["step"]?.count() ?? 1) }
        smallest = try fields["smallest"]?.bytes()
    }
}

extension OrderLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["rows", "field", "by", "step"])
        guard let rows = fields["rows"], let column = fields["field"], let by = fields["by"] else {
            throw field.fail(.needed(["rows", "field", "by"]))
        }
        self.rows = try rows.pointer()
        self.column = try column.bytes()
        self.by = try by.bytes()
        step = try fields["step"]?.count() ?? 1
    }
}

extension ScopeLens.Filter {
    /// A schema for both versions, or one for each.
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        if let members = try? field.members(), members.contains(where: { ["old", "new"].contains($0.name) }) {
            let sides = try field.needed("old", "new")
            self.init(old: try sides.0.schema(), new: try sides.1.schema())
        } else {
            let schema = try field.schema()
            self.init(old: schema, new: schema)
        }
    }
}

extension ScopeLens {
    fileprivate init(_ field: YAMLField, _ scope: Scope) throws(ProfileError) {
        let fields = try field.fields(["field", "lenses"] + (scope == .value ? [] : ["where"]))
        guard let place = fields["field"], let lenses = fields["lenses"] else {
            throw field.fail(.needed(["field", "lenses"]))
        }
        if let filter = fields["where"] { self.filter = try Filter(filter) }
        self.field = try place.pointer()
        self.scope = scope
        self.lenses = []
        for lens in try lenses.list() { self.lenses.append(try LensReader.lens(lens)) }
    }
}
