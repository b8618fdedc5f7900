package import Reconciliation
import Storage

/// A program that keeps its document in memory saves over what it has never read. Taken against the newest
/// base such a save would undo that. So where the kernel's queue tells that nobody has read it, the save is
/// taken against what its program had last read or saved.
///
/// Evidence is no hint: it only says on which base a save was made.
extension Engine {
    /// Who read, and who saved, in the order of the kernel's queue.
    package mutating func hear(_ evidence: Evidence, of path: RelativePath, on side: Side) {
        let place = Location(side, path)
        guard readers[place] != nil else { return }
        defer { tidyReaders(of: place) }
        if evidence == .published, let unheard = readers[place]?.unheard {
            readers[place]?.unheard = max(0, unheard - 1)
        }
        guard readers[place]?.readership != nil else { return }
        guard readers[place]?.readership?.hear(evidence) == true else { return forgetReaders(of: place) }
        // Before a plan takes what stands there for made of a save that is not merged yet.
        for index in asides.indices where asides[index].waitsForEvidence && asides[index].target == place {
            asides[index].due = .zero
        }
        if readers[place]?.readership?.isOver == true { readers[place]?.forgetReadership() }
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
        readers[place]?.forgetReadership()
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
        settler.enqueue(place.path)
        for index in asides.indices where asides[index].target == place { asides[index].due = .zero }
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
    mutating func mustAsk(about study: Study, at now: Moment) -> Bool {
        guard hearsEvidence else { return false }
        var isAsking = false
        for side in Side.allCases {
            let place = Location(side, study.document)
            guard case .problem(.unheard) = study.observed[side] else {
                readers[place]?.undecidedSince = nil
                tidyReaders(of: place)
                continue
            }
            isAsking = true
            let isBeingWritten = readers[place]?.readership?.verdict == .beingWritten
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
            readers[place]?.forgetReadership()
            readers[place]?.undecidedSince = nil
        }
        settler.schedule(place.path, at: now.uptime + Settler.together)
    }

    // MARK: Bases

    /// What the programs of a side had last read or saved, where that is not the newest base.
    func known(to side: Side, in study: Study) throws(FileError) -> Study.Known? {
        let place = Location(side, study.document)
        // What was merged forward is the bridge's own, and was made on the newest.
        guard let sight = study.sight(side), !isUnread(sight.digest, at: place) else { return nil }
        guard let readers = readers[place], case .unread(let digest)? = readers.readership?.verdict,
            let bytes = try kept(digest, of: place)
        else { return nil }
        let newest = readers.readership?.newest
        let before = saves[place]?.saves.filter { $0.bytes != sight.bytes } ?? []
        if newest == study.record?.sides[side].digest { return Study.Known(bytes: bytes, own: before) }
        guard let own = readers.own, own.digest == newest else { return nil }
        return Study.Known(bytes: bytes, published: own.bytes, own: before)
    }

    /// What a save was made on that came out for a publication. It is told once; but not where it cannot be
    /// read now.
    mutating func base(ofRacer aside: Aside) throws(FileError) -> [UInt8]? {
        guard let publication = aside.publication, var readership = readers[aside.target]?.readership,
            let digest = readership.takeBase(of: publication)
        else { return nil }
        let bytes = try kept(digest, of: aside.target)
        readers[aside.target]?.readership = readership
        return bytes
    }

    /// What came out was no save.
    mutating func forgetBase(ofRacer aside: Aside) {
        if let publication = aside.publication {
            _ = readers[aside.target]?.readership?.takeBase(of: publication)
        }
    }

    /// It is not known yet on what a racer's save was made.
    mutating func mustAsk(aboutRacer save: Digest?, _ aside: Aside, at now: Moment) -> Bool {
        guard let publication = aside.publication,
            readers[aside.target]?.readership?
                .overtaken(save, by: publication, asking: aside.wasUnread) == true,
            aside.wasUnread
        else { return false }
        ask(about: aside.target, isOfDocument: false, at: now)
        return true
    }

    /// What stands there was saved over something unread: it is merged by a plan first, or what that had
    /// would go. Nobody is waited for who saves without end.
    func isStale(_ current: Sight, _ place: Location, since: Duration?, at now: Moment) -> Bool {
        now.uptime - (since ?? now.uptime) < Self.patience && isTakenInPart(current, place)
    }

    /// Of what stands there its plan takes only what its program has changed since it last read or saved:
    /// what else is in it is not safe by being there.
    func isTakenInPart(_ current: Sight, _ place: Location) -> Bool {
        guard !isUnread(current.digest, at: place) else { return false }
        let verdict = readers[place]?.readership?.verdict ?? .seen
        return verdict != .seen
    }

    /// Its own program has gone on from a racer's save, without having read what took the place of that: all
    /// of it is in what stands there, which was made on what that save was made on.
    mutating func isSuperseded(_ save: Digest, by current: Sight, _ aside: Aside) -> Bool {
        let place = aside.target
        guard let base = aside.base, !isUnread(current.digest, at: place),
            readers[place]?.readership?.verdict == .unread(since: save)
        else { return false }
        let digest = Digest(of: base)
        readers[place]?.readership?.saw(digest)
        readers[place]?.pinned = OwnContent(bytes: base, digest: digest)
        return true
    }

    /// `nil` where it is nowhere any more, which a read that fails does not tell.
    private func kept(_ digest: Digest, of place: Location) throws(FileError) -> [UInt8]? {
        if let pin = readers[place]?.pinned, pin.digest == digest { return pin.bytes }
        // Also what is on its way to the trash, or could not be taken there yet.
        let left = (discards.map(\.place) + stuck.keys).filter { $0.isTemporary(of: place) }
            .sorted { $0.path < $1.path }
        let waiting = asides.filter { $0.target == place }.map(\.place) + left
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
        readers[place]?.readership?.isPublication(digest) == true
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
        guard hearsEvidence else { return }
        guard exchanges(place) else { return forgetReaders(of: place) }
        var one = readers[place] ?? Readers()
        if one.readership == nil { one.readership = Readership(seen: expected, unheard: one.unheard) }
        one.unheard += 1
        one.readership?.published(staged.digest, over: isSave ? expected : nil)
        one.undecidedSince = nil
        // Also where it is gone already: what a program has saved over it is merged on top of it.
        one.own = OwnContent(bytes: bytes, digest: staged.digest, signature: seen)
        readers[place] = one
    }

    /// Where a program's own save stands, or nothing, there is nothing to read.
    mutating func forgetReaders(after job: Job) {
        for side in Side.allCases where hearsEvidence {
            let place = Location(side, job.path)
            guard var one = readers[place] else { continue }
            if one.own?.digest == records[job.path]?.sides[side].digest { one.own = nil }
            let stands = job.plan.writes[side] == nil ? job.study.sight(side) : nil
            if job.plan.removes || stands.map({ !isUnread($0.digest, at: place) }) == true {
                one.forgetReadership()
                one.own = nil
            }
            readers[place] = one.isEmpty ? nil : one
        }
    }

    /// Whoever has saved the very bytes that were published there knows them, read or not.
    mutating func noteSavesOfTheSame(in study: Study) {
        for side in Side.allCases {
            let place = Location(side, study.document)
            guard case .unread? = readers[place]?.readership?.verdict, case .unchanged = study.observed[side],
                readers[place]?.readership?.newest == study.record?.sides[side].digest
            else { continue }
            forgetReaders(of: place)
        }
    }

    /// A save that the bridge made for somebody: with `expected`, for one who says what he has seen.
    mutating func notePut(_ digest: Digest, at place: Location, isBlind: Bool) {
        guard hearsEvidence else { return }
        if exchanges(place) { readers[place, default: Readers()].unheard += 1 }
        guard isBlind, exchanges(place) else { return forgetReaders(of: place) }
        readers[place]?.readership?.put(digest)
    }

    /// A program's save has its name again, by an exchange that the queue tells of like any of the bridge's.
    mutating func noteGivenBack(_ aside: Aside) {
        let place = aside.target
        notePut(Digest(of: []), at: place, isBlind: true)
        guard let base = aside.base, !aside.wasUnread, readers[place]?.readership != nil else { return }
        let digest = Digest(of: base)
        guard digest != records[aside.document]?.sides[aside.side].digest else { return }
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
