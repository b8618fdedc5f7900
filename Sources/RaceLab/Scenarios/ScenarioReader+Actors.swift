import Documents
import Model

extension ScenarioReader {
    /// - Parameter areDocumentsRead: all names of documents are known.
    mutating func actor(
        _ name: String,
        _ field: YAMLField,
        _ documents: [ScenarioDocument],
        _ areDocumentsRead: Bool
    ) -> ScenarioActor {
        let fields = fields(
            of: field,
            ["kind", "side", "version", "engine", "does"] + (isSaved ? ["code"] : [])
        )
        checkName(name, field)
        let kind: ScenarioActor.Kind?
        if fields["kind"] == nil {
            kind = ScenarioActor.Kind(rawValue: name)
            if kind == nil, field.isMapping {
                let kinds = ScenarioActor.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                refuse(field.fail("`kind` is missing: one of \(kinds)"))
            }
        } else {
            kind = choice(fields["kind"])
        }
        var actor = ScenarioActor(
            name: name,
            kind: kind ?? .app,
            side: choice(fields["side"]),
            version: count(fields["version"]),
            engine: choice(fields["engine"])
        )
        if flag(fields["code"]) == true { actor.code = .missing }
        var read = ReadActor(name: name, field: field)
        for one in fields["does"].flatMap({ list($0) }) ?? [] {
            guard let entry = entry(one, documents.first?.path) else { continue }
            if kind != nil { checkFit(entry, actor) }
            if areDocumentsRead { checkDocument(entry, documents) }
            read.entries.append(entry)
            actor.operations += Array(repeating: entry.operation, count: entry.times)
        }
        add(read)
        return actor
    }

    private mutating func checkDocument(_ entry: Entry, _ documents: [ScenarioDocument]) {
        guard let path = entry.operation.document, !documents.contains(where: { $0.path == path }) else {
            return
        }
        refuse(entry.field.fail("`\(path)` is not one of the scenario's documents"))
    }

    private mutating func checkFit(_ entry: Entry, _ actor: ScenarioActor) {
        let verb = entry.operation.verb
        let isFit = actor.kind != .agent && verb.isOfFate == (actor.kind == .fate)
        if isFit || verb == .wait { return }
        let kind = actor.kind.rawValue
        refuse(entry.field.fail("an actor of kind `\(kind)` cannot do `\(verb.rawValue)`"))
    }

    /// `document` is the default; `nil` if there is a mistake.
    private mutating func entry(_ field: YAMLField, _ document: RelativePath?) -> Entry? {
        guard field.isMapping else {
            guard let verb: Operation.Verb = choice(field) else { return nil }
            if [.wait, .crash, .anything, .putClockBack].contains(verb) {
                refuse(field.fail("`\(verb.rawValue)` needs a value"))
                return nil
            }
            if verb.isCondition { return refuse(condition: verb, field) }
            let operation = Operation(verb, verb.needsDocument ? document : nil)
            return Entry(field: field, operation: operation, times: 1)
        }
        let verbs = Operation.Verb.allCases.map(\.rawValue)
        let before = mistakes.count
        let fields = fields(of: field, verbs + ["field", "second-field", "is", "times", "version"])
        let named = verbs.filter { fields[$0] != nil }
        guard named.count == 1, let verb = Operation.Verb(rawValue: named[0]) else {
            if mistakes.count == before {
                refuse(field.fail("expected one operation, found \(named.count)"))
            }
            return nil
        }
        var operation = Operation(verb)
        operation.field = text(fields["field"])
        operation.secondField = text(fields["second-field"])
        operation.value = value(fields["is"]) { field throws(ProfileError) in try field.jsonText() }
        if verb.isCondition, operation.field == nil { return refuse(condition: verb, field) }
        operation.version = count(fields["version"])
        readValue(fields[named[0]], of: &operation)
        let times = count(fields["times"], upTo: ScenarioLimits.operations, "times") ?? 1
        return mistakes.count == before ? Entry(field: field, operation: operation, times: times) : nil
    }

    private mutating func refuse(condition verb: Operation.Verb, _ field: YAMLField) -> Entry? {
        refuse(field.fail("`\(verb.rawValue)` needs a `field`, and may have a value in `is`"))
        return nil
    }

    private mutating func readValue(_ field: YAMLField?, of operation: inout Operation) {
        switch operation.verb {
        case .wait, .putClockBack: operation.duration = duration(field, upTo: ScenarioLimits.wait)
        case .crash: operation.target = text(field)
        case .tap, .takeTaps, .cutPower: break
        case .anything: operation.count = count(field, upTo: ScenarioLimits.operations, "operations")
        default: operation.document = path(field)
        }
    }
}
