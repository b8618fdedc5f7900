import Documents
import Reconciliation
import Storage

extension Engine {
    /// How long a file is waited for of which nobody can tell whether it is open for writing.
    static var grace: Duration { .seconds(2) }
    static var firstAsideRetry: Duration { .milliseconds(20) }
    static var longestAsideRetry: Duration { .seconds(1) }

    /// Examines what came out. `isLate`: what took its place may count as agreed by now.
    @discardableResult
    mutating func receive(_ aside: Aside, at now: Moment, isLate wasLaid: Bool = false) -> Receipt {
        var aside = aside
        let first = aside.since ?? now.uptime
        aside.since = first
        let isLate = now.uptime - first >= Self.grace
        let found: Displaced
        do throws(FileError) {
            found = try files.examine(aside.place, limit: settings.maxDocument, trustUnknown: isLate) {
                aside.expected.isMet(by: $0)
            }
        } catch .missing {
            return .nothing
        } catch .notRegular {
            return giveBack(aside, at: now)
        } catch {
            lay(aside, at: now, for: Self.longestRetry)
            return .nothing
        }
        aside.isHeldOpen = found == .busy && isLate
        let place = aside.place
        do throws(Delay) {
            return try sort(found, &aside, at: now, isLate: wasLaid)
        } catch {
            // Something changed its kind meanwhile, the disk is full, or the journal cannot be read. The file
            // stays where it is, or that which came out for it.
            lay(aside, at: now, for: Self.longestRetry)
            return aside.place == place ? .nothing : .merged
        }
    }

    /// Why a file that was put aside is looked at later.
    private enum Delay: Error {
        case file(FileError)
        case base(BaseFailure)
    }

    /// Where it throws, `aside` is what is still to be examined, with what is known of it by then: on what it
    /// was made is told only once.
    private mutating func sort(
        _ found: Displaced,
        _ aside: inout Aside,
        at now: Moment,
        isLate: Bool
    ) throws(Delay) -> Receipt {
        switch found {
        case .expected(let digest):
            forgetBase(ofRacer: aside)
            discards.append((aside.place, digest))
            if aside.isRemoval { emptied.append(aside.place) }
            return .nothing
        case .busy:
            do { aside.base = try base(of: aside) } catch { throw .base(error) }
            if !aside.isHeldOpen { _ = mustAsk(aboutRacer: nil, aside, at: now) }
            lay(aside, at: now, for: aside.isHeldOpen ? Self.longestRetry : Self.longestAsideRetry)
            return .nothing
        case .tooLarge where isLate || aside.isLeftover:
            do { try keepLarge(aside, at: now) } catch { throw .file(error) }
            return .nothing
        case .tooLarge: return giveBack(aside, at: now)
        case .overtook(let bytes):
            if aside.isOrphan {
                do { try keepOrphan(bytes, aside) } catch { throw .file(error) }
                return .nothing
            }
            do { aside.base = try base(of: aside, cameOut: bytes) } catch { throw .base(error) }
            if mustAsk(aboutRacer: Digest(of: bytes), aside, at: now) {
                lay(aside, at: now, for: Self.longestAsideRetry)
                return .nothing
            }
            do {
                if let told = try base(ofRacer: aside) { (aside.base, aside.other) = (told, nil) }
                counters.races += 1
                try mergeForward(bytes, &aside, at: now)
            } catch { throw .file(error) }
            return .merged
        }
    }

    /// Leaves it where it is, to be looked at again: soon at first, and no later than `longest`.
    mutating func lay(_ aside: Aside, at now: Moment, for longest: Duration) {
        var aside = aside
        let waited = now.uptime - (aside.since ?? now.uptime)
        aside.due = now.uptime + min(max(Self.firstAsideRetry, waited), longest)
        asides.append(aside)
    }

    /// Leaves it where it is, until something else can be done with it.
    mutating func layForGood(_ aside: Aside, at now: Moment) {
        var aside = aside
        aside.isStranger = true
        lay(aside, at: now, for: Self.longestRetry)
    }

    /// What comes out with the other side's content was most likely carried from there by a second bridge,
    /// which has displaced what was expected and will bring that forward itself. All of it was in what took
    /// its place, whatever has become of that by now: it adds nothing.
    private func base(of aside: Aside, cameOut bytes: [UInt8]) throws(BaseFailure) -> [UInt8]? {
        if Digest(of: bytes) == aside.other { return bytes }
        return try base(of: aside)
    }

    /// What the displaced save was made from; asked for only when there is one.
    private func base(of aside: Aside) throws(BaseFailure) -> [UInt8]? {
        if let known = aside.base { return known }
        guard let digest = records[aside.document]?.sides[aside.side].digest, aside.expected.isBase(digest)
        else { return nil }
        do throws(BaseFailure) {
            return try base(of: aside.document)?.bytes(on: aside.side)
        } catch .lost {
            return nil
        }
    }

    mutating func resolveAsides(at now: Moment, _ turn: inout Turn) {
        guard !asides.isEmpty else { return }
        let due = asides.filter { $0.due <= now.uptime }
        guard !due.isEmpty else { return }
        asides.removeAll { $0.due <= now.uptime }
        for aside in due where receive(aside, at: now, isLate: true) != .nothing {
            settler.enqueue(aside.document)
            holdBarriers(for: aside)
        }
        emptyHands()
    }

    /// A save was displaced: its change goes on top of what stands there now. Forward, never back: to swap it
    /// in again could displace a second racer unseen.
    private mutating func mergeForward(
        _ bytes: [UInt8],
        _ aside: inout Aside,
        at now: Moment
    ) throws(FileError) {
        let (target, since) = (aside.target, aside.since)
        var save = (bytes: bytes, aside: aside)
        defer { aside = save.aside }
        for _ in 0..<Self.mostRacers {
            settler.enqueue(save.aside.document)
            let digest = Digest(of: save.bytes)
            switch content(save.aside.side, save.aside.document) {
            case .absent where isReadable(save.bytes):
                // A deletion met an edit: the edit takes its name back, if it is still free.
                do {
                    try files.move(save.aside.place, to: target)
                    changedName(of: target)
                    return
                } catch .exists {
                    continue
                }
            case .problem(let problem) where isPassing(problem, &save.aside, at: now):
                lay(save.aside, at: now, for: Self.longestAsideRetry)
                return
            case .content(let current):
                // Also where the very same bytes stand there: a program may have made them of a later save.
                if isLeft(save, to: current, since: since, at: now) { return }
                guard current.digest != digest else {
                    return try keepUnmerged(save, evenIfThere: isTakenInPart(current, target))
                }
                guard let next = try putOnTop(save, of: current, at: now) else { return }
                save = next
            default: return try keepUnmerged(save)
            }
        }
        try keepUnmerged(save)
    }

    private static var mostRacers: Int { 16 }

    /// What stands there may be readable in a moment: a writer is half way, or the disk has failed once.
    private func isPassing(_ problem: Problem, _ aside: inout Aside, at now: Moment) -> Bool {
        switch problem {
        // Its turn asks, or waits.
        case .unheard, .beingWritten: return true
        default: guard problem.mayPass || problem.isRetried else { return false }
        }
        let since = aside.blockedSince ?? now.uptime
        aside.blockedSince = since
        return now.uptime - since < Self.grace
    }

    /// Its program has gone on from what it saved: that is all of it, or has to be merged first.
    private mutating func isLeft(
        _ save: (bytes: [UInt8], aside: Aside),
        to current: Sight,
        since: Duration?,
        at now: Moment
    ) -> Bool {
        var aside = save.aside
        let digest = Digest(of: save.bytes)
        if isSuperseded(digest, by: current, aside) {
            note(overwritten: digest, aside.document, aside.side, "saved while another save was published")
            note(merged: save.bytes, aside)
            discards.append((aside.place, digest))
            return true
        }
        guard isStale(current, aside.target, since: since, at: now) else { return false }
        aside.due = now.uptime + Self.afterRace
        aside.isLate = true
        asides.append(aside)
        return true
    }

    /// One round: `nil` once nothing more came out.
    private mutating func putOnTop(
        _ save: (bytes: [UInt8], aside: Aside),
        of current: Sight,
        at now: Moment
    ) throws(FileError) -> (bytes: [UInt8], aside: Aside)? {
        let (bytes, aside) = save
        let digest = Digest(of: bytes)
        note(overwritten: digest, aside.document, aside.side, "saved while another save was published")
        guard let merge = forwardMerge(bytes, aside, onTopOf: current) else {
            try keepUnmerged(save)
            return nil
        }
        if !merge.conflicts.isEmpty { try keepLoser(of: save, current, merge.conflicts) }
        guard merge.bytes != current.bytes else {
            try drop(save, heldBy: current)
            return nil
        }
        let target = Location(aside.side, aside.document)
        let staged = try stage(merge.bytes, at: target, over: current.digest, like: target)
        let wasUnread = isUnread(current.digest, at: target)
        let publication = try swap(staged, expected: current.digest, aside.side)
        guard case .replaced(let place) = publication else {
            return isLaid(forWriterInTheWay: aside, at: now) ? nil : save
        }
        changedName(of: target)
        note(merged: bytes, aside, onTopOf: current)
        let seen = ownSignature(of: staged, at: now).trusted
        notePublication(staged, merge.bytes, over: current.digest, isSave: !wasUnread, seen: seen)
        do throws(FileError) {
            var out = aside
            (out.publication, out.wasUnread) = (staged.digest, wasUnread)
            let more = try next(after: current, at: place, out, now)
            discards.append((aside.place, digest))
            return more
        } catch .notRegular {
            // That, or what is too large, gets its name back, and the merge comes out: no place for a save.
            try keepUnmerged(save, evenIfThere: true)
            return nil
        }
    }

    /// All of it stands there, if that is taken whole.
    private mutating func drop(
        _ save: (bytes: [UInt8], aside: Aside),
        heldBy current: Sight
    ) throws(FileError) {
        if isTakenInPart(current, save.aside.target) { return try keepUnmerged(save, evenIfThere: true) }
        discards.append((save.aside.place, Digest(of: save.bytes)))
    }

    private mutating func isLaid(forWriterInTheWay aside: Aside, at now: Moment) -> Bool {
        guard hasWriterInTheWay(aside.target, at: now) else { return false }
        lay(aside, at: now, for: Self.longestAsideRetry)
        return true
    }

    /// What came out in exchange for a merge made on `current`. Where it cannot be read now it is later: that
    /// merge stands, and is not to be made once more.
    private mutating func next(
        after current: Sight,
        at place: Location,
        _ aside: Aside,
        _ now: Moment
    ) throws(FileError) -> (bytes: [UInt8], aside: Aside)? {
        var out = aside
        (out.place, out.expected, out.number) = (place, .content(current.digest), nextSave())
        (out.base, out.isOverMerge, out.due, out.since) = (current.bytes, true, .zero, nil)
        let found: Displaced
        do throws(FileError) {
            found = try files.examine(
                place,
                limit: settings.maxDocument,
                trustUnknown: false,
                isExpected: out.expected.isMet
            )
        } catch {
            asides.append(out)
            if case .notRegular = error { throw error }
            return nil
        }
        switch found {
        case .expected(let digest): discards.append((place, digest))
        case .busy:
            _ = mustAsk(aboutRacer: nil, out, at: now)
            asides.append(out)
        case .tooLarge:
            asides.append(out)
            throw .notRegular(place, .regular)
        case .overtook(let bytes):
            if mustAsk(aboutRacer: Digest(of: bytes), out, at: now) {
                asides.append(out)
                return nil
            }
            counters.races += 1
            return (bytes, out)
        }
        return nil
    }

    private mutating func keepOrphan(_ bytes: [UInt8], _ aside: Aside) throws(FileError) {
        if isReadable(bytes) {
            let side = aside.side.rawValue
            let reason = "left in \(side) by a run that was killed, of no document that is known: it is kept"
            try keepLoser(bytes, lost(bytes, nil, aside.side, reason))
        }
        discards.append((aside.place, Digest(of: bytes)))
    }

    private func isReadable(_ bytes: [UInt8]) -> Bool { (try? JSON(parsing: bytes, limits: limits)) != nil }

    /// It cannot be merged: kept outside the container, where a person finds it.
    private mutating func keepUnmerged(
        _ save: (bytes: [UInt8], aside: Aside),
        evenIfThere: Bool = false
    ) throws(FileError) {
        let digest = Digest(of: save.bytes)
        let isKept = records[save.aside.document]?.sides[save.aside.side].digest == digest
        // Whoever was killed while writing it was never told that it is saved.
        let isHalf = save.aside.isLeftover && !isReadable(save.bytes)
        if !isKept, !isHalf, evenIfThere || !isThere(digest, save.aside) {
            let (document, side) = (save.aside.document, save.aside.side)
            let reason =
                "saved in \(side.rawValue) while another save was published, and not to be merged with it: "
                + "\(side.other.rawValue)'s stands, \(side.rawValue)'s is kept"
            var loser = lost(save.bytes, document, side, reason)
            loser.base[side] = save.aside.base
            try keepLoser(save.bytes, loser)
        }
        discards.append((save.aside.place, digest))
    }

    private func isThere(_ digest: Digest, _ aside: Aside) -> Bool {
        if case .content(let sight) = look(aside.side, aside.document, rehash: true, record: nil) {
            return sight.digest == digest
        }
        return false
    }
}
