package import Model

/// What is known of the programs beside what the containers held.
package struct Evidence: Sendable, Hashable {
    /// Of the program of one side.
    package struct Program: Sendable, Hashable {
        /// Whether the side has a program; `nil`: unknown, since the lab did not start it.
        package var isThere: Bool?
        /// Since then it changes nothing.
        package var over: Duration?
        /// It reports what it saves, and what it reads. Then it reports all of it.
        package var reportsSaves = false
        package var reportsReads = false
        /// It reported `done`.
        package var isDone = false
        /// Since then none of its processes is left.
        package var gone: Duration?
        /// It did not end as it should, so what it wrote last may be unfinished.
        package var hasFailed = false
        /// What it had of the time.
        package var time = OwnTime()

        package init(isThere: Bool? = nil) { self.isThere = isThere }

        func isOver(at time: Duration) -> Bool { isThere == false || over.map { $0 < time } ?? false }
    }

    package struct ReadReport: Sendable, Hashable {
        package var document: Int
        package var version: Int
        /// Whether it can be so. If not, it proves nothing of what the program knew.
        package var isSure = true
    }

    /// A system call, and how many steps the history had before it.
    package struct Call: Sendable, Hashable {
        package var step: GatedStep
        package var number: Int
        package var time = Duration.zero

        var player: RacePlayer { step.lane.player }
        var process: RacedProcess { step.process }
        var thread: Int32 { step.thread }
    }

    /// A call that may have saved a document again as it was.
    package struct Repeat: Sendable, Hashable {
        package var call: Int
        package var document: Int
        package var side: Side
    }

    /// A content that came and went before it could be read; then a bridge may have brought it.
    package struct Missed: Sendable, Hashable {
        package var document: Int
        package var side: Side
        /// When the file was read before it came and after it had gone.
        package var after: Duration
        package var before: Duration
        /// The side's program waited at a gate, or was over.
        package var isOfBridge: Bool

        init(_ document: Int, _ side: Side, after: Duration, before: Duration, isOfBridge: Bool) {
            (self.document, self.side) = (document, side)
            (self.after, self.before, self.isOfBridge) = (after, before, isOfBridge)
        }
    }

    /// A write into a file that has lost its name, and how many steps the history had before it.
    package struct ReplacedWrite: Sendable, Hashable {
        package var document: Int
        package var side: Side
        package var number: Int
    }

    package var programs = BothSides(app: Program(), group: Program())
    /// The contents that the program of a side reported to have read or saved, in its order.
    package var readReports = BothSides<[ReadReport]>(app: [], group: [])
    /// The steps of reads that were reported and cannot be so, or may not.
    package var unsureReads: Set<Int> = []
    /// The steps of changes that the program of their side reported, with the number of reports before each.
    package var saves: [Int: Int] = [:]
    /// The steps after which a program still had the file open for writing.
    package var unfinished: Set<Int> = []
    /// The steps after which it was unknown whether a program had the document open.
    package var maybeUnfinished: Set<Int> = []
    /// The steps of changes by which a file took the document's name, and was not written to since.
    package var renamed: Set<Int> = []
    /// The steps by which a file was deleted, not given another name.
    package var deleted: Set<Int> = []
    /// The steps by which a file was given another name, and no file came in its place.
    package var moved: Set<Int> = []
    /// The calls, by their places in `calls`, that saved a document as it was, by the step that shows it.
    package var rewriters: [Int: Int] = [:]
    /// The steps of changes while the program of their side waited at a gate of its own, or was over.
    package var waiting: Set<Int> = []
    package var missed: [Missed] = []
    /// When the notices of these steps may have been sent: by the time in them, since some time; or since the
    /// lab last looked for one.
    package var sent: [Int: ClosedRange<Duration>] = [:]
    /// The notices that do not show of which content they are, and when the lab last looked for one before,
    /// and found it.
    package var guessed: [Int: ClosedRange<Duration>] = [:]
    /// As the kernel reports them, without saying whose they are.
    package var replacedWrites: [ReplacedWrite] = []
    /// The documents that could not be read.
    package var unread: Set<Int> = []
    /// The steps after which a lock was held that may guard the document.
    package var locked: Set<Int> = []
    /// The lab sees the system calls of the programs.
    package var seesCalls = false
    /// Some calls pass no gate, or not in order.
    package var hasEscapes = false
    package var calls: [Call] = []
    /// The calls, by their places in `calls`, that made a change or a fetch, by its step.
    package var writers: [Int: Int] = [:]
    package var fetches: [Int: Int] = [:]
    /// The calls after which a process had read a part only of what was there, and the fetches that never
    /// became more.
    package var partialReads: Set<Int> = []
    package var partialFetches: Set<Int> = []
    package var repeats: [Repeat] = []
    /// The steps of changes that no call made, though the lab sees the calls.
    package var ungated: [Int] = []
    /// The contents of conflict copies.
    package var copies: [[UInt8]] = []
    package var bridgeTime = OwnTime()
    /// Saves that were reported and overwritten before they could be read.
    package var unseenSaves = 0

    package init() {}

    /// What the calls do not show did not happen.
    var seesAllCalls: Bool { seesCalls && !hasEscapes }

    /// Whether the program of its side reported the change at that step.
    func isReported(_ step: Int) -> Bool { saves[step] != nil }

    /// What the program reported before that change to have read or saved, in its order.
    func reports(before change: DocumentChanges.Change, _ document: Int, _ history: History) -> [ReadReport] {
        if let index = saves[change.step] {
            return readReports[change.side].prefix(index).filter { $0.document == document }
        }
        let lane = ObservedHistory.Lane(change.side).rawValue
        return history.steps[..<change.step].indices.compactMap { number in
            let step = history.steps[number]
            guard step.what == .read, step.document == document, step.side == change.side, step.lane == lane,
                let version = step.version
            else { return nil }
            return ReadReport(
                document: document,
                version: version,
                isSure: !unsureReads.contains(number)
            )
        }
    }
}
