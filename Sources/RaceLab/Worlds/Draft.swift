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

    /// `field` is a JSON Pointer for an app's document.
    mutating func set(_ field: String, to edit: Int) {
        switch self {
        case .flat(var content):
            content.set(field, to: edit)
            self = .flat(content)
        case .text(let json):
            let change: JSONText = ["op": "add", "path": JSONText(field), "value": JSONText("i\(edit)")]
            guard let patch = try? JSON(parsing: Array(JSONText([change]).description.utf8)),
                let changed = try? JSONPatch(patch).apply(to: json)
            else { return }
            self = .text(changed)
        }
    }

    /// Parsed as the program with that version does; `nil` if it cannot.
    init?(_ bytes: [UInt8], version own: Int?, rule: DocumentRule?, isText: Bool) {
        guard isText else {
            guard var content = TestDocument(bytes, isVersioned: rule != nil) else { return nil }
            if rule != nil {
                guard let own, (content.version ?? 1) <= own else { return nil }
                content.version = own
            }
            self = .flat(content)
            return
        }
        guard let json = try? JSON(parsing: bytes) else { return nil }
        guard let rule, let own, case .known(let version) = rule.version(of: json) else {
            self = .text(json)
            return
        }
        guard version <= own, let mine = try? rule.translate(json, from: version, to: own, agreed: nil) else {
            return nil
        }
        self = .text(mine)
    }
}
