package import Model
import Replica

/// Records which programs read or saved which documents, from the kernel's event queue.
///
/// It keeps a tracker for each document with content that may be unread, the content that the bridge itself
/// published there, and the pending questions to the event queue. It accesses no file: contents are
/// identified by their digests. Methods that return locations return those whose question is now answered:
/// their documents must be read again.
package struct ReaderLog: Sendable {
    /// Access events are available. Without them nothing is recorded, and every save counts as based on the
    /// newest content.
    package var tracksAccess = false
    private var documents: [Location: DocumentAccess] = [:]
    private var questions: [Location: AccessQuestion] = [:]

    /// What to do after an event.
    package enum Effect: Sendable, Hashable {
        case none
        /// Displaced files that wait for events must be examined again.
        case heard
        /// The readers of these documents are no longer known.
        case forgotten([Location])
    }

    package init() {}

    /// Nothing is known of any document.
    package var isEmpty: Bool { documents.isEmpty }

    // MARK: Events

    /// Takes events in the order of the queue.
    package mutating func hear(_ event: AccessEvent, of place: Location) -> Effect {
        guard documents[place] != nil else { return .none }
        defer { tidy(place) }
        if event == .published, let unheard = documents[place]?.unheard {
            documents[place]?.unheard = max(0, unheard - 1)
        }
        guard documents[place]?.tracker != nil else { return .none }
        guard documents[place]?.tracker?.hear(event) == true else {
            return .forgotten(forgetReaders(of: place))
        }
        if documents[place]?.tracker?.isOver == true { documents[place]?.forgetReaders() }
        return .heard
    }

    /// Events were lost, or were reported under another path; `nil` is the whole container.
    package mutating func forget(on side: Side, beneath directory: RelativePath? = nil) -> [Location] {
        let places = Set(documents.keys).union(questions.keys).filter { place in
            place.side == side && (directory.map { place.path.isInside($0) } ?? true)
        }
        var answered: [Location] = []
        for place in places.sorted(by: { $0.path < $1.path }) {
            documents[place]?.unheard = 0
            answered += forgetReaders(of: place)
        }
        return answered
    }

    /// From now on, the current content counts as read.
    package mutating func forgetReaders(of place: Location) -> [Location] {
        documents[place]?.forgetReaders()
        tidy(place)
        return answer(place)
    }

    /// The bridge renamed it: reads under its new name are not reported here.
    package mutating func recordMove(from place: Location) { documents[place]?.forgetReaders() }

    private mutating func tidy(_ place: Location) {
        if documents[place]?.isEmpty == true { documents[place] = nil }
    }

    // MARK: Questions

    /// A token must be sent, to learn when all earlier events have arrived.
    package var hasUnsentQuestions: Bool { questions.values.contains { $0.token == nil } }
    package var hasQuestions: Bool { !questions.isEmpty }
    package var questioned: [RelativePath] { questions.keys.map(\.path) }
    /// When the first question is overdue.
    package var deadline: Duration? { questions.isEmpty ? nil : questions.values.lazy.map(\.due).min() }

    /// Whether the document is read again once a question about it is answered.
    package func isAsking(about path: RelativePath) -> Bool {
        guard !questions.isEmpty else { return false }
        return Side.allCases.contains { questions[Location($0, path)] != nil }
    }

    /// A token was sent for all questions without one. The turn that raised them may have taken long, so the
    /// time for the answer begins now.
    package mutating func asked(_ token: UInt64, at now: Duration) {
        for (place, question) in questions where question.token == nil {
            questions[place]?.token = token
            if !question.wasSent { questions[place]?.due = now + Self.longestQuestion }
            questions[place]?.wasSent = true
        }
    }

    /// The token came back: all events from before it was sent have arrived.
    package mutating func answered(_ token: UInt64, at now: Duration) -> [Location] {
        let due = questions.filter { $0.value.token == token }.sorted { $0.key.path < $1.key.path }
        return due.flatMap { place, question in
            // The kernel reports a change shortly after making it.
            if question.isOfDocument, documents[place]?.undecidedSince == nil {
                documents[place]?.undecidedSince = now
            }
            return answer(place)
        }
    }

    /// The watching program hangs: overdue questions are answered as if there were no events.
    package mutating func answerOverdue(at now: Duration) -> [Location] {
        guard !questions.isEmpty else { return [] }
        let overdue = questions.filter { $0.value.due <= now }.keys.sorted { $0.path < $1.path }
        return overdue.flatMap { forgetReaders(of: $0) }
    }

    private mutating func answer(_ place: Location) -> [Location] {
        questions.removeValue(forKey: place) == nil ? [] : [place]
    }

    private mutating func ask(about place: Location, isOfDocument: Bool, at now: Duration) {
        // A token that was sent before this change does not answer it.
        let known = questions[place]
        questions[place] = AccessQuestion(
            isOfDocument: isOfDocument || known?.isOfDocument == true,
            due: known?.due ?? now + Self.longestQuestion,
            wasSent: known?.wasSent ?? false
        )
    }

    /// A watching program that takes longer hangs, and is replaced by then.
    private static var longestQuestion: Duration { .seconds(4) }
    /// A save takes about this long at most, and nothing waits much longer than that.
    private static var longestSave: Duration { .seconds(1) }

    // MARK: Waiting

    /// Whether a plan may be made for the current content.
    package enum Readiness: Sendable, Hashable {
        case ready
        /// Not until a question about it is answered.
        case asked
        /// The document is read again shortly.
        case soon
    }

    /// A change must wait until its base is known. `isUnheard`: the file was not opened, because its readers
    /// are not known.
    package mutating func readiness(of place: Location, isUnheard: Bool, at now: Duration) -> Readiness {
        guard isUnheard else {
            documents[place]?.undecidedSince = nil
            tidy(place)
            return .ready
        }
        let isBeingWritten = documents[place]?.tracker?.verdict == .beingWritten
        if isBeingWritten || documents[place]?.undecidedSince != nil {
            wait(for: place, at: now)
            return .soon
        }
        ask(about: place, isOfDocument: true, at: now)
        return .asked
    }

    /// If a program is stopped during its save, events follow only when it continues. After this time the
    /// published content counts as read: a save through a hard link never causes an event.
    private mutating func wait(for place: Location, at now: Duration) {
        let since = documents[place]?.undecidedSince ?? now
        documents[place]?.undecidedSince = since
        if now - since >= Self.longestSave {
            documents[place]?.forgetReaders()
            documents[place]?.undecidedSince = nil
        }
    }

    /// Whether the base of a racing save is still unknown; `nil` while a program is still writing it.
    package mutating func mustAsk(aboutRacer save: Digest?, _ displaced: DisplacedFile, at now: Duration)
        -> Bool
    {
        guard let publication = displaced.publication,
            documents[displaced.target]?.tracker?
                .overtaken(save, by: publication, asking: displaced.wasUnread) == true,
            displaced.wasUnread
        else { return false }
        ask(about: displaced.target, isOfDocument: false, at: now)
        return true
    }

    // MARK: Saves

    /// Whether the file must not be opened, because that would look like a program's read before the events
    /// have arrived.
    package func isUndecided(_ place: Location) -> Bool {
        switch documents[place]?.tracker?.verdict {
        case .undecided, .beingWritten: true
        case .unread, .seen, nil: false
        }
    }

    /// Whether something published there may be unread.
    package func isTracking(_ place: Location) -> Bool { documents[place]?.tracker != nil }

    /// Whether the bridge published this content, and no read of it is known.
    package func isUnread(_ digest: Digest, at place: Location) -> Bool {
        documents[place]?.tracker?.isPublication(digest) == true
    }

    /// The last publication at this location.
    package func newest(at place: Location) -> Digest? { documents[place]?.tracker?.newest }

    /// The content that the program had last read or saved before this save; `nil` if that is the newest. A
    /// forward merge is the bridge's own content, based on the newest.
    package func lastSeen(before save: Digest, at place: Location) -> Digest? {
        guard !isUnread(save, at: place), case .unread(let digest)? = documents[place]?.tracker?.verdict
        else {
            return nil
        }
        return digest
    }

    /// Whether the program may have saved without having read the published content: its plan takes only
    /// what the program changed since it last read or saved, so its other content is not safe just because it
    /// is in the file. Nothing is merged with it before that plan: the merge would seem to be based on the
    /// published content.
    package func isTakenInPart(_ current: Digest, at place: Location) -> Bool {
        guard !isUnread(current, at: place) else { return false }
        let verdict = documents[place]?.tracker?.verdict ?? .seen
        return verdict != .seen
    }

    /// The base of a save that a publication displaced.
    package func base(ofRacer displaced: DisplacedFile) -> Digest? {
        displaced.publication.flatMap { documents[displaced.target]?.tracker?.base(of: $0) }
    }

    /// The base was used, or the displaced content was not a save.
    package mutating func forgetBase(ofRacer displaced: DisplacedFile) {
        if let publication = displaced.publication {
            _ = documents[displaced.target]?.tracker?.takeBase(of: publication)
        }
    }

    /// Whether the events say that the program made the current content of its displaced save, without
    /// reading the publication that replaced it. An exchange is reported a moment after it happens, so a read
    /// in between seems to be one of the content before.
    package func isBased(_ current: Digest, on save: Digest, at place: Location) -> Bool {
        !isUnread(current, at: place) && documents[place]?.tracker?.verdict == .unread(since: save)
    }

    /// The current content includes a displaced save that was based on `base`, and so is based on that.
    package mutating func recordInclusion(savedOver base: [UInt8], at place: Location) {
        let digest = Digest(of: base)
        documents[place]?.tracker?.saw(digest)
        documents[place]?.pinned = OwnContent(bytes: base, digest: digest)
    }

    // MARK: Publications

    /// The bridge's own content, so that the file need not be opened, which would look like a program's read.
    package func own(at place: Location) -> OwnContent? { documents[place]?.own }

    /// The last publication at this location. `recorded`: the base, which it may be.
    package func published(at place: Location, recorded: [UInt8]?) -> [UInt8]? {
        if let own = documents[place]?.own { return own.bytes }
        return recorded.flatMap { Digest(of: $0) == newest(at: place) ? $0 : nil }
    }

    /// The content that programs had last read or saved, if no file has it any more.
    package func pinned(_ digest: Digest, at place: Location) -> [UInt8]? {
        guard let pinned = documents[place]?.pinned, pinned.digest == digest else { return nil }
        return pinned.bytes
    }

    /// Everything must be read again.
    package mutating func forgetOwnContents() {
        for place in documents.keys { documents[place]?.own = nil }
    }

    /// A program's save with its conflicts settled; `nil` if that is the same, or not known.
    package func settled(_ save: @autoclosure () -> Digest, at place: Location) -> [UInt8]? {
        guard let settled = documents[place]?.settled, settled.save == save() else { return nil }
        return settled.content
    }

    /// A program's last save was merged; `content` has its conflicts settled, if that differs.
    package mutating func remember(settled content: [UInt8]?, of save: Digest, at place: Location) {
        documents[place]?.settled = content.map { (save, $0) }
    }

    /// An exchange replaced `expected` with `own`; `isSave`: a program had saved `expected`.
    package mutating func recordPublication(
        _ own: OwnContent,
        at place: Location,
        over expected: Digest,
        isSave: Bool
    ) {
        var one = documents[place] ?? DocumentAccess()
        if one.tracker == nil { one.tracker = AccessTracker(seen: expected, unheard: one.unheard) }
        one.unheard += 1
        one.tracker?.published(own.digest, over: isSave ? expected : nil)
        one.undecidedSince = nil
        // Kept even if the file was replaced already: a later save is merged with it.
        one.own = own
        documents[place] = one
    }

    /// An exchange wrote a content that a client put: over any content, or over `read`, which the client had
    /// read. If that is a program's save, it need not include what was published before.
    package mutating func recordPut(_ digest: Digest, at place: Location, over read: Digest?) -> [Location] {
        documents[place, default: DocumentAccess()].unheard += 1
        guard read.map({ !isUnread($0, at: place) }) ?? true else { return forgetReaders(of: place) }
        documents[place]?.tracker?.put(digest)
        return []
    }

    /// The bridge gave a program's save its name back, with an exchange that causes events like any other.
    /// `recorded`: the base.
    package mutating func recordRestoredName(_ displaced: DisplacedFile, recorded: Digest?) {
        let place = displaced.target
        guard let base = displaced.base, !displaced.wasUnread, isTracking(place) else { return }
        let digest = Digest(of: base)
        // The displaced save was based on an earlier content, which no file has any more.
        if digest != recorded { documents[place]?.pinned = OwnContent(bytes: base, digest: digest) }
    }

    /// The base was recorded. If the current content is a program's own save (`save`), or absent, nothing can
    /// be unread.
    package mutating func recordBase(
        _ recorded: Digest?,
        at place: Location,
        save: Digest?,
        isRemoved: Bool
    ) {
        guard var one = documents[place] else { return }
        if one.own?.digest == recorded { one.own = nil }
        if isRemoved || save.map({ !isUnread($0, at: place) }) == true {
            one.forgetReaders()
            one.own = nil
        }
        documents[place] = one.isEmpty ? nil : one
    }

    /// The file has the recorded content. A program that saved the very content that was published there
    /// knows it, whether it read it or not.
    package mutating func recordUnchanged(_ recorded: Digest?, at place: Location) -> [Location] {
        guard case .unread? = documents[place]?.tracker?.verdict, newest(at: place) == recorded else {
            return []
        }
        return forgetReaders(of: place)
    }
}
