package import Model
package import StateStore

/// The journal, and the entries that could not be written to it yet.
///
/// Results stay true while the journal cannot be written, and the engine must use them: otherwise it would
/// take its own publications for edits. They are written in one transaction once that is possible, and
/// subscribers are notified afterwards.
///
/// It also keeps whether the journal is reliable: why it cannot be written or read, whether it was restored
/// from a backup, the profile of its bases, and the boot in which their signatures were taken.
package struct JournalBuffer {
    private let log: any Journal
    /// The newest entry of each document.
    private var documents: [RelativePath: JournalEntry] = [:]
    private var others: [JournalEntry] = []
    /// How many new bases each document has among these entries.
    private var events: [RelativePath: Int] = [:]
    /// Written notices that the next turn sends.
    private var notices: [Notice] = []
    private var size = 0
    /// The sequence number of the newest notice, written or not.
    private var newest: Int64
    /// Why the last write failed.
    package private(set) var failure: JournalError?
    private var failedSince = Duration.zero
    private var attempts = 0
    private var nextTry = Duration.zero
    /// Why a base could not be read: a part of the journal is damaged.
    private var unreadable: JournalError?
    /// The journal got a new instance in this run.
    package private(set) var isRenewed = false
    /// The profile of the bases; without a profile, the empty name.
    private let profile: String
    /// The journal has that name.
    private var remembersProfile: Bool
    /// The boot ID of the machine; empty if unknown.
    private let boot: String
    /// The signatures in the journal are of another boot. They prove nothing: a power cut takes data that was
    /// not synced, and may leave the size and the times of its file.
    package private(set) var isOfOtherBoot: Bool

    /// `profile`: its name. With another profile than the journal's, the same texts would have another
    /// meaning, so changing it needs a request. Only the name counts: a profile of the same name with other
    /// content is a newer edition.
    package init(
        _ log: any Journal,
        profile: String?,
        boot: String = "",
        changesProfile: Bool
    ) throws(EngineError) {
        (self.log, self.boot) = (log, boot)
        self.profile = profile ?? ""
        let known: String?
        do {
            known = try log.value(of: Self.profileKey)
            let lastBoot = try log.value(of: Self.bootKey)
            isOfOtherBoot = !boot.isEmpty && lastBoot != boot
        } catch {
            throw .journal(error)
        }
        // A journal of a release before profile names were stored takes the first one it gets.
        if let known, known != self.profile, !changesProfile {
            throw .otherProfile(known: known, named: self.profile)
        }
        remembersProfile = known == self.profile
        do { newest = try log.lastNotice() } catch { throw .journal(error) }
    }

    private static var profileKey: String { "profile" }
    private static var bootKey: String { "boot" }

    package var instance: String { log.instance }
    package var isEmpty: Bool { documents.isEmpty && others.isEmpty }
    /// When to retry.
    package var deadline: Duration? { isEmpty ? nil : nextTry }
    /// Above this, syncing stops until the journal is written, to limit memory.
    package var isFull: Bool { size >= Self.mostBytes }
    private static var mostBytes: Int { 32 << 20 }

    // MARK: Writing

    /// Adds results. The notices of events get the next numbers.
    package mutating func add(_ entries: [JournalEntry]) {
        for entry in entries {
            guard let path = entry.document else {
                if case .event(let event) = entry {
                    events[event.document, default: 0] += event.what.isReload ? 0 : 1
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

    /// Writes the entries, unless a try failed a moment ago.
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

    /// Writes a person's decision together with the waiting entries, or nothing.
    package mutating func record(_ entries: [JournalEntry]) throws(JournalError) {
        try log.record(waiting + entries)
        finish()
    }

    /// Writes an announcement; `false` if that fails.
    mutating func announce(_ entries: [JournalEntry]) -> Bool {
        guard isEmpty else { return false }
        do { try log.record(entries) } catch { return false }
        return true
    }

    /// A request is waiting for it.
    mutating func retryNow() { nextTry = .zero }

    private static var firstRetry: Duration { .milliseconds(50) }
    private static var longestRetry: Duration { .seconds(2) }

    /// In a fixed order, so that two runs do the same.
    private var waiting: [JournalEntry] { documents.sorted { $0.key < $1.key }.map(\.value) + others }

    private mutating func finish() {
        notices += waitingEvents.flatMap(\.notices)
        documents = [:]
        others = []
        events = [:]
        size = 0
        failure = nil
        attempts = 0
        nextTry = .zero
    }

    var hasNotices: Bool { !notices.isEmpty }

    /// Whether a kind gets a notice of a document with the next turn, or with a later one.
    func notifies(_ kind: String, of document: RelativePath) -> Bool {
        notices.contains { $0.kind == kind && $0.document == document }
            || waitingEvents.contains { $0.document == document && $0.kinds.contains(kind) }
    }

    /// The notices that may be sent to subscribers.
    mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    // MARK: Reliability

    /// Why a request should not wait any longer until its result is recorded: at once if the journal is
    /// damaged, otherwise after a while.
    package func trouble(at now: Duration) -> JournalError? {
        guard let failure, failure.isBroken || now - failedSince >= Self.patience else { return nil }
        return failure
    }

    /// As long as another process may hold a lock.
    private static var patience: Duration { .seconds(5) }

    /// Why it can only be set aside: a part is damaged.
    package var damage: JournalError? {
        if let failure, failure.isBroken { failure } else { unreadable }
    }

    /// A base could not be read.
    package mutating func remember(unreadable error: JournalError) {
        if error.isBroken { unreadable = error }
    }

    /// The journal was restored from a backup and would repeat numbers that subscribers have seen, so it gets
    /// a new instance, once per run. `number`: unique to this run.
    package mutating func renew(_ number: UInt64) {
        isRenewed = true
        let name = Digest(of: Array("\(instance) \(number)".utf8)).start
        add([.value(String(name, radix: 36), key: JournalKey.instance)])
    }

    /// Stores the profile and the boot with the first base, or before a full scan. `touched`: records without
    /// the signatures of another boot, for the same transaction.
    package mutating func rememberStart(with touched: [JournalEntry] = []) {
        add(touched)
        if !remembersProfile { add([.value(profile, key: Self.profileKey)]) }
        if isOfOtherBoot { add([.value(boot, key: Self.bootKey)]) }
        (remembersProfile, isOfOtherBoot) = (true, false)
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

    /// For documents that do not exist: their last generations.
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

    func values(withPrefix prefix: String) throws(JournalError) -> [(key: String, value: String)] {
        try log.values(withPrefix: prefix)
    }

    /// The number of new bases of a document that the journal does not have yet.
    package func unwrittenGenerations(of document: RelativePath) -> Int { events[document] ?? 0 }

    /// Without reloads of widgets alone.
    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try (log.events(of: document) + waitingEvents.filter { $0.document == document })
            .filter { !$0.what.isReload }
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] {
        try (log.allEvents() + waitingEvents).filter { !$0.what.isReload }
    }

    /// The notices after that one, oldest first; `nil` if some were dropped. Notices that are not written yet
    /// are not sent, as they might not last.
    package func notices(after sequence: Int64) throws(JournalError) -> [Notice]? {
        try log.events(afterNotice: sequence)?.flatMap(\.notices).filter { $0.sequence > sequence }
    }

    /// Without those of documents that are not synced any more.
    func intents(of rules: DocumentRules) throws(JournalError) -> [CommitIntent] {
        try log.intents().filter { rules.isDocument($0.document) }
    }

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
    /// The document that the entry is about.
    fileprivate var document: RelativePath? {
        switch self {
        case .agreed(let path, _, _), .touched(let path, _), .gone(let path, _): path
        default: nil
        }
    }

    /// Combines two entries of one document into one.
    fileprivate func following(_ earlier: JournalEntry?) -> JournalEntry {
        guard case .touched(let path, let record) = self, case .agreed(_, _, let content)? = earlier else {
            return self
        }
        return .agreed(path, record, content)
    }

    /// The approximate memory use.
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
