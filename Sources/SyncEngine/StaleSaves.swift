package import Reconciliation
import Storage

/// What the bridge has put into a document's place.
struct OwnContent: Sendable {
    var bytes: [UInt8]
    var digest: Digest
    /// Once it was there.
    var signature: Signature
}

/// On what a save was made, which only the end of the kernel's queue tells.
struct EvidenceQuestion: Sendable {
    /// Sent for it; it comes back behind everything that was done before.
    var token: UInt64?
    /// About what stands there, and not only about what came out.
    var isOfDocument: Bool
}

/// A program that keeps its document in memory saves over what it has never read. Taken against the newest
/// base such a save would undo that. So where the kernel's queue tells that nobody has read it, the save is
/// taken against what its program had last read or saved.
///
/// Evidence is no hint: it only says on which base a save was made.
extension Engine {
    /// Who read, and who saved, in the order of the kernel's queue.
    package mutating func hear(_ evidence: Evidence, of path: RelativePath, on side: Side) {
        let place = Location(side, path)
        if evidence == .published { unheard[place] = unheard[place].flatMap { $0 > 1 ? $0 - 1 : nil } }
        guard readerships[place] != nil else { return }
        guard readerships[place]?.hear(evidence) == true else { return forgetReaders(of: place) }
        if readerships[place]?.isOver == true { readerships[place] = nil }
    }

    /// Events were lost, or told of under another path; `nil` is the whole container.
    package mutating func forgetEvidence(on side: Side, beneath directory: RelativePath? = nil) {
        let places = Set(readerships.keys).union(questions.keys).filter { place in
            place.side == side && (directory.map { place.path.isInside($0) } ?? true)
        }
        for place in places.sorted(by: { $0.path < $1.path }) { forgetReaders(of: place) }
        unheard = unheard.filter { $0.key.side != side }
    }

    private mutating func forgetReaders(of place: Location) {
        readerships[place] = nil
        answer(place)
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
            if question.isOfDocument { undecidedSince[place] = undecidedSince[place] ?? now.uptime }
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

    private mutating func ask(about place: Location, isOfDocument: Bool) {
        // One that is on its way may have left before this was done.
        let isKnown = questions[place]?.isOfDocument == true
        questions[place] = EvidenceQuestion(isOfDocument: isOfDocument || isKnown)
    }

    /// A change of a document must wait until it is known on what it was made.
    mutating func mustAsk(about study: Study, at now: Moment) -> Bool {
        guard hearsEvidence else { return false }
        var isAsking = false
        for side in Side.allCases {
            let place = Location(side, study.document)
            guard case .problem(.unheard) = study.observed[side] else {
                undecidedSince[place] = nil
                continue
            }
            isAsking = true
            if readerships[place]?.verdict == .beingWritten {
                wait(for: place, atMost: Self.patience, at: now)
            } else if undecidedSince[place] == nil {
                ask(about: place, isOfDocument: true)
            } else {
                wait(for: place, atMost: Settler.quiet, at: now)
            }
        }
        return isAsking
    }

    /// After that what was published counts as seen: a save through a hard link is never told of, and nobody
    /// is waited for much longer than a save takes.
    private mutating func wait(for place: Location, atMost patience: Duration, at now: Moment) {
        let since = undecidedSince[place] ?? now.uptime
        undecidedSince[place] = since
        if now.uptime - since >= patience {
            readerships[place] = nil
            undecidedSince[place] = nil
        }
        settler.schedule(place.path, at: now.uptime + Settler.together)
    }

    // MARK: Bases

    /// What the programs of a side had last read or saved, where that is not the newest base.
    func known(to side: Side, in study: Study) -> Study.Known? {
        let place = Location(side, study.document)
        // What was merged forward is the bridge's own, and was made on the newest.
        guard let sight = study.sight(side), !isUnread(sight.digest, at: place) else { return nil }
        guard case .unread(let digest)? = readerships[place]?.verdict else { return nil }
        guard let bytes = kept(digest, of: place) else { return nil }
        if readerships[place]?.newest == study.record?.sides[side].digest { return Study.Known(bytes: bytes) }
        guard let own = ours[place], own.digest == readerships[place]?.newest else { return nil }
        return Study.Known(bytes: bytes, published: own.bytes)
    }

    /// What a save was made on that came out for a publication.
    mutating func base(ofRacer aside: Aside) -> [UInt8]? {
        guard let publication = aside.publication,
            let digest = readerships[aside.target]?.takeBase(of: publication)
        else { return nil }
        return kept(digest, of: aside.target)
    }

    /// It is not known yet on what a racer's save was made.
    mutating func mustAsk(aboutRacer save: Digest?, _ aside: Aside) -> Bool {
        guard let publication = aside.publication,
            readerships[aside.target]?.overtaken(save, by: publication, asking: aside.wasUnread) == true,
            aside.wasUnread
        else { return false }
        ask(about: aside.target, isOfDocument: false)
        return true
    }

    /// What stands there was saved over something unread: it is merged by a plan first, or what that had
    /// would go. Nobody is waited for who saves without end.
    func isStale(_ current: Sight, _ aside: Aside, at now: Moment) -> Bool {
        guard now.uptime - (aside.since ?? now.uptime) < Self.patience else { return false }
        guard !isUnread(current.digest, at: aside.target) else { return false }
        let verdict = readerships[aside.target]?.verdict ?? .seen
        return verdict != .seen
    }

    private func kept(_ digest: Digest, of place: Location) -> [UInt8]? {
        let waiting = asides.filter { $0.target == place }.map(\.place)
        for file in [Trash.place(of: digest)].compactMap(\.self) + waiting {
            if let bytes = try? contents(of: file), Digest(of: bytes) == digest { return bytes }
        }
        return nil
    }

    // MARK: Publications

    /// The bridge's own, and nobody is known to have read it.
    func isUnread(_ digest: Digest, at place: Location) -> Bool {
        readerships[place]?.isPublication(digest) == true
    }

    /// An exchange has put `bytes` in the place of `expected`; `isSave`: which a program had saved.
    mutating func notePublication(
        _ staged: Staged,
        _ bytes: [UInt8],
        over expected: Digest,
        isSave: Bool,
        at now: Moment
    ) {
        guard hearsEvidence else { return }
        let place = staged.target
        guard exchanges(place) else { return forgetReaders(of: place) }
        let unheard = unheard[place] ?? 0
        if readerships[place] == nil { readerships[place] = Readership(seen: expected, unheard: unheard) }
        self.unheard[place] = unheard + 1
        readerships[place]?.published(staged.digest, over: isSave ? expected : nil)
        undecidedSince[place] = nil
        let seen = try? files.status(of: place).signature
        guard let seen, seen.isRenamed(staged.signature), trusted(seen, at: now) != nil else {
            ours[place] = nil
            return
        }
        ours[place] = OwnContent(bytes: bytes, digest: staged.digest, signature: seen)
    }

    /// Where a program's own save stands, or nothing, there is nothing to read.
    mutating func forgetReaders(after job: Job) {
        for side in Side.allCases where hearsEvidence {
            let place = Location(side, job.path)
            if ours[place]?.digest == records[job.path]?.sides[side].digest { ours[place] = nil }
            let stands = job.plan.writes[side] == nil ? job.study.sight(side) : nil
            if job.plan.removes || stands.map({ !isUnread($0.digest, at: place) }) == true {
                readerships[place] = nil
            }
        }
    }

    /// A save that the bridge made for somebody: with `expected`, for one who says what he has seen.
    mutating func notePut(_ digest: Digest, at place: Location, isBlind: Bool) {
        guard hearsEvidence else { return }
        if exchanges(place) { unheard[place, default: 0] += 1 }
        guard isBlind, exchanges(place) else { return forgetReaders(of: place) }
        readerships[place]?.put(digest)
    }

    /// Only an exchange can be told from other renames.
    private func exchanges(_ place: Location) -> Bool {
        settings.commit == .exchange && place.side.map { !withoutExchange[$0] } == true
    }
}
