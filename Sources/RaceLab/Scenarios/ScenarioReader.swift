import Documents
import Model
import SyncEngine

/// Reads a scenario from YAML, and collects all mistakes in it.
struct ScenarioReader {
    /// An entry of `does`, which may stand for several equal operations.
    struct Entry {
        var field: YAMLField
        var operation: Operation
        var times: Int
    }

    /// What was read of an actor.
    struct ReadActor {
        var name: String
        var field: YAMLField
        var entries: [Entry] = []
    }

    private(set) var mistakes: [ProfileError] = []
    /// In the order of the scenario's actors.
    private(set) var actors: [ReadActor] = []
    /// The scenario of a saved schedule: it may be shrunk, so only its form is checked; access events are
    /// stated in it, and an actor may have code.
    let isSaved: Bool

    init(isSaved: Bool) { self.isSaved = isSaved }

    /// Complete only if there are no mistakes.
    mutating func scenario(_ root: YAMLField) -> Scenario {
        let fields = fields(
            of: root,
            [
                "name", "about", "engine", "profile", "documents", "widgets", "machine", "settings", "actors",
                "checks", "expect",
            ]
        )
        for name in ["documents", "actors"] where root.isMapping && fields[name] == nil {
            refuse(root.fail("`\(name)` is missing"))
        }
        var scenario = Scenario(
            name: name(fields["name"]) ?? "unnamed",
            about: text(fields["about"]) ?? "",
            engine: choice(fields["engine"]) ?? .widgetbridge,
            profile: profile(fields["profile"]),
            documents: documents(fields["documents"]),
            actors: [],
            machine: machine(fields["machine"])
        )
        scenario.widgets = widgets(fields["widgets"], of: scenario)
        readSettings(fields["settings"], &scenario)
        readChecks(fields, &scenario)
        if let acting = fields["actors"] { scenario.actors = actors(acting, scenario.documents) }
        if mistakes.isEmpty, !isSaved, let listed = fields["documents"], let acting = fields["actors"] {
            let sense = SenseCheck(
                scenario: scenario,
                actors: actors,
                listed: listed,
                acting: acting,
                checks: fields["checks"],
                expect: fields["expect"]
            )
            mistakes = sense.mistakes + FieldCheck(scenario: scenario, actors: actors).mistakes
        }
        mistakes.sort { ($0.line, $0.column) < ($1.line, $1.column) }
        return scenario
    }

    mutating func refuse(_ mistake: ProfileError) { mistakes.append(mistake) }

    // MARK: Parts

    private mutating func profile(_ field: YAMLField?) -> String? {
        guard let field, let name = text(field) else { return nil }
        if Profile.builtIn(name) == nil {
            refuse(field.fail(.unknownWord(name, known: Profile.builtInNames)))
        }
        return name
    }

    private mutating func documents(_ field: YAMLField?) -> [ScenarioDocument] {
        guard let field, let list = list(field) else { return [] }
        var documents: [ScenarioDocument] = []
        for one in list {
            guard let document = document(one) else { continue }
            if let fault = document.fault(beside: documents) { refuse(one.fail(fault)) }
            documents.append(document)
        }
        if list.isEmpty { refuse(field.fail("a scenario needs a document")) }
        let most = ScenarioLimits.documents
        if list.count > most { refuse(field.fail("more than \(most) documents")) }
        return documents
    }

    private mutating func document(_ field: YAMLField) -> ScenarioDocument? {
        guard field.isMapping else { return path(field).map { ScenarioDocument($0) } }
        let count = mistakes.count
        let fields = fields(of: field, ["name", "there", "padding", "holds"])
        if fields["name"] == nil, mistakes.count == count { refuse(field.fail("`name` is missing")) }
        let isThere = flag(fields["there"]) ?? true
        let padding = self.count(fields["padding"], upTo: ScenarioLimits.padding, "bytes of padding") ?? 0
        let holds = value(fields["holds"]) { field throws(ProfileError) in try field.jsonText() }
        if !isSaved, !isThere, holds != nil, let field = fields["holds"] {
            refuse(field.fail("it does not exist at the start: leave out `holds`, or `there: no`"))
        }
        return path(fields["name"]).map {
            ScenarioDocument($0, isThere: isThere, padding: padding, holds: holds)
        }
    }

    private mutating func machine(_ field: YAMLField?) -> Machine {
        guard let field else { return Machine() }
        let fields = fields(of: field, ["grain", "reuses-inodes", "exchange", "faults"])
        let faults = count(fields["faults"], upTo: ScenarioLimits.faults, "file operations") ?? 0
        if !isSaved, faults == 1, let field = fields["faults"] {
            refuse(field.fail("with 1 every file operation of the bridge fails: give 0, or a number from 2"))
        }
        return Machine(
            grain: duration(fields["grain"], upTo: ScenarioLimits.grain) ?? .zero,
            reusesInodes: flag(fields["reuses-inodes"]) ?? true,
            canExchange: flag(fields["exchange"]) ?? true,
            faults: faults
        )
    }

    private mutating func readSettings(_ field: YAMLField?, _ scenario: inout Scenario) {
        let fields = field.map { self.fields(of: $0, ["durability", "commit", "evidence"]) } ?? [:]
        scenario.settings = EngineSettings(
            durability: choice(fields["durability"]) ?? .batch,
            commit: choice(fields["commit"]) ?? .exchange
        )
        // A saved scenario without this setting is older than its default.
        scenario.tracksAccess = flag(fields["evidence"]) ?? !isSaved
    }

    private mutating func readChecks(_ fields: [String: YAMLField], _ scenario: inout Scenario) {
        if let field = fields["checks"], let list = list(field) {
            var kinds: [AnomalyKind] = []
            for one in list {
                guard let kind: AnomalyKind = choice(one) else { continue }
                if kinds.contains(kind) { refuse(one.fail("`\(kind.rawValue)` is named twice")) }
                kinds.append(kind)
            }
            scenario.checks = Set(kinds)
            if list.isEmpty, !isSaved {
                refuse(field.fail("nothing is checked: name a kind, or leave it out"))
            }
        }
        guard let field = fields["expect"], text(field) != "none" else { return }
        scenario.expected = choice(field)
    }

    private mutating func actors(_ field: YAMLField, _ documents: [ScenarioDocument]) -> [ScenarioActor] {
        let members = value(field) { field throws(ProfileError) in try field.members() }
        let areDocumentsRead = mistakes.isEmpty
        let read = (members ?? []).map { actor($0.name, $0.value, documents, areDocumentsRead) }
        if read.count > ScenarioLimits.actors {
            refuse(field.fail("more than \(ScenarioLimits.actors) actors"))
        }
        let hasAgent = read.contains { $0.kind == .agent }
        if members != nil, mistakes.isEmpty, !hasAgent {
            refuse(field.fail("there is no actor of kind `agent`"))
        }
        return read
    }

    mutating func add(_ actor: ReadActor) { actors.append(actor) }
}
