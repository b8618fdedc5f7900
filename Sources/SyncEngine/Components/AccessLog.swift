package import Model
import Replica

/// Who has read or saved what: what the kernel's event queue tells of documents of which that matters.
///
/// It owns a tracker for each document that may hold something nobody has read, what the bridge itself has
/// put there, and the questions to the queue that are open. It touches no file: contents are named by their
/// digests. Methods that return locations name those whose question is answered by the call: they are to be
/// looked at again.
package struct AccessLog: Sendable {
    /// The queue can be heard. Without it nothing is kept, and every save counts as made on the newest.
    package var tracksAccess = false
    private var documents: [Location: DocumentAccess] = [:]
    private var questions: [Location: AccessQuestion] = [:]

    /// What follows from an event.
    package enum Consequence: Sendable, Hashable {
        case none
        /// Displaced files that wait for events are to be judged again.
        case heard
        /// It cannot be told any more who has read what.
        case forgotten([Location])
    }

    package init() {}

    /// Nothing is known of any document.
    package var isEmpty: Bool { documents.isEmpty }

    // MARK: Events

    /// Who read, and who saved, in the order of the queue.
    package mutating func hear(_ event: AccessEvent, of place: Location) -> Consequence {
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

    /// Events were lost, or told of under another path; `nil` is the whole container.
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

    /// What stands there counts as seen from now on.
    package mutating func forgetReaders(of place: Location) -> [Location] {
        documents[place]?.forgetReaders()
        tidy(place)
        return answer(place)
    }

    /// It was moved by the bridge: whoever reads it under its new name is not told of here.
    package mutating func noteMoved(from place: Location) { documents[place]?.forgetReaders() }

    private mutating func tidy(_ place: Location) {
        if documents[place]?.isEmpty == true { documents[place] = nil }
    }

    // MARK: Questions

    /// Somebody has to tell when all events of what was done before now have been heard.
    package var hasUnsentQuestions: Bool { questions.values.contains { $0.token == nil } }
    package var hasQuestions: Bool { !questions.isEmpty }
    package var questioned: [RelativePath] { questions.keys.map(\.path) }
    /// When the first of them is overdue.
    package var deadline: Duration? { questions.isEmpty ? nil : questions.values.lazy.map(\.due).min() }

    /// It is looked at again once that is answered.
    package func isAsking(about path: RelativePath) -> Bool {
        guard !questions.isEmpty else { return false }
        return Side.allCases.contains { questions[Location($0, path)] != nil }
    }

    /// A token was sent for all questions that had none.
    package mutating func asked(_ token: UInt64) {
        for (place, question) in questions where question.token == nil { questions[place]?.token = token }
    }

    /// The token came back, behind everything that was done before it was sent.
    package mutating func answered(_ token: UInt64, at now: Duration) -> [Location] {
        let due = questions.filter { $0.value.token == token }.sorted { $0.key.path < $1.key.path }
        return due.flatMap { place, question in
            // The kernel tells of a change a little after it has made it.
            if question.isOfDocument, documents[place]?.undecidedSince == nil {
                documents[place]?.undecidedSince = now
            }
            return answer(place)
        }
    }

    /// The helper hangs, and nobody is to wait for it: as without events.
    package mutating func answerOverdue(at now: Duration) -> [Location] {
        guard !questions.isEmpty else { return [] }
        let overdue = questions.filter { $0.value.due <= now }.keys.sorted { $0.path < $1.path }
        return overdue.flatMap { forgetReaders(of: $0) }
    }

    private mutating func answer(_ place: Location) -> [Location] {
        questions.removeValue(forKey: place) == nil ? [] : [place]
    }

    private mutating func ask(about place: Location, isOfDocument: Bool, at now: Duration) {
        // One that is on its way may have left before this was done.
        let known = questions[place]
        questions[place] = AccessQuestion(
            isOfDocument: isOfDocument || known?.isOfDocument == true,
            due: known?.due ?? now + Self.longestQuestion
        )
    }

    /// A helper that takes longer hangs: it is replaced by then.
    private static var longestQuestion: Duration { .seconds(4) }
    /// A save does not take much longer than this, and nobody is waited for much longer than a save takes.
    private static var longestSave: Duration { .seconds(1) }

    // MARK: Waiting

    /// Whether a plan may be made of what stands there.
    package enum Readiness: Sendable, Hashable {
        case ready
        /// Not before a question about it is answered.
        case asked
        /// It is looked at again in a moment.
        case soon
    }

    /// A change of a document must wait until it is known on what it was made. `isUnheard`: what stands there
    /// was not opened, because that is not known.
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

    /// A program that was held up within its save is told of only when it goes on. After that what was
    /// published counts as seen: a save through a hard link is never told of.
    private mutating func wait(for place: Location, at now: Duration) {
        let since = documents[place]?.undecidedSince ?? now
        documents[place]?.undecidedSince = since
        if now - since >= Self.longestSave {
            documents[place]?.forgetReaders()
            documents[place]?.undecidedSince = nil
        }
    }

    /// It is not known yet on what a racer's save was made; `nil` while that is still being written.
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

    /// To open it now would look as if somebody had read it, and whether somebody has is to be told yet.
    package func isUndecided(_ place: Location) -> Bool {
        switch documents[place]?.tracker?.verdict {
        case .undecided, .beingWritten: true
        case .unread, .seen, nil: false
        }
    }

    /// Something there may be unread.
    package func isTracking(_ place: Location) -> Bool { documents[place]?.tracker != nil }

    /// The bridge's own, and nobody is known to have read it.
    package func isUnread(_ digest: Digest, at place: Location) -> Bool {
        documents[place]?.tracker?.isPublication(digest) == true
    }

    /// The publication that stood there last.
    package func newest(at place: Location) -> Digest? { documents[place]?.tracker?.newest }

    /// What its program had last read or saved when it made this save; `nil` where that is the newest. What
    /// was merged forward is the bridge's own, and was made on the newest.
    package func lastSeen(before save: Digest, at place: Location) -> Digest? {
        guard !isUnread(save, at: place), case .unread(let digest)? = documents[place]?.tracker?.verdict
        else {
            return nil
        }
        return digest
    }

    /// What was saved there was made without sight of what had been published: its plan takes only what its
    /// program has changed since it last read or saved, so what else is in it is not safe by being there.
    package func isTakenInPart(_ current: Digest, at place: Location) -> Bool {
        guard !isUnread(current, at: place) else { return false }
        let verdict = documents[place]?.tracker?.verdict ?? .seen
        return verdict != .seen
    }

    /// What stands there was saved over something unread: it is merged by a plan first, or what that had
    /// would go. Nobody is waited for who saves without end.
    package func isStale(_ current: Digest, at place: Location, since: Duration?, at now: Duration) -> Bool {
        now - (since ?? now) < Self.longestSave && isTakenInPart(current, at: place)
    }

    /// On what a save was made that came out for a publication.
    package func base(ofRacer displaced: DisplacedFile) -> Digest? {
        displaced.publication.flatMap { documents[displaced.target]?.tracker?.base(of: $0) }
    }

    /// That has been taken, or what came out was no save.
    package mutating func forgetBase(ofRacer displaced: DisplacedFile) {
        if let publication = displaced.publication {
            _ = documents[displaced.target]?.tracker?.takeBase(of: publication)
        }
    }

    /// Its own program has gone on from a racer's save, without having read what took the place of that: all
    /// of it is in what stands there, which was made on what that save was made on.
    package mutating func isSuperseded(_ save: Digest, by current: Digest, _ displaced: DisplacedFile) -> Bool
    {
        let place = displaced.target
        guard let base = displaced.base, !isUnread(current, at: place),
            documents[place]?.tracker?.verdict == .unread(since: save)
        else { return false }
        let digest = Digest(of: base)
        documents[place]?.tracker?.saw(digest)
        documents[place]?.pinned = OwnContent(bytes: base, digest: digest)
        return true
    }

    // MARK: Publications

    /// It has no need to open that, which would look as if somebody had read it.
    package func own(at place: Location) -> OwnContent? { documents[place]?.own }

    /// What programs had last read or saved, where that is in no file any more.
    package func pinned(_ digest: Digest, at place: Location) -> [UInt8]? {
        guard let pinned = documents[place]?.pinned, pinned.digest == digest else { return nil }
        return pinned.bytes
    }

    /// Everything is to be read anew.
    package mutating func forgetOwnContents() {
        for place in documents.keys { documents[place]?.own = nil }
    }

    /// An exchange has put `own` in the place of `expected`; `isSave`: which a program had saved.
    package mutating func notePublished(
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
        // Also where it is gone already: what a program has saved over it is merged on top of it.
        one.own = own
        documents[place] = one
    }

    /// An exchange has put there what somebody has asked the bridge to save, whatever stood there (`isBlind`)
    /// or in place of what he had seen.
    package mutating func notePut(_ digest: Digest, at place: Location, isBlind: Bool) -> [Location] {
        documents[place, default: DocumentAccess()].unheard += 1
        guard isBlind else { return forgetReaders(of: place) }
        documents[place]?.tracker?.put(digest)
        return []
    }

    /// A program's save has its name again, by an exchange that the queue tells of like any of the bridge's.
    /// `recorded`: what the sides agreed on.
    package mutating func noteNameRestored(_ displaced: DisplacedFile, recorded: Digest?) {
        let place = displaced.target
        guard let base = displaced.base, !displaced.wasUnread, isTracking(place) else { return }
        let digest = Digest(of: base)
        // A save of before, on which that one was made: it is in no file any more.
        if digest != recorded { documents[place]?.pinned = OwnContent(bytes: base, digest: digest) }
    }

    /// What was agreed on is recorded. Where a program's own save stands (`save`), or nothing, there is
    /// nothing to read.
    package mutating func noteRecorded(
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

    /// It holds what is recorded. Whoever has saved the very bytes that were published there knows them, read
    /// or not.
    package mutating func noteUnchanged(_ recorded: Digest?, at place: Location) -> [Location] {
        guard case .unread? = documents[place]?.tracker?.verdict, newest(at: place) == recorded else {
            return []
        }
        return forgetReaders(of: place)
    }
}
