import FileSystem
package import Model
package import SyncEngine

/// A small world and what everybody does in it; in what order, a schedule says.
///
/// It is data: read from YAML, printed as JSON that is read back, and hashed, so that a schedule can say what
/// it is a schedule of. Nothing in it is drawn: a workload that is drawn is drawn before the run and stands
/// here as operations.
package struct Scenario: Sendable, Hashable {
    /// For people and for `--preset`; no part of the hash.
    package var name: String
    /// What it teaches, in a sentence or two; no part of the hash.
    package var about: String
    /// Whether the project's own engine carries, or one that is known to be bad.
    package var engine: EngineKind
    /// A profile that is built in; `nil`: documents without versions.
    package var profile: String?
    package var documents: [ScenarioDocument]
    package var actors: [ScenarioActor]
    package var machine: Machine
    package var settings: EngineSettings
    /// The bridge hears who opens, reads and saves its documents, as the kernel tells a watcher.
    package var tracksAccess: Bool
    /// What is looked for.
    package var checks: Set<AnomalyKind>
    /// What must be found, at least; `nil`: nothing may be. Presets and tests are held to it.
    package var expected: AnomalyKind?

    package init(
        name: String,
        about: String = "",
        engine: EngineKind = .widgetbridge,
        profile: String? = nil,
        documents: [ScenarioDocument],
        actors: [ScenarioActor],
        machine: Machine = Machine(),
        settings: EngineSettings = EngineSettings(),
        tracksAccess: Bool = false,
        checks: Set<AnomalyKind> = Set(AnomalyKind.allCases),
        expected: AnomalyKind? = nil
    ) {
        self.name = name
        self.about = about
        self.engine = engine
        self.profile = profile
        self.documents = documents
        self.actors = actors
        self.machine = machine
        self.settings = settings
        self.tracksAccess = tracksAccess
        self.checks = checks
        self.expected = expected
    }

    /// The same world with the project's own engine, in which nothing may be found. Where that does not hear
    /// who has read what, programs must not save from memory either.
    package var withOwnEngine: Scenario {
        var scenario = self
        scenario.engine = .widgetbridge
        scenario.expected = nil
        if tracksAccess { return scenario }
        for place in scenario.actors.indices {
            scenario.actors[place].operations = scenario.actors[place].operations.map(\.remedied)
        }
        return scenario
    }

    /// How many operations all actors have together.
    package var operationCount: Int { actors.reduce(0) { $0 + $1.operations.count } }
}

/// A document that is there, and in sync, before anybody acts; or one that is yet to come.
package struct ScenarioDocument: Sendable, Hashable {
    package var path: RelativePath
    package var isThere: Bool
    /// So many bytes of padding in it: what a torn read is more likely of.
    package var padding: Int
    /// JSON, in the version of the first program; `nil`: a flat object of the lab's own.
    package var holds: String?

    package init(_ path: RelativePath, isThere: Bool = true, padding: Int = 0, holds: String? = nil) {
        self.path = path
        self.isThere = isThere
        self.padding = padding
        self.holds = holds
    }
}

/// One lane: a program that does one thing after the other, an agent, or the trouble that befalls them.
package struct ScenarioActor: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A program, whose container is `app` unless it says otherwise.
        case app
        /// A program, whose container is `group` unless it says otherwise.
        case widget
        /// A bridge. It has no operations: it does what its engine does, whenever there is reason to.
        case agent
        /// What befalls the others: crashes, power cuts, time.
        case fate
    }

    package var name: String
    package var kind: Kind
    package var side: Side
    /// The version of the documents that it speaks, where the scenario has a profile.
    package var version: Int?
    package var operations: [Operation]

    package init(
        name: String,
        kind: Kind,
        side: Side? = nil,
        version: Int? = nil,
        operations: [Operation] = []
    ) {
        self.name = name
        self.kind = kind
        self.side = side ?? (kind == .widget ? .group : .app)
        self.version = version
        self.operations = operations
    }

    package var isProgram: Bool { kind == .app || kind == .widget }
}

/// The disk and its file system.
package struct Machine: Sendable, Hashable {
    /// Times of files are multiples of it; zero: each change has a time of its own.
    package var grain: Duration
    /// The number of a deleted file is the next one's, as on ext4.
    package var reusesInodes: Bool
    package var canExchange: Bool
    /// One file operation of the bridge's in so many fails, as the stream of faults draws it; 0: none.
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
