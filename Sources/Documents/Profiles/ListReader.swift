/// Reads conversions from and to lists and texts of JSON, whose keys are others than those of scalars.
enum ListReader {
    /// `nil` for other conversions.
    static func lens(_ field: YAMLField) throws(ProfileError) -> (any Lens)? {
        guard field.isMapping else { return nil }
        let members = try field.members()
        func form(_ name: String) throws(ProfileError) -> String? {
            guard let value = members.first(where: { $0.name == name })?.value, !value.isList else {
                return nil
            }
            return try value.text()
        }
        switch (try form("from"), try form("to")) {
        case ("value", "list"): return ValueListLens(key: try key(field, []))
        case ("list", "value"): return ValueListLens(key: try key(field, [])).inverse
        case ("text", "list"): return try TextListLens(field)
        case ("list", "text"): return try TextListLens(field).inverse
        case ("lists", "list"): return FlattenLens(key: try key(field, []))
        case ("list", "lists"): return FlattenLens(key: try key(field, [])).inverse
        case ("json", "value"): return JSONTextLens(key: try key(field, []))
        case ("value", "json"): return JSONTextLens(key: try key(field, [])).inverse
        case ("list", "table"): return try TableLens(field)
        case ("table", "list"): return try TableLens(field).inverse
        default: return nil
        }
    }

    fileprivate static func key(_ field: YAMLField, _ others: [String]) throws(ProfileError) -> [UInt8] {
        guard let name = try field.fields(["field", "from", "to"] + others)["field"] else {
            throw field.fail(.needed(["field", "from", "to"]))
        }
        return try name.bytes()
    }
}

extension TextListLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        key = try ListReader.key(field, ["by"])
        guard let by = try field.fields(["field", "from", "to", "by"])["by"] else {
            throw field.fail(.missing("by", .separator))
        }
        separator = try by.separator()
    }
}

extension TableLens {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        key = try ListReader.key(field, ["id", "order"])
        let fields = try field.fields(["field", "from", "to", "id", "order"])
        guard let id = fields["id"] else { throw field.fail(.missing("id", .identity)) }
        self.id = try id.bytes()
        order = try fields["order"]?.bytes()
    }
}

extension SplitLens {
    /// `whole` is the key for the text; the other key has the names of the parts.
    init(_ field: YAMLField, of whole: String) throws(ProfileError) {
        let (first, second) = whole == "field" ? ("field", "into") : ("fields", "into")
        let fields = try field.fields([first, second, "by"])
        guard let a = fields[first], let b = fields[second], let by = fields["by"] else {
            throw field.fail(.needed([first, second, "by"]))
        }
        let (text, parts) = whole == "field" ? (a, b) : (b, a)
        key = try text.bytes()
        self.parts = try parts.texts().map { Array($0.utf8) }
        guard self.parts.count > 1, Set(self.parts).count == self.parts.count else {
            throw parts.fail(.lens(.fewParts))
        }
        separator = try by.separator()
    }
}

extension YAMLField {
    func separator() throws(ProfileError) -> [UInt8] {
        let text = try bytes()
        guard !text.isEmpty else { throw fail(.missing("by", .separator)) }
        return text
    }
}
