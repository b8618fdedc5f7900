import Documents
import FileSystem
package import Model
package import SyncEngine

/// A small world and the operations of its actors; a schedule gives their order.
///
/// It is a value: parsed from YAML, printed as JSON that can be parsed again, and hashed, so that a schedule
/// can name its scenario. Nothing in it is random: random operations are drawn before the run, and are listed
/// here.
package struct Scenario: Sendable, Hashable {
    /// For people and for `--preset`; not part of the hash.
    package var name: String
    /// What it teaches, in a sentence or two; not part of the hash.
    package var about: String
    /// Widgetbridge's own engine, or a faulty one, for the agents that name none.
    package var engine: EngineKind
    /// A built-in profile; `nil`: documents without versions.
    package var profile: String?
    package var documents: [ScenarioDocument]
    /// Kinds of widgets that are placed, in place of a profile's.
    package var widgets: [ScenarioWidget]
    package var actors: [ScenarioActor]
    package var machine: Machine
    package var settings: EngineSettings
    /// The bridge gets access events: who opens, reads and saves its documents. An agent that watches does.
    package var tracksAccess: Bool
    /// The anomalies to check for.
    package var checks: Set<AnomalyKind>
    /// The anomaly that must be found; `nil`: none may be. Presets and tests are checked for it.
    package var expected: AnomalyKind?

    package init(
        name: String,
        about: String = "",
        engine: EngineKind = .widgetbridge,
        profile: String? = nil,
        documents: [ScenarioDocument],
        widgets: [ScenarioWidget] = [],
        actors: [ScenarioActor],
        machine: Machine = Machine(),
        settings: EngineSettings = EngineSettings(),
        tracksAccess: Bool = true,
        checks: Set<AnomalyKind> = Set(AnomalyKind.allCases),
        expected: AnomalyKind? = nil
    ) {
        self.name = name
        self.about = about
        self.engine = engine
        self.profile = profile
        self.documents = documents
        self.widgets = widgets
        self.actors = actors
        self.machine = machine
        self.settings = settings
        self.tracksAccess = tracksAccess
        self.checks = checks
        self.expected = expected
    }

    /// The same world with widgetbridge's own engine, in which no anomaly may be found. Without access
    /// events, programs must not save from memory either, and one that may be killed must save by rename.
    package var withOwnEngine: Scenario {
        var scenario = self
        scenario.engine = .widgetbridge
        scenario.expected = nil
        for index in scenario.actors.indices {
            scenario.actors[index].engine = nil
            let isKilled = kills(of: actors[index]) > 0
            scenario.actors[index].operations = actors[index].operations.map {
                $0.remedied(isHeard: tracksAccess, isKilled: isKilled)
            }
        }
        return scenario
    }

    package func engine(of agent: ScenarioActor) -> EngineKind { agent.engine ?? engine }

    /// The engines of all agents, each once.
    package var engines: [EngineKind] {
        actors.filter { $0.kind == .agent }.map(engine).reduce(into: []) { engines, engine in
            if !engines.contains(engine) { engines.append(engine) }
        }
    }

    /// `engine copier`, or `engines widgetbridge and copier`.
    package var engineText: String { "engine\(engines.count > 1 ? "s" : "") \(engineNames)" }
    package var engineNames: String { engines.map(\.rawValue).joined(separator: " and ") }

    /// How often fate kills the actor.
    func kills(of actor: ScenarioActor) -> Int {
        actors.reduce(0) { count, other in
            count + other.operations.count { $0.verb == .crash && $0.target == actor.name }
        }
    }

    /// Whether the operation may end an agent's process.
    func strikesAgents(_ operation: Operation) -> Bool {
        operation.verb == .cutPower
            || operation.verb == .crash
                && actors.contains { $0.kind == .agent && $0.name == operation.target }
    }

    func index(of path: RelativePath) -> Int? {
        // Called at every step, so it compares the lengths first.
        let length = path.description.utf8.count
        return documents.firstIndex { $0.path.description.utf8.count == length && $0.path == path }
    }

    func index(of operation: Operation) -> Int { operation.document.flatMap { index(of: $0) } ?? 0 }

    /// The document at a place, if it is one.
    func document(at place: Location) -> (number: Int, side: Side)? {
        guard let side = place.side, let number = index(of: place.path) else { return nil }
        return (number, side)
    }

    /// What the bridges know of the documents.
    var knownProfile: Profile? {
        if let profile { return LabProfile.named(profile) }
        return widgets.isEmpty ? nil : LabProfile.showing(widgets)
    }

    var hasCode: Bool { actors.contains { $0.code != nil } }

    /// The first actor of which only the name is known: the scenario cannot run without its code.
    package var actorWithoutCode: String? { actors.first { $0.code == .missing }?.name }

    /// The number of operations of all actors.
    package var operationCount: Int { actors.reduce(0) { $0 + $1.operations.count } }
}

/// A document that is in sync at the start, or that does not exist yet.
package struct ScenarioDocument: Sendable, Hashable {
    package var path: RelativePath
    package var isThere: Bool
    /// Bytes of padding, which make a torn read more likely.
    package var padding: Int
    /// JSON, in the version of the first program; `nil`: a flat object of the lab.
    package var holds: String?

    package init(_ path: RelativePath, isThere: Bool = true, padding: Int = 0, holds: String? = nil) {
        self.path = path
        self.isThere = isThere
        self.padding = padding
        self.holds = holds
    }
}

/// One lane: a program with operations in order, an agent, or fate.
package struct ScenarioActor: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A program; its container is `app` by default.
        case app
        /// A program; its container is `group` by default.
        case widget
        /// A bridge. It has no operations: its engine acts when it has something to do.
        case agent
        /// Faults: crashes, power cuts, delays.
        case fate
    }

    package var name: String
    package var kind: Kind
    package var side: Side
    /// The version of its documents, if the scenario has a profile.
    package var version: Int?
    /// Of an agent; `nil`: the scenario's.
    package var engine: EngineKind?
    package var operations: [Operation]
    /// Instead of operations, Swift.
    package var code: ActorCode?

    package init(
        name: String,
        kind: Kind,
        side: Side? = nil,
        version: Int? = nil,
        engine: EngineKind? = nil,
        operations: [Operation] = [],
        code: ActorCode? = nil
    ) {
        self.code = code
        self.name = name
        self.kind = kind
        self.side = side ?? (kind == .widget ? .group : .app)
        self.version = version
        self.engine = engine
        self.operations = operations
    }

    package var isProgram: Bool { kind == .app || kind == .widget }
}

/// The disk and its file system.
package struct Machine: Sendable, Hashable {
    /// Timestamps are multiples of it; zero: each change has a distinct time.
    package var grain: Duration
    /// The inode number of a deleted file is reused next, as on ext4.
    package var reusesInodes: Bool
    package var canExchange: Bool
    /// One in this many file operations of the bridge fails, at random; 0: none.
    package var faults: Int

    package init(
        grain: Duration = .zero,
        reusesInodes: Bool = true,
        canExchange: Bool = true,
        faults: Int = 0
    ) {
        self.grain = grain
        self.reusesInodes = reusesInodes
        self.canExchange = canExchange
        self.faults = faults
    }
}
