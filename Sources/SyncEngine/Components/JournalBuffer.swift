package import Model
package import StateStore

/// The journal, and what is true but could not be written to it yet.
///
/// What was achieved stays true while the journal cannot be written. The engine judges by it: else it would
/// take what it has published itself for an edit of that side. It is written in one transaction once the
/// journal can be, and subscribers are told of it after that.
///
/// It owns what tells whether the journal can be relied on, too: why it cannot be written or read, whether it
/// has gone back, and by which profile its bases were agreed.
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
    /// Why a base could not be read: a part of the journal is damaged.
    private var unreadable: JournalError?
    /// It has got another name in this run.
    package private(set) var isRenewed = false
    /// By which bases are agreed on; to work by none is to work by a profile without a name.
    private let profile: String
    /// The journal has that name.
    private var remembersProfile: Bool

    /// `profile`: its name. By another one than the journal remembers the same texts would mean something
    /// else, so it is only changed on purpose. The name decides: a profile of the same name with other
    /// content is a newer edition of it.
    package init(_ log: any Journal, profile: String?, changesProfile: Bool) throws(EngineError) {
        self.log = log
        self.profile = profile ?? ""
        let known: String?
        do { known = try log.value(of: Self.profileKey) } catch { throw .journal(error) }
        // A journal of before names were kept has none, and takes the first that it gets.
        if let known, known != self.profile, !changesProfile {
            throw .otherProfile(known: known, named: self.profile)
        }
        remembersProfile = known == self.profile
        do { newest = try log.lastNotice() } catch { throw .journal(error) }
    }

    private static var profileKey: String { "profile" }

    package var instance: String { log.instance }
    package var isEmpty: Bool { documents.isEmpty && others.isEmpty }
    /// When it is tried again.
    package var deadline: Duration? { isEmpty ? nil : nextTry }
    /// More than this would be too much to keep in memory: nothing new is carried until it is written.
    package var isFull: Bool { size >= Self.mostBytes }
    private static var mostBytes: Int { 32 << 20 }

    // MARK: Writing

    /// Adds what has become true. The notices of events have the numbers that come next.
    package mutating func add(_ entries: [JournalEntry]) {
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
    package mutating func write(at now: Duration) {
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
    package mutating func record(_ entries: [JournalEntry]) throws(JournalError) {
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

    // MARK: Whether it can be relied on

    /// Why nobody should wait any longer for what was done to be recorded: at once where it is damaged, else
    /// once that has lasted.
    package func trouble(at now: Duration) -> JournalError? {
        guard let failure, failure.isBroken || now - failedSince >= Self.patience else { return nil }
        return failure
    }

    /// As long as another process may well hold a lock on it.
    private static var patience: Duration { .seconds(5) }

    /// Why it can only be set aside: a part of it is damaged.
    package var damage: JournalError? {
        if let failure, failure.isBroken { failure } else { unreadable }
    }

    /// A base could not be read.
    package mutating func note(unreadable error: JournalError) { if error.isBroken { unreadable = error } }

    /// It has gone back, and would give out once more what subscribers were told of already: it goes on as
    /// another one, once in a run. `number`: of this run alone.
    package mutating func renew(_ number: UInt64) {
        isRenewed = true
        let name = Digest(of: Array("\(instance) \(number)".utf8)).start
        add([.value(String(name, radix: 36), key: JournalKey.instance)])
    }

    /// With whatever is agreed on first, and before that where somebody looks at everything.
    package mutating func rememberProfile() {
        guard !remembersProfile else { return }
        add([.value(profile, key: Self.profileKey)])
        remembersProfile = true
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
