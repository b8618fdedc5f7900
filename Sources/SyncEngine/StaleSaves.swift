package import Reconciliation
import Storage

/// A program that keeps its document in memory saves over what it has never read. Taken against the newest
/// base such a save would undo that. So where the kernel's queue tells that nobody has read it, the save is
/// taken against what its program had last read or saved.
///
/// Evidence is no hint: it only says on which base a save was made.
extension Engine {
    /// Who read, and who saved, in the order of the kernel's queue.
    package mutating func hear(_ evidence: AccessEvent, of path: RelativePath, on side: Side) {
        let place = Location(side, path)
        guard readers[place] != nil else { return }
        defer { tidyReaders(of: place) }
        if evidence == .published, let unheard = readers[place]?.unheard {
            readers[place]?.unheard = max(0, unheard - 1)
        }
        guard readers[place]?.accessTracker != nil else { return }
        guard readers[place]?.accessTracker?.hear(evidence) == true else { return forgetReaders(of: place) }
        // Before a plan takes what stands there for made of a save that is not merged yet.
        for index in displacedFiles.indices
        where displacedFiles[index].waitsForEvidence && displacedFiles[index].target == place {
            displacedFiles[index].due = .zero
        }
        if readers[place]?.accessTracker?.isOver == true { readers[place]?.forgetReaders() }
    }

    /// Events were lost, or told of under another path; `nil` is the whole container.
    package mutating func forgetEvidence(on side: Side, beneath directory: RelativePath? = nil) {
        let places = Set(readers.keys).union(questions.keys).filter { place in
            place.side == side && (directory.map { place.path.isInside($0) } ?? true)
        }
        for place in places.sorted(by: { $0.path < $1.path }) {
            readers[place]?.unheard = 0
            forgetReaders(of: place)
        }
    }

    private mutating func forgetReaders(of place: Location) {
        readers[place]?.forgetReaders()
        answer(place)
        tidyReaders(of: place)
    }

    private mutating func tidyReaders(of place: Location) {
        if readers[place]?.isEmpty == true { readers[place] = nil }
    }

    // MARK: Questions

    /// Somebody has to tell when all evidence of what was done before now has been heard.
    package var hasQuestions: Bool { questions.values.contains { $0.token == nil } }

    package mutating func asked(_ token: UInt64) {
        for (place, question) in questions where question.token == nil { questions[place]?.token = token }
    }

    package mutating func answered(_ token: UInt64, at now: Moment) {
        let due = questions.filter { $0.value.token == token }.sorted { $0.key.path < $1.key.path }
        for (place, question) in due {
            // The kernel tells of a change a little after it has made it.
            if question.isOfDocument, readers[place]?.undecidedSince == nil {
                readers[place]?.undecidedSince = now.uptime
            }
            answer(place)
        }
    }

    private mutating func answer(_ place: Location) {
        guard questions.removeValue(forKey: place) != nil else { return }
        debounceQueue.enqueue(place.path)
        for index in displacedFiles.indices where displacedFiles[index].target == place {
            displacedFiles[index].due = .zero
        }
    }

    /// It is looked at again once that is answered.
    func isAsking(about path: RelativePath) -> Bool {
        guard !questions.isEmpty else { return false }
        return Side.allCases.contains { questions[Location($0, path)] != nil }
    }

    private mutating func ask(about place: Location, isOfDocument: Bool, at now: Moment) {
        // One that is on its way may have left before this was done.
        let known = questions[place]
        questions[place] = EvidenceQuestion(
            isOfDocument: isOfDocument || known?.isOfDocument == true,
            due: known?.due ?? now.uptime + Self.longestQuestion
        )
    }

    /// A helper that takes longer hangs: it is replaced by then.
    private static var longestQuestion: Duration { .seconds(4) }

    /// The helper hangs, and nobody is to wait for it: as without evidence.
    mutating func answerOverdueQuestions(at now: Moment) {
        guard !questions.isEmpty else { return }
        let overdue = questions.filter { $0.value.due <= now.uptime }.keys
        for place in overdue.sorted(by: { $0.path < $1.path }) { forgetReaders(of: place) }
    }

    /// A change of a document must wait until it is known on what it was made.
    mutating func mustAsk(about input: PlanInput, at now: Moment) -> Bool {
        guard tracksAccess else { return false }
        var isAsking = false
        for side in Side.allCases {
            let place = Location(side, input.document)
            guard case .problem(.unheard) = input.observed[side] else {
                readers[place]?.undecidedSince = nil
                tidyReaders(of: place)
                continue
            }
            isAsking = true
            let isBeingWritten = readers[place]?.accessTracker?.verdict == .beingWritten
            if isBeingWritten || readers[place]?.undecidedSince != nil {
                wait(for: place, at: now)
            } else {
                ask(about: place, isOfDocument: true, at: now)
            }
        }
        return isAsking
    }

    /// A program that was held up within its save is told of only when it goes on. After that what was
    /// published counts as seen: a save through a hard link is never told of, and nobody is waited for much
    /// longer than a save takes.
    private mutating func wait(for place: Location, at now: Moment) {
        let since = readers[place]?.undecidedSince ?? now.uptime
        readers[place]?.undecidedSince = since
        if now.uptime - since >= Self.patience {
            readers[place]?.forgetReaders()
            readers[place]?.undecidedSince = nil
        }
        debounceQueue.schedule(place.path, at: now.uptime + DebounceQueue.together)
    }

    // MARK: Bases

    /// What the programs of a side had last read or saved, where that is not the newest base.
    func known(to side: Side, in input: PlanInput) throws(FileError) -> PlanInput.WriterBase? {
        let place = Location(side, input.document)
        // What was merged forward is the bridge's own, and was made on the newest.
        guard let snapshot = input.snapshot(side), !isUnread(snapshot.digest, at: place) else { return nil }
        guard let readers = readers[place], case .unread(let digest)? = readers.accessTracker?.verdict,
            let bytes = try kept(digest, of: place)
        else { return nil }
        let newest = readers.accessTracker?.newest
        let before = saves[place]?.saves.filter { $0.bytes != snapshot.bytes } ?? []
        if newest == input.record?.sides[side].digest {
            return PlanInput.WriterBase(bytes: bytes, own: before)
        }
        guard let own = readers.own, own.digest == newest else { return nil }
        return PlanInput.WriterBase(bytes: bytes, published: own.bytes, own: before)
    }

    /// What a save was made on that came out for a publication. It is told once; but not where it cannot be
    /// read now.
    mutating func base(ofRacer displaced: DisplacedFile) throws(FileError) -> [UInt8]? {
        guard let publication = displaced.publication,
            var accessTracker = readers[displaced.target]?.accessTracker,
            let digest = accessTracker.takeBase(of: publication)
        else { return nil }
        let bytes = try kept(digest, of: displaced.target)
        readers[displaced.target]?.accessTracker = accessTracker
        return bytes
    }

    /// What came out was no save.
    mutating func forgetBase(ofRacer displaced: DisplacedFile) {
        if let publication = displaced.publication {
            _ = readers[displaced.target]?.accessTracker?.takeBase(of: publication)
        }
    }

    /// It is not known yet on what a racer's save was made.
    mutating func mustAsk(aboutRacer save: Digest?, _ displaced: DisplacedFile, at now: Moment) -> Bool {
        guard let publication = displaced.publication,
            readers[displaced.target]?.accessTracker?
                .overtaken(save, by: publication, asking: displaced.wasUnread) == true,
            displaced.wasUnread
        else { return false }
        ask(about: displaced.target, isOfDocument: false, at: now)
        return true
    }

    /// What stands there was saved over something unread: it is merged by a plan first, or what that had
    /// would go. Nobody is waited for who saves without end.
    func isStale(_ current: DocumentSnapshot, _ place: Location, since: Duration?, at now: Moment) -> Bool {
        now.uptime - (since ?? now.uptime) < Self.patience && isTakenInPart(current, place)
    }

    /// Of what stands there its plan takes only what its program has changed since it last read or saved:
    /// what else is in it is not safe by being there.
    func isTakenInPart(_ current: DocumentSnapshot, _ place: Location) -> Bool {
        guard !isUnread(current.digest, at: place) else { return false }
        let verdict = readers[place]?.accessTracker?.verdict ?? .seen
        return verdict != .seen
    }

    /// Its own program has gone on from a racer's save, without having read what took the place of that: all
    /// of it is in what stands there, which was made on what that save was made on.
    mutating func isSuperseded(_ save: Digest, by current: DocumentSnapshot, _ displaced: DisplacedFile)
        -> Bool
    {
        let place = displaced.target
        guard let base = displaced.base, !isUnread(current.digest, at: place),
            readers[place]?.accessTracker?.verdict == .unread(since: save)
        else { return false }
        let digest = Digest(of: base)
        readers[place]?.accessTracker?.saw(digest)
        readers[place]?.pinned = OwnContent(bytes: base, digest: digest)
        return true
    }

    /// `nil` where it is nowhere any more, which a read that fails does not tell.
    private func kept(_ digest: Digest, of place: Location) throws(FileError) -> [UInt8]? {
        if let pin = readers[place]?.pinned, pin.digest == digest { return pin.bytes }
        // Also what is on its way to the trash, or could not be taken there yet.
        let left = (discards.map(\.place) + stuck.keys).filter { $0.isTemporary(of: place) }
            .sorted { $0.path < $1.path }
        let waiting = displacedFiles.filter { $0.target == place }.map(\.place) + left
        var failure: FileError?
        for file in [Trash.place(of: digest)].compactMap(\.self) + waiting {
            do throws(FileError) {
                let bytes = try contents(of: file)
                if Digest(of: bytes) == digest { return bytes }
            } catch .missing, .noDirectory, .notRegular {
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }

    // MARK: Publications

    /// The bridge's own, and nobody is known to have read it.
    func isUnread(_ digest: Digest, at place: Location) -> Bool {
        readers[place]?.accessTracker?.isPublication(digest) == true
    }

    /// An exchange has put `bytes` in the place of `expected`; `isSave`: which a program had saved. `seen`:
    /// how it looks there since, where nobody has changed it.
    mutating func notePublication(
        _ staged: Staged,
        _ bytes: [UInt8],
        over expected: Digest,
        isSave: Bool,
        seen: Signature?
    ) {
        let place = staged.target
        saves[place, default: OwnSaves()].published = bytes
        guard tracksAccess else { return }
        guard exchanges(place) else { return forgetReaders(of: place) }
        var one = readers[place] ?? Readers()
        if one.accessTracker == nil {
            one.accessTracker = AccessTracker(seen: expected, unheard: one.unheard)
        }
        one.unheard += 1
        one.accessTracker?.published(staged.digest, over: isSave ? expected : nil)
        one.undecidedSince = nil
        // Also where it is gone already: what a program has saved over it is merged on top of it.
        one.own = OwnContent(bytes: bytes, digest: staged.digest, signature: seen)
        readers[place] = one
    }

    /// Where a program's own save stands, or nothing, there is nothing to read.
    mutating func forgetReaders(after job: PendingCommit) {
        for side in Side.allCases where tracksAccess {
            let place = Location(side, job.path)
            guard var one = readers[place] else { continue }
            if one.own?.digest == records[job.path]?.sides[side].digest { one.own = nil }
            let stands = job.plan.writes[side] == nil ? job.input.snapshot(side) : nil
            if job.plan.removes || stands.map({ !isUnread($0.digest, at: place) }) == true {
                one.forgetReaders()
                one.own = nil
            }
            readers[place] = one.isEmpty ? nil : one
        }
    }

    /// Whoever has saved the very bytes that were published there knows them, read or not.
    mutating func noteSavesOfTheSame(in input: PlanInput) {
        for side in Side.allCases {
            let place = Location(side, input.document)
            guard case .unread? = readers[place]?.accessTracker?.verdict,
                case .unchanged = input.observed[side],
                readers[place]?.accessTracker?.newest == input.record?.sides[side].digest
            else { continue }
            forgetReaders(of: place)
        }
    }

    /// A save that the bridge made for somebody: with `expected`, for one who says what he has seen.
    mutating func notePut(_ digest: Digest, at place: Location, isBlind: Bool) {
        guard tracksAccess else { return }
        if exchanges(place) { readers[place, default: Readers()].unheard += 1 }
        guard isBlind, exchanges(place) else { return forgetReaders(of: place) }
        readers[place]?.accessTracker?.put(digest)
    }

    /// A program's save has its name again, by an exchange that the queue tells of like any of the bridge's.
    mutating func noteNameRestored(_ displaced: DisplacedFile) {
        let place = displaced.target
        notePut(Digest(of: []), at: place, isBlind: true)
        guard let base = displaced.base, !displaced.wasUnread, readers[place]?.accessTracker != nil else {
            return
        }
        let digest = Digest(of: base)
        guard digest != records[displaced.document]?.sides[displaced.side].digest else { return }
        // A save of before, on which that one was made: it is in no file any more.
        readers[place]?.pinned = OwnContent(bytes: base, digest: digest)
    }

    /// Only an exchange can be told from other renames.
    private func exchanges(_ place: Location) -> Bool {
        settings.commit == .exchange && place.side.map { !withoutExchange[$0] } == true
    }
}

extension Location {
    fileprivate func isTemporary(of document: Location) -> Bool {
        root == document.root && path.directory == document.path.directory
            && TemporaryName(path.name)?.belongs(to: document.path) == true
    }
}
