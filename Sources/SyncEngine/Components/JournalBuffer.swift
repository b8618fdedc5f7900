package import Model
package import StateStore

/// The journal, and what is true but could not be written to it yet.
///
/// What was achieved stays true while the journal cannot be written. The engine judges by it: else it would
/// take what it has published itself for an edit of that side. It is written in one transaction once the
/// journal can be, and subscribers are told of it after that.
package struct JournalBuffer {
    private let log: any Journal
    /// The newest entry of each document.
    private var documents: [RelativePath: JournalEntry] = [:]
    private var others: [JournalEntry] = []
    /// How often each document was agreed on.
    private var events: [RelativePath: Int] = [:]
    /// Written, and to be told of by the next turn.
    private var told: [Notice] = []
    private var size = 0
    /// The sequence of the newest notice, written or not.
    private var newest: Int64
    /// Why it could not be written when it was last tried.
    package private(set) var failure: JournalError?
    private var failedSince = Duration.zero
    private var attempts = 0
    private var nextTry = Duration.zero

    init(_ log: any Journal) throws(JournalError) {
        self.log = log
        newest = try log.lastNotice()
    }

    package var instance: String { log.instance }
    var isEmpty: Bool { documents.isEmpty && others.isEmpty }
    /// When it is tried again.
    var deadline: Duration? { isEmpty ? nil : nextTry }
    /// More than this would be too much to keep in memory: nothing new is carried until it is written.
    package var isFull: Bool { size >= Self.mostBytes }
    private static var mostBytes: Int { 32 << 20 }

    // MARK: Writing

    /// Adds what has become true. The notices of events have the numbers that come next.
    mutating func add(_ entries: [JournalEntry]) {
        for entry in entries {
            guard let path = entry.document else {
                if case .event(let event) = entry {
                    events[event.document, default: 0] += 1
                    newest += Int64(event.kinds.count)
                }
                others.append(entry)
                size += entry.size
                continue
            }
            let before = documents[path]
            let after = entry.following(before)
            documents[path] = after
            size += after.size - (before?.size ?? 0)
        }
    }

    /// The number of the next notice.
    var nextNotice: Int64 { newest + 1 }

    /// Writes what waits, unless that was tried a moment ago.
    mutating func write(at now: Duration) {
        guard !isEmpty, nextTry <= now else { return }
        do {
            try log.record(waiting)
            finish()
        } catch {
            if failure == nil { failedSince = now }
            failure = error
            nextTry = now + min(Self.firstRetry * (1 << min(attempts, 8)), Self.longestRetry)
            attempts += 1
        }
    }

    /// Writes what a person decides together with what waits, or not at all.
    mutating func record(_ entries: [JournalEntry]) throws(JournalError) {
        try log.record(waiting + entries)
        finish()
    }

    /// Writes what is about to be done; `false` where it cannot be.
    mutating func announce(_ entries: [JournalEntry]) -> Bool {
        guard isEmpty else { return false }
        do { try log.record(entries) } catch { return false }
        return true
    }

    /// Somebody waits for it.
    mutating func retryNow() { nextTry = .zero }

    private static var firstRetry: Duration { .milliseconds(50) }
    private static var longestRetry: Duration { .seconds(2) }

    /// In an order of their own, so that two runs do the same.
    private var waiting: [JournalEntry] { documents.sorted { $0.key < $1.key }.map(\.value) + others }

    private mutating func finish() {
        told += waitingEvents.flatMap(\.notices)
        documents = [:]
        others = []
        events = [:]
        size = 0
        failure = nil
        attempts = 0
        nextTry = .zero
    }

    /// What subscribers may be told of.
    mutating func takeNotices() -> [Notice] {
        defer { told = [] }
        return told
    }

    /// Why it cannot be written: at once where it is damaged, else once that has lasted.
    func trouble(at now: Duration, after patience: Duration) -> JournalError? {
        guard let failure, failure.isBroken || now - failedSince >= patience else { return nil }
        return failure
    }
}

extension JournalBuffer {
    // MARK: Reading

    func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        switch documents[document] {
        case .agreed(_, _, let content): content
        case .gone: nil
        default: try log.content(of: document)
        }
    }

    /// Of documents that are not there: those they had when they last were.
    func lastGenerations(of paths: [RelativePath]) throws(JournalError) -> [RelativePath: Int64] {
        guard !paths.isEmpty else { return [:] }
        var generations = try log.lastGenerations(of: paths)
        for path in paths {
            switch documents[path] {
            case .gone(_, let generation): generations[path] = generation
            case .agreed(_, let record, _): generations[path] = record.generation
            default: break
            }
        }
        return generations
    }

    /// Of those of a document's generations that the journal does not have yet.
    package func unwrittenGenerations(of document: RelativePath) -> Int { events[document] ?? 0 }

    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try log.events(of: document) + waitingEvents.filter { $0.document == document }
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] { try log.allEvents() + waitingEvents }

    /// Those after that one, oldest first; `nil` where some are no longer kept. Of what is not written there
    /// are none: nobody is told what may have to be taken back.
    package func notices(after sequence: Int64) throws(JournalError) -> [Notice]? {
        try log.events(afterNotice: sequence)?.flatMap(\.notices).filter { $0.sequence > sequence }
    }

    func intents() throws(JournalError) -> [CreationIntent] { try log.intents() }

    func conflicts() throws(JournalError) -> [ConflictRecord] {
        try log.conflicts()
            + others.compactMap { if case .conflict(let conflict) = $0 { conflict } else { nil } }
    }

    func conflictIndex() throws(JournalError) -> [ConflictRecord.Entry] {
        try log.conflictIndex()
            + others.compactMap { if case .conflict(let conflict) = $0 { conflict.entry } else { nil } }
    }

    func overwritten() throws(JournalError) -> [OverwrittenContent] {
        try log.overwritten()
            + others.compactMap { if case .overwritten(let content) = $0 { content } else { nil } }
    }

    private var waitingEvents: [JournalEvent] {
        others.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}

extension JournalEntry {
    /// The document whose record it is.
    fileprivate var document: RelativePath? {
        switch self {
        case .agreed(let path, _, _), .touched(let path, _), .gone(let path, _): path
        default: nil
        }
    }

    /// One entry for two of one document.
    fileprivate func following(_ earlier: JournalEntry?) -> JournalEntry {
        guard case .touched(let path, let record) = self, case .agreed(_, _, let content)? = earlier else {
            return self
        }
        return .agreed(path, record, content)
    }

    /// About how much memory it takes.
    fileprivate var size: Int {
        let bytes: [[UInt8]?] =
            switch self {
            case .agreed(_, _, let content): [content.newest, content.sides.app, content.sides.group]
            case .conflict(let record): [record.base.app, record.base.group, record.other]
            default: []
            }
        return bytes.reduce(256) { $0 + ($1?.count ?? 0) }
    }
}
