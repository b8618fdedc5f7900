import FileSystem
package import Model

/// What one run was: every step of every actor, in order, with what it read or left behind.
///
/// All that the checkers judge by and the reports draw is here, whichever layer it comes from: a layer that
/// cannot see something leaves it out.
package struct History: Sendable {
    package struct Lane: Sendable, Hashable {
        package var name: String
        package var kind: ScenarioActor.Kind
        package var side: Side
        /// The version of documents it speaks, where there are several.
        package var version: Int?

        package init(name: String, kind: ScenarioActor.Kind, side: Side, version: Int? = nil) {
            self.name = name
            self.kind = kind
            self.side = side
            self.version = version
        }
    }

    /// One per actor, in the scenario's order.
    package var lanes: [Lane] = []
    package var documents: [RelativePath] = []
    /// Every content that a document had or was to have. The first is no content: the document is not there.
    package var versions: [Version] = []
    /// What each side held before the first step, by document.
    package var start: [BothSides<Int>] = []
    package var calls: [Call] = []
    package var steps: [Step] = []
    /// A subscriber may have asked for some kinds of widgets only, and nobody knows for which.
    package var hasWidgetKinds = false
    package var kinds: [String] = []
    /// What was acknowledged must survive a power cut.
    package var isDurable = true
    /// `nil` where the run did not come that far.
    package var rest: Rest?

    package init() {}

    /// The number of the version that says "there is nothing".
    package static let absent = 0

    package func isAgent(_ lane: Int) -> Bool { lanes[lane].kind == .agent }
}

/// One content. Its number is its place in `History.versions`.
package struct Version: Sendable, Hashable {
    package var bytes: [UInt8]
    package var digest: Digest
    /// The edits that are in it, rising.
    package var edits: [Int]
    /// A program can make sense of it.
    package var isReadable: Bool

    package init(bytes: [UInt8], digest: Digest, edits: [Int], isReadable: Bool) {
        self.bytes = bytes
        self.digest = digest
        self.edits = edits
        self.isReadable = isReadable
    }
}

/// What an actor was about, from its beginning to its end: a bar in a lane.
package struct Call: Sendable, Hashable {
    package enum Name: Sendable, Hashable {
        case operation(Operation.Verb)
        /// An engine starts; has a turn.
        case start, turn
        /// An engine tells subscribers.
        case tell
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
        /// Not done, and whoever asked was told so: a put whose hash was not the right one, a read of
        /// nothing.
        case refused
        /// Whoever did it was killed.
        case died
        /// Still going on, or still waiting, at the end.
        case unfinished
    }

    package var lane: Int
    package var name: Name
    /// The place in `History.documents`; `nil` for none, or several.
    package var document: Int?
    package var side: Side?
    /// The step it began before, and the one it ended after.
    package var first: Int
    package var last: Int?
    package var began: Duration
    package var ended: Duration?
    package var result = Result.unfinished
    /// The edit it makes.
    package var edit: Int?
    /// What that sets, where it is known.
    package var fields: Set<String> = []
    /// The version the program had in its memory: what it knew of.
    package var basis: Int?
    /// The version it means to leave.
    package var intends: Int?
    /// The same, of tries before that: whoever got no answer does not know whether it was done.
    package var tries: [Try] = []
    /// What it sets only the newest version can say: others need not see it.
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

/// One step: a system call, or something that is as indivisible.
package struct Step: Sendable, Hashable {
    package enum What: UInt8, Sendable, Hashable {
        /// A system call that changed no document and read none.
        case called
        /// A document's content, or whether there is one, is another from now on.
        case changed
        /// A document was read: `version` is what was got.
        case read
        /// An engine heard that something may have changed.
        case hinted
        /// An engine told subscribers to reload: `version`, `generation`.
        case told
        /// A subscriber began to listen, and was told the current state: `version`.
        case subscribed
        /// An engine recorded that both sides agree, this one on `version`.
        case agreed
        /// An engine has nothing to do until something happens; `version`: the documents that it holds, as
        /// bits.
        case idle
        /// A program waits, or waited.
        case waited
        case failed
        case died
        case started
        case lostPower
    }

    package var time: Duration
    package var lane: Int
    /// The place in `History.calls`.
    package var call: Int?
    package var what: What
    package var systemCall: SystemCall?
    package var document: Int?
    package var side: Side?
    /// What was read, told, agreed on; or is there from now on.
    package var version: Int?
    /// What was there before it was changed.
    package var before: Int?
    /// Of a notice.
    package var generation: Int64 = 0
    /// Of a notice: the widget kind, as its place in `History.kinds`.
    package var kind = 0

    package init(_ what: What, _ lane: Int, _ time: Duration) {
        self.what = what
        self.lane = lane
        self.time = time
    }
}

/// What is there once nobody does anything any more.
package struct Rest: Sendable, Hashable {
    package struct Difference: Sendable, Hashable {
        package var document: Int
        package var reason: Inequality

        package init(document: Int, reason: Inequality) {
            self.document = document
            self.reason = reason
        }
    }

    /// Why a run never came to rest.
    package enum Unrest: Sendable, Hashable {
        case steps(Int)
        case disk(DiskTrouble)
        /// There are no directories to run it in.
        case directories(FileError)
    }

    /// What a real disk would not do.
    package struct DiskTrouble: Sendable, Hashable {
        var call: String
        var file: Location
        var errno: Int32
    }

    /// The version each side holds, by document.
    package var versions: [BothSides<Int>] = []
    /// Edits that are in a conflict copy, and those that are in the trash.
    package var kept: Set<Int> = []
    package var trashed: Set<Int> = []
    /// Where the sides are not the same by value.
    package var differences: [Difference] = []
    /// Documents that the engine holds, and says so.
    package var held: Set<Int> = []
    /// `nil`: it came to rest.
    package var unrest: Unrest?

    package init() {}
}
