package import Documents
import Model
import SyncEngine

extension Scenario {
    /// Parses YAML, or JSON, which is YAML too. Errors name `file`.
    package init(yaml: String, file: String) throws(ProfileError) {
        try self.init(try YAMLField.root(of: yaml, file: file))
    }

    /// `isSaved`: a shrunk scenario, which is not validated.
    init(_ field: YAMLField, isSaved: Bool = false) throws(ProfileError) {
        let fields = try field.fields([
            "name", "about", "engine", "profile", "documents", "machine", "settings", "actors", "checks",
            "expect",
        ])
        guard let listed = fields["documents"] else { throw field.fail("`documents` is missing") }
        guard let acting = fields["actors"] else { throw field.fail("`actors` is missing") }
        let documents = try Self.documents(listed)
        self.init(
            name: try fields["name"]?.text() ?? "unnamed",
            about: try fields["about"]?.text() ?? "",
            engine: try fields["engine"]?.choice() ?? .widgetbridge,
            profile: try Self.profile(fields["profile"]),
            documents: documents,
            actors: try Self.actors(acting, documents),
            machine: try fields["machine"].map { field throws(ProfileError) in try Machine(field) }
                ?? Machine(),
            settings: try fields["settings"].map { field throws(ProfileError) in
                try EngineSettings(field)
            } ?? EngineSettings(),
            // Saved scenarios state it only if it is so.
            tracksAccess: try fields["settings"].flatMap { field throws(ProfileError) in
                try EngineSettings.tracksAccess(field)
            } ?? !isSaved
        )
        if let field = fields["checks"] {
            checks = []
            for check in try field.list() { checks.insert(try check.choice()) }
        }
        if let field = fields["expect"], try field.text() != "none" { expected = try field.choice() }
        try checkActors(acting)
        if !isSaved { try checkSense(documents: listed, actors: acting) }
    }

    private static func profile(_ field: YAMLField?) throws(ProfileError) -> String? {
        guard let field else { return nil }
        let name = try field.text()
        if Profile.builtIn(name) == nil { throw field.fail("no built-in profile `\(name)`") }
        return name
    }

    private static func documents(_ field: YAMLField) throws(ProfileError) -> [ScenarioDocument] {
        var documents: [ScenarioDocument] = []
        for one in try field.list() {
            guard one.isMapping else {
                documents.append(ScenarioDocument(try one.path()))
                continue
            }
            let fields = try one.fields(["name", "there", "padding", "holds"])
            guard let name = fields["name"] else { throw one.fail("`name` is missing") }
            documents.append(
                ScenarioDocument(
                    try name.path(),
                    isThere: try fields["there"]?.flag() ?? true,
                    padding: try fields["padding"]?.count(upTo: mostPadding, "bytes of padding") ?? 0,
                    holds: try fields["holds"]?.jsonText()
                )
            )
        }
        for (number, document) in documents.enumerated()
        where documents[..<number].contains(where: { $0.path == document.path }) {
            throw try field.list()[number].fail("`\(document.path)` is named twice")
        }
        if documents.isEmpty { throw field.fail("a scenario needs a document") }
        if documents.count > mostDocuments { throw field.fail("more than \(mostDocuments) documents") }
        return documents
    }

    private static func actors(
        _ field: YAMLField,
        _ documents: [ScenarioDocument]
    ) throws(ProfileError) -> [ScenarioActor] {
        var actors: [ScenarioActor] = []
        for (name, value) in try field.members() {
            let fields = try value.fields(["kind", "side", "version", "engine", "does"])
            guard let kind = try fields["kind"]?.choice() ?? ScenarioActor.Kind(rawValue: name) else {
                throw value.fail("`kind` is missing: app, widget, agent or fate")
            }
            var actor = ScenarioActor(
                name: name,
                kind: kind,
                side: try fields["side"]?.choice(),
                version: try fields["version"]?.count(),
                engine: try fields["engine"]?.choice()
            )
            for one in try fields["does"]?.list() ?? [] {
                actor.operations += try operations(one, of: actor, documents)
            }
            actors.append(actor)
        }
        return actors
    }

    private static func operations(
        _ field: YAMLField,
        of actor: ScenarioActor,
        _ documents: [ScenarioDocument]
    ) throws(ProfileError) -> [Operation] {
        let (operation, times) = try Operation.read(field, documents[0].path)
        if let path = operation.document, !documents.contains(where: { $0.path == path }) {
            throw field.fail("`\(path)` is not one of the scenario's documents")
        }
        let isFit = actor.kind != .agent && operation.verb.isOfFate == (actor.kind == .fate)
        if !isFit, operation.verb != .wait {
            throw field.fail(
                "an actor of kind `\(actor.kind.rawValue)` cannot do `\(operation.verb.rawValue)`"
            )
        }
        return Array(repeating: operation, count: times)
    }

    /// The choices of a step are bits of one word.
    static var mostActors: Int { 16 }
    static var mostDocuments: Int { 16 }
    private static var mostPadding: Int { 1 << 20 }

    private func checkActors(_ acting: YAMLField) throws(ProfileError) {
        if actors.count > Self.mostActors { throw acting.fail("more than \(Self.mostActors) actors") }
        if !actors.contains(where: { $0.kind == .agent }) {
            throw acting.fail("there is no actor of kind `agent`")
        }
    }
}

extension Operation {
    /// `document` is the default.
    static func read(
        _ field: YAMLField,
        _ document: RelativePath
    ) throws(ProfileError) -> (Operation, times: Int) {
        guard field.isMapping else {
            let verb: Verb = try field.choice()
            if verb == .wait || verb == .crash || verb == .anything {
                throw field.fail("`\(verb.rawValue)` needs a value")
            }
            return (Operation(verb, verb.needsDocument ? document : nil), 1)
        }
        let verbs = Verb.allCases.map(\.rawValue)
        let fields = try field.fields(verbs + ["field", "second-field", "times", "version"])
        let named = verbs.filter { fields[$0] != nil }
        guard named.count == 1, let verb = Verb(rawValue: named[0]), let value = fields[named[0]] else {
            throw field.fail("expected one operation, found \(named.count)")
        }
        var operation = Operation(verb)
        operation.field = try fields["field"]?.text()
        operation.secondField = try fields["second-field"]?.text()
        operation.version = try fields["version"]?.count()
        switch verb {
        case .wait: operation.duration = try value.duration(upTo: longestWait)
        case .crash: operation.target = try value.text()
        case .cutPower: break
        case .anything: operation.count = try value.count(upTo: mostTimes, "operations")
        default: operation.document = try value.path()
        }
        let times = try fields["times"]?.count(upTo: mostTimes, "times") ?? 1
        return (operation, times)
    }

    /// Also for all operations of a scenario together.
    static var mostTimes: Int { 10_000 }
    /// All waits of a scenario together are a time that the clock can tell.
    private static var longestWait: Duration { .seconds(24 * 60 * 60) }
}

extension Machine {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["grain", "reuses-inodes", "exchange", "faults"])
        self.init(
            grain: try fields["grain"]?.duration(upTo: Self.coarsestGrain) ?? .zero,
            reusesInodes: try fields["reuses-inodes"]?.flag() ?? true,
            canExchange: try fields["exchange"]?.flag() ?? true,
            faults: try fields["faults"]?.count(upTo: Self.mostFaults, "file operations") ?? 0
        )
    }

    private static var coarsestGrain: Duration { .seconds(60 * 60) }
    private static var mostFaults: Int { 1_000_000 }
}

extension EngineSettings {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(Self.names)
        self.init(
            durability: try fields["durability"]?.choice() ?? .batch,
            commit: try fields["commit"]?.choice() ?? .exchange
        )
    }

    private static var names: [String] { ["durability", "commit", "evidence"] }

    fileprivate static func tracksAccess(_ field: YAMLField) throws(ProfileError) -> Bool? {
        try field.fields(names)["evidence"]?.flag()
    }
}

// MARK: - Scalars

extension YAMLField {
    func choice<Value: RawRepresentable & CaseIterable>() throws(ProfileError) -> Value
    where Value.RawValue == String {
        let text = try text()
        guard let value = Value(rawValue: text) else {
            throw fail(.unknownWord(text, known: Value.allCases.map(\.rawValue)))
        }
        return value
    }

    func path() throws(ProfileError) -> RelativePath {
        let text = try text()
        guard let path = RelativePath(text), isDocument(path) else {
            throw fail("expected a document such as `budget.json`, found `\(text)`")
        }
        return path
    }

    func flag() throws(ProfileError) -> Bool {
        switch try text() {
        case "yes", "true": return true
        case "no", "false": return false
        case let other: throw fail("expected `yes` or `no`, found `\(other)`")
        }
    }

    /// `what`: what is counted.
    func count(upTo most: Int, _ what: String) throws(ProfileError) -> Int {
        let number = try count()
        if number > most { throw fail("more than \(most) \(what)") }
        return number
    }

    /// The text of a JSON document.
    fileprivate func jsonText() throws(ProfileError) -> String {
        let text = try text()
        do throws(JSONError) { _ = try JSON(parsing: Array(text.utf8)) } catch {
            throw fail("expected a JSON document, which this is not")
        }
        return text
    }

    /// `5us`, `100ms`, `2s`.
    func duration(upTo longest: Duration) throws(ProfileError) -> Duration {
        let text = try text()
        let units: [(String, (Int) -> Duration)] = [
            ("us", { .microseconds($0) }), ("ms", { .milliseconds($0) }), ("s", { .seconds($0) }),
        ]
        for (unit, make) in units where text.hasSuffix(unit) {
            guard let number = Int(text.dropLast(unit.count)), number >= 0 else { continue }
            let time = number > 1_000_000_000_000 ? nil : make(number)
            guard let time, time <= longest else {
                throw fail("`\(text)` is longer than \(longest.components.seconds)s")
            }
            return time
        }
        throw fail("expected a time such as `100ms`, found `\(text)`")
    }
}
