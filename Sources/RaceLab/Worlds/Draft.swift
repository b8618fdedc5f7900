import Documents

/// A program's copy of a document in memory, with the way to set a field.
enum Draft {
    /// The lab's own format, which the lab parses and prints itself.
    case flat(TestDocument)
    /// An app's document, as JSON.
    case text(JSON)

    var bytes: [UInt8] {
        switch self {
        case .flat(let content): content.bytes(.tight)
        case .text(let json): json.bytes
        }
    }

    /// `field` is a JSON Pointer for an app's document. `false` if the document has no place for it.
    @discardableResult
    mutating func set(_ field: String, to edit: Int) -> Bool {
        switch self {
        case .flat(var content):
            content.set(field, to: edit)
            self = .flat(content)
        case .text(let json):
            let change: JSONText = ["op": "add", "path": JSONText(field), "value": JSONText("i\(edit)")]
            guard let patch = try? JSON(parsing: Array(JSONText([change]).description.utf8)),
                let changed = try? JSONPatch(patch).apply(to: json)
            else { return false }
            self = .text(changed)
        }
        return true
    }

    /// Whether it has the field, with this JSON value if there is one.
    func holds(_ field: String, _ value: String?) -> Bool {
        let found: [UInt8]? =
            switch self {
            case .flat(let content): content.text(of: field).map { Array($0.utf8) }
            case .text(let json): JSONPointer(field)?.bytes(in: json)
            }
        guard let found else { return false }
        return value.map { Array($0.utf8) == found } ?? true
    }

    var edits: Set<Int> {
        switch self {
        case .flat(let content):
            content.fields.reduce(into: []) { $0.formUnion(Ids.found(in: Array($1.value.utf8))) }
        case .text(let json): Ids.found(in: json.bytes)
        }
    }

    /// Parsed as the program with that version does; `nil` if it cannot.
    init?(_ bytes: [UInt8], version own: Int?, rule: DocumentRule?, isText: Bool) {
        let draft: Draft?
        if isText {
            draft = (try? JSON(parsing: bytes)).map { .text($0) }
        } else {
            draft = TestDocument(bytes, isVersioned: rule != nil).map { .flat($0) }
        }
        guard let mine = draft?.translated(to: own, rule) else { return nil }
        self = mine
    }

    /// In a program's version; `nil` if the program is older.
    func translated(to own: Int?, _ rule: DocumentRule?) -> Draft? {
        guard let rule else { return self }
        switch self {
        case .flat(var content):
            guard let own, (content.version ?? 1) <= own else { return nil }
            content.version = own
            return .flat(content)
        case .text(let json):
            guard let own, case .known(let version) = rule.version(of: json) else { return self }
            guard version <= own else { return nil }
            return (try? rule.translate(json, from: version, to: own, agreed: nil)).map { .text($0) }
        }
    }
}

extension Scenario {
    /// What a program starts from that has no content in memory.
    func fresh(_ document: Int, _ version: Int?, _ rule: DocumentRule?) -> Draft {
        let holds = documents[document].holds.flatMap {
            Draft(Array($0.utf8), version: version, rule: rule, isText: true)
        }
        return holds ?? .flat(blank(document, version))
    }

    func blank(_ document: Int, _ version: Int?) -> TestDocument {
        let padding = documents[document].padding
        var fields: [TestDocument.Field] = []
        if profile != nil { fields.append(TestDocument.Field(key: "spent", value: "5")) }
        if padding > 0 {
            fields.append(
                TestDocument.Field(key: "pad", value: "\"\(String(repeating: "x", count: padding))\"")
            )
        }
        return TestDocument(version: profile == nil ? nil : version ?? 1, fields: fields)
    }
}
