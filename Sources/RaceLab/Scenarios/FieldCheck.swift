import Documents
import Model

/// Finds fields that an operation cannot set in its document as that is at the start: what no content ever
/// holds would look like a lost update.
struct FieldCheck {
    let scenario: Scenario
    let actors: [ScenarioReader.ReadActor]

    /// A field of a document with `holds`, and who sets it.
    private struct Use {
        var pointer: JSONPointer
        var document: RelativePath
        var actor: String
        /// Of the program.
        var version: Int?
        var field: YAMLField
    }

    var mistakes: [ProfileError] {
        var found: [ProfileError] = []
        var uses: [Use] = []
        for (lane, (actor, read)) in zip(scenario.actors, actors).enumerated() {
            var version = actor.version
            for entry in read.entries {
                if entry.operation.verb == .migrate { version = entry.operation.version ?? version }
                for document in documents(of: entry.operation) {
                    let setting = Setting(entry: entry, document: document, lane: lane, version: version)
                    guard document.holds != nil else {
                        found += setting.badNames(isVersioned: rule(of: document) != nil)
                        continue
                    }
                    if let mistake = setting.mistake(rule(of: document)) {
                        found.append(mistake)
                    } else {
                        uses += setting.pointers.map {
                            Use(
                                pointer: $0.pointer,
                                document: document.path,
                                actor: actor.name,
                                version: version,
                                field: $0.field
                            )
                        }
                    }
                }
            }
        }
        return found.isEmpty ? clashes(of: uses) : found
    }

    private func documents(of operation: Operation) -> [ScenarioDocument] {
        if operation.verb == .anything { return scenario.documents }
        return operation.verb.setsField ? scenario.documents.filter { $0.path == operation.document } : []
    }

    private func rule(of document: ScenarioDocument) -> DocumentRule? {
        scenario.profile.flatMap { LabProfile.named($0) }?.rule(for: document.path.description)
    }

    /// A field inside one that another operation sets to a text has no place after that.
    private func clashes(of uses: [Use]) -> [ProfileError] {
        uses.compactMap { inner in
            let outer = uses.first { outer in
                outer.document == inner.document && outer.version == inner.version
                    && outer.pointer.tokens.count < inner.pointer.tokens.count
                    && inner.pointer.tokens.starts(with: outer.pointer.tokens)
            }
            return outer.map { outer in
                let whole = outer.pointer.tokens.isEmpty ? "all of `\(outer.document)`" : "`\(outer.pointer)`"
                return inner.field.fail(
                    "`\(inner.pointer)` is in \(whole), which `\(outer.actor)` sets to a text: "
                        + "set fields of which none is in another"
                )
            }
        }
    }
}

/// What an entry sets in one document.
private struct Setting {
    let entry: ScenarioReader.Entry
    let document: ScenarioDocument
    let lane: Int
    let version: Int?

    /// The fields, each with its place in the file.
    private var fields: [(text: String, field: YAMLField)] {
        let texts = entry.operation.fields(of: document, lane)
        let keys = ["field", "second-field"]
        return zip(texts, keys).map { ($0, entry.field.member($1) ?? entry.field) }
    }

    var pointers: [(pointer: JSONPointer, field: YAMLField)] {
        fields.compactMap { one in JSONPointer(one.text).map { ($0, one.field) } }
    }

    /// In a document of the lab's own format, whose texts have no escapes.
    func badNames(isVersioned: Bool) -> [ProfileError] {
        fields.compactMap { text, field in
            if isVersioned, text == "version" || text == "data" {
                return field.fail("`\(text)` is how the document states its version: name another field")
            }
            let isPlain = text.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "\\" && !$0.isControl }
            if isPlain { return nil }
            return field.fail("a field's name cannot have quotes, backslashes and control characters")
        }
    }

    /// Why one of them cannot be set, as a program of that version reads the document; `nil` if all can, or
    /// the program cannot read it.
    func mistake(_ rule: DocumentRule?) -> ProfileError? {
        let bytes = Array((document.holds ?? "").utf8)
        guard var draft = Draft(bytes, version: version, rule: rule, isText: true) else { return nil }
        for (text, field) in fields where !draft.set(text, to: 0) {
            guard case .text(let json) = draft else { return nil }
            return field.fail(
                "`\(text)`\(isDefault(text) ? ", the field by default," : "") cannot be set: "
                    + "\(reason(text, json)); \(advice(text))"
            )
        }
        return nil
    }

    private func isDefault(_ text: String) -> Bool {
        entry.operation.field == nil && text != entry.operation.secondField
    }

    private func advice(_ text: String) -> String {
        if entry.operation.verb == .anything { return "give it an object in `holds`" }
        return isDefault(text) ? "give a `field` that can be" : "name a field of an object that it has"
    }

    private func reason(_ text: String, _ json: JSON) -> String {
        guard let pointer = JSONPointer(text) else {
            return "with `holds` it must be a JSON Pointer, such as `/\(text.drop { $0 == "/" })`"
        }
        for count in pointer.tokens.indices {
            let place = JSONPointer(tokens: Array(pointer.tokens[..<count]))
            let name = count == 0 ? "`\(document.path)`" : "`\(place)` of `\(document.path)`"
            guard let value = place.bytes(in: json) else { return "`\(document.path)` has no `\(place)`" }
            switch value.first {
            case UInt8(ascii: "{"): continue
            case UInt8(ascii: "["):
                if count + 1 < pointer.tokens.count { continue }
                return "\(name) is a list without that index, whose end is `\(place)/-`"
            default: return "\(name) is neither an object nor a list"
            }
        }
        return "`\(document.path)` has no place for it"
    }
}
