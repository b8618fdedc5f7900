import FileSystem
package import Model

/// The record of one run: every step of every actor, in order, with what it read or wrote.
///
/// The checkers and reports use nothing else, for every layer; a layer leaves out what it cannot observe.
package struct History: Sendable {
    package struct Lane: Sendable, Hashable {
        package var name: String
        package var kind: ScenarioActor.Kind
        package var side: Side
        /// The version of its documents, if there are several.
        package var version: Int?
        /// Of an agent, where agents may have different ones.
        package var engine: EngineKind?
        /// Whose steps it has, if its name and kind do not show it.
        package var about: String?

        package init(
            name: String,
            kind: ScenarioActor.Kind,
            side: Side,
            version: Int? = nil,
            engine: EngineKind? = nil,
            about: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.side = side
            self.version = version
            self.engine = engine
            self.about = about
        }

        /// The name, with the engine: `second (copier)`.
        package var label: String { engine.map { "\(name) (\($0.rawValue))" } ?? name }
    }

    /// One per actor, in the scenario's order.
    package var lanes: [Lane] = []
    package var documents: [RelativePath] = []
    /// Every content that a document had or was meant to have. The first one means that the document is
    /// absent.
    package var versions: [Version] = []
    /// The initial content of each side, by document.
    package var start: [BothSides<Int>] = []
    package var calls: [Call] = []
    package var steps: [Step] = []
    /// A subscriber may have asked for certain widget kinds, and these are unknown.
    package var hasWidgetKinds = false
    package var kinds: [String] = []
    /// The widgets that are placed, whose reloads have a budget.
    package var widgets: [ScenarioWidget] = []
    /// What programs reported to have shown.
    package var texts: [String] = []
    /// Acknowledged saves must survive a power cut.
    package var isDurable = true
    /// The bridge can exchange two files.
    package var canExchange = true
    /// A bridge of the user's ended by itself before the programs did.
    package var bridgeHasEnded = false
    /// `nil` if the run did not end.
    package var rest: Rest?
    /// The contents of the bridge's conflict copies at the end, and of its trash, by version number; `nil` if
    /// nobody looked.
    package var copies: [Int]?
    package var trash: [Int]?

    package init() {}

    /// The version number for an absent document.
    package static let absent = 0

    package func isAgent(_ lane: Int) -> Bool { lanes[lane].kind == .agent }
}

/// One content. Its number is its index in `History.versions`.
package struct Version: Sendable, Hashable {
    package var bytes: [UInt8]
    package var digest: Digest
    /// The edits in it, in ascending order.
    package var edits: [Int]
    /// A program can parse it.
    package var isReadable: Bool

    package init(bytes: [UInt8], digest: Digest, edits: [Int], isReadable: Bool) {
        self.bytes = bytes
        self.digest = digest
        self.edits = edits
        self.isReadable = isReadable
    }
}

/// An operation of an actor from start to end: a bar in a lane.
package struct Call: Sendable, Hashable {
    package enum Name: Sendable, Hashable {
        case operation(Operation.Verb)
        /// An engine starts, or has a turn.
        case start, turn
        /// An engine notifies subscribers.
        case notify
    }

    package struct Try: Sendable, Hashable {
        package var basis: Int
        package var intends: Int

        package init(basis: Int, intends: Int) {
            self.basis = basis
            self.intends = intends
        }
    }

    package enum Result: Sendable, Hashable {
        case done
        /// Rejected with an answer: a put with a wrong hash, or a read of an absent document.
        case refused
        /// Its process was killed.
        case died
        /// Still running or waiting at the end.
        case unfinished
    }

    package var lane: Int
    package var name: Name
    /// The index in `History.documents`; `nil` for none, or several.
    package var document: Int?
    package var side: Side?
    /// The first and the last of its steps.
    package var first: Int
    package var last: Int?
    package var began: Duration
    package var ended: Duration?
    package var result = Result.unfinished
    /// The edit that it makes.
    package var edit: Int?
    /// The program's own earlier edits whose fields this one sets, if known.
    package var replaces: Set<Int> = []
    /// The version that the program had in memory.
    package var basis: Int?
    /// The version that it intends to write.
    package var intends: Int?
    /// The versions of earlier tries: without an answer, the program does not know whether they succeeded.
    package var tries: [Try] = []
    /// Only the newest version has the field that it sets, so other versions need not show it.
    package var isNewestOnly = false

    package init(
        lane: Int,
        name: Name,
        document: Int? = nil,
        side: Side? = nil,
        first: Int,
        began: Duration
    ) {
        self.lane = lane
        self.name = name
        self.document = document
        self.side = side
        self.first = first
        self.began = began
    }

    package var isAcknowledged: Bool { result == .done && edit != nil }
}

/// One step: a system call, or another atomic action.
package struct Step: Sendable, Hashable {
    package enum What: UInt8, Sendable, Hashable {
        /// A system call that neither changed nor read a document.
        case called
        /// A document was changed, created or deleted.
        case changed
        /// A document was read, with this `version`.
        case read
        /// An engine got a hint of a change.
        case hinted
        /// An engine notified subscribers of `version` and `generation`.
        case notified
        /// A subscriber connected, and got the current `version`.
        case subscribed
        /// An engine recorded `version` as the base.
        case agreed
        /// An engine has nothing to do until an event.
        case idle
        /// A program waits, or waited.
        case waited
        case failed
        case died
        case started
        case lostPower
        /// A program reported what it showed.
        case shown
        /// The lab stopped a program, and let it go on.
        case stopped, continued
        /// A program made a system call that reads a document, which then had this `version`.
        case fetched
        /// An engine notified subscribers that what a kind shows has become stale.
        case aged
        case clockPutBack
        /// A user tapped; the app handled a tap.
        case tapped, handled
        /// A document was saved with the content that it had.
        case rewritten
    }

    package var time: Duration
    package var lane: Int
    /// The index in `History.calls`.
    package var call: Int?
    package var what: What
    package var systemCall: SystemCall?
    package var document: Int?
    package var side: Side?
    /// The version that was read, notified or recorded, or that was written.
    package var version: Int?
    /// The version before a change.
    package var before: Int?
    /// The generation of a notice.
    package var generation: Int64 = 0
    /// The widget kind of a notice, as its index in `History.kinds`.
    package var kind = 0
    /// What was shown, as its index in `History.texts`.
    package var text: Int?
    /// Of an idle engine: the documents that it holds, as bits.
    package var held: Int?
    /// Of an idle engine: when it will act by itself; `nil`: never.
    package var wake: Duration?
    /// The number of a tap.
    package var tap: Int?

    package init(_ what: What, _ lane: Int, _ time: Duration) {
        self.what = what
        self.lane = lane
        self.time = time
    }
}

/// The state once all actors are idle.
package struct Rest: Sendable, Hashable {
    package struct Difference: Sendable, Hashable {
        package var document: Int
        package var reason: Inequality

        package init(document: Int, reason: Inequality) {
            self.document = document
            self.reason = reason
        }
    }

    /// What a program waits for at the end: its current operation never comes to its next step.
    package struct Wait: Sendable, Hashable {
        package var lane: Int
        /// Its index among the operations of its actor.
        package var operation: Int
        package var verb: Operation.Verb
        package var document: Int

        init(lane: Int, operation: Int, verb: Operation.Verb, document: Int) {
            (self.lane, self.operation, self.verb, self.document) = (lane, operation, verb, document)
        }

        /// `nil` if the actor has no operation left.
        init?(_ lane: Int, operation: Int, of scenario: Scenario) {
            let operations = scenario.actors[lane].operations
            guard operation < operations.count else { return nil }
            self.lane = lane
            self.operation = operation
            verb = operations[operation].verb
            document = scenario.index(of: operations[operation])
        }
    }

    /// Why a run did not end.
    package enum Unrest: Sendable, Hashable {
        case steps(Int)
        /// Only the bridge's own timers were left, for this long.
        case timers(Duration)
        case disk(DiskTrouble)
        /// The run's directories could not be made.
        case directories(FileError)
        /// The search was over before it.
        case stopped
    }

    /// An unexpected error of a real disk.
    package struct DiskTrouble: Sendable, Hashable {
        var call: String
        var file: Location
        var errno: Int32
    }

    /// The version on each side, by document.
    package var versions: [BothSides<Int>] = []
    /// The edits in conflict copies, and those in the trash.
    package var kept: Set<Int> = []
    package var trashed: Set<Int> = []
    /// The documents whose sides differ by value.
    package var differences: [Difference] = []
    /// The documents that the engine reports as held.
    package var held: Set<Int> = []
    package var waits: [Wait] = []
    /// The taps that still wait for the app.
    package var taps: Set<Int> = []
    /// `nil`: the run ended.
    package var unrest: Unrest?

    package init() {}
}
