import Documents
import Model
import Replica
import StateStore

extension Engine {
    /// Examines a displaced file. `isLate`: the content that replaced it may be the base already.
    @discardableResult
    mutating func receive(_ displaced: DisplacedFile, at now: Moment, isLate wasLaid: Bool = false)
        -> DisplacementOutcome
    {
        var displaced = displaced
        let isLate = displaced.isOverdue(at: now.uptime)
        let found: Displaced
        do throws(FileError) {
            found = try replicas[displaced.side].examine(displaced.place, trustUnknown: isLate) {
                displaced.expected.isMet(by: $0)
            }
        } catch .missing {
            return .nothing
        } catch .notRegular {
            return restoreName(displaced, at: now)
        } catch {
            writers.displacedFiles.retry(displaced, .rarely, at: now.uptime)
            return .nothing
        }
        displaced.isHeldOpen = found == .busy && isLate
        displaced.save = displaced.isHeldOpen ? save(in: displaced) : nil
        let place = displaced.place
        do throws(Delay) {
            return try sort(found, &displaced, at: now, isLate: wasLaid)
        } catch {
            // A file type changed meanwhile, the disk is full, or the journal cannot be read. The file stays
            // where it is, or the one that displaced it since.
            writers.displacedFiles.retry(displaced, .rarely, at: now.uptime)
            return displaced.place == place ? .nothing : .merged
        }
    }

    func save(in file: DisplacedFile) -> DisplacedFile.Save? {
        guard let bytes = try? contents(of: file.place), !file.expected.isMet(by: Digest(of: bytes)) else {
            return nil
        }
        return replicas[file.side].signature(ofBeingWritten: file.place.path) == nil ? .closed : .open
    }

    /// Why a displaced file is examined later.
    private enum Delay: Error {
        case file(FileError)
        case base(BaseFailure)
    }

    /// If it throws, `displaced` has what is known so far, because the base of a save is determined only
    /// once.
    private mutating func sort(
        _ found: Displaced,
        _ displaced: inout DisplacedFile,
        at now: Moment,
        isLate: Bool
    ) throws(Delay) -> DisplacementOutcome {
        switch found {
        case .expected(let digest):
            writers.readerLog.forgetBase(ofRacer: displaced)
            discards.add(displaced.place, digest, isKept: lossGuard.isKept(digest, of: displaced))
            if displaced.isRemoval { discards.addEmptied(displaced.place) }
            return .nothing
        case .busy:
            do { displaced.base = try base(of: displaced) } catch { throw .base(error) }
            // The next run has only the newest base of the document for what the program may still save.
            discards.keepBase(of: &displaced, in: state)
            writers.retry(open: displaced, at: now.uptime)
            return .nothing
        case .tooLarge where isLate || displaced.isLeftover:
            do { try keepLarge(displaced, at: now) } catch { throw .file(error) }
            return .nothing
        case .tooLarge: return restoreName(displaced, at: now)
        case .overtook(let bytes):
            if displaced.isOrphan {
                do { try keepOrphan(bytes, displaced) } catch { throw .file(error) }
                return .nothing
            }
            do { displaced.base = try base(of: displaced, cameOut: bytes) } catch { throw .base(error) }
            if writers.readerLog.mustAsk(aboutRacer: Digest(of: bytes), displaced, at: now.uptime) {
                writers.displacedFiles.retry(displaced, .soon, at: now.uptime)
                return .nothing
            }
            do {
                if let told = try base(ofRacer: displaced) { (displaced.base, displaced.other) = (told, nil) }
                counters.races += 1
                try mergeForward(bytes, &displaced, at: now)
            } catch { throw .file(error) }
            return .merged
        }
    }

    /// A displaced content that equals the other side's was most likely copied by a second bridge, which
    /// displaced the expected content and will merge that forward itself. The current content was based on
    /// it, so it adds nothing.
    private func base(of displaced: DisplacedFile, cameOut bytes: [UInt8]) throws(BaseFailure) -> [UInt8]? {
        if Digest(of: bytes) == displaced.other { return bytes }
        return try base(of: displaced)
    }

    /// The base of the displaced save; determined only if there is one.
    private func base(of displaced: DisplacedFile) throws(BaseFailure) -> [UInt8]? {
        if let known = displaced.base { return known }
        guard let digest = records[displaced.document]?.sides[displaced.side].digest,
            displaced.expected.isBase(digest)
        else {
            // The run that left the file may have kept what it had.
            guard case .marked(let name) = displaced.expected else { return nil }
            let digest = (try? state.trashed())?.first(where: name.isExpected)
            return digest.flatMap { try? kept($0, of: displaced.target) }
        }
        do throws(BaseFailure) {
            return try base(of: displaced.document)?.bytes(on: displaced.side)
        } catch .lost {
            return nil
        }
    }

    mutating func examineDisplaced(at now: Moment, _ turn: inout Turn) {
        let due = writers.displacedFiles.takeDue(at: now.uptime)
        guard !due.isEmpty else { return }
        for displaced in due where receive(displaced, at: now, isLate: true) != .nothing {
            debounceQueue.enqueue(displaced.document)
            barriers.hold(for: displaced.place, of: displaced.document)
        }
        flushDiscards()
    }

    /// A save was displaced: its change is merged with the current content. Forward, never back: swapping it
    /// in again could displace another racing save unread.
    private mutating func mergeForward(
        _ bytes: [UInt8],
        _ displaced: inout DisplacedFile,
        at now: Moment
    ) throws(FileError) {
        let target = displaced.target
        var save = (bytes: bytes, displaced: displaced)
        defer { displaced = save.displaced }
        for _ in 0..<Self.mostRacers {
            debounceQueue.enqueue(save.displaced.document)
            let digest = Digest(of: save.bytes)
            switch content(save.displaced.side, save.displaced.document) {
            case let current where isPassing(current, &save.displaced, at: now):
                writers.displacedFiles.retry(save.displaced, .soon, at: now.uptime)
                return
            case .absent where isReadable(save.bytes):
                // A deletion met an edit: the edit gets its name back, if that is free.
                do {
                    try replicas[of: target].restore(save.displaced.place, as: target.path)
                    containers.recordRename(target)
                    // Later saves of its program may wait to be merged with it.
                    writers.ownSaves.recordPublication(save.bytes, at: target)
                    return
                } catch .exists {
                    continue
                }
            case .content(let current):
                // Also if the current bytes are the same: a program may have made them from a later save.
                if isLeft(save, to: current, at: now) { return }
                guard current.digest != digest else { return try keepUnmerged(save) }
                guard let next = try putOnTop(save, of: current, at: now) else { return }
                save = next
            default: return try keepUnmerged(save)
            }
        }
        // Programs save faster than it is merged: other documents come first.
        writers.displacedFiles.retry(save.displaced, .soon, at: now.uptime)
    }

    /// In one turn.
    private static var mostRacers: Int { 16 }

    /// Whether there may be something to merge with soon: a writer is not finished, the disk failed once, or
    /// the other side has a new document of this name. That is brought here first, as the save is based on
    /// the old one.
    private func isPassing(_ current: Observation, _ displaced: inout DisplacedFile, at now: Moment) -> Bool {
        switch current {
        // The document's next turn asks for events, or waits.
        case .problem(.unheard), .problem(.beingWritten), .problem(.unfinishedSave): return true
        case .problem(let problem) where problem.mayPass || problem.isRetried: break
        case .absent where records[displaced.document] == nil:
            guard case .content = content(displaced.side.other, displaced.document) else { return false }
        default: return false
        }
        return displaced.isBlockedForNow(at: now.uptime)
    }

    /// The program saved again after its displaced save: the later save includes it, or must be merged first.
    private mutating func isLeft(
        _ save: RacingSave,
        to current: DocumentSnapshot,
        at now: Moment
    ) -> Bool {
        var displaced = save.displaced
        let digest = Digest(of: save.bytes)
        if isIncluded(save, in: current) {
            record(overwritten: digest, displaced.document, displaced.side, .savedMeanwhile)
            writers.record(merged: save.bytes, displaced)
            discards.add(displaced.place, digest)
            return true
        }
        // While it is held, no plan comes for which to wait.
        guard holds[displaced.document].map(\.isPending) ?? true,
            writers.readerLog.isTakenInPart(current.digest, at: displaced.target)
        else { return false }
        displaced.due = now.uptime + Self.afterRace
        displaced.isLate = true
        writers.displacedFiles.add(displaced)
        return true
    }

    /// Whether the program made the current content of its displaced save.
    private mutating func isIncluded(_ save: RacingSave, in current: DocumentSnapshot) -> Bool {
        let target = save.displaced.target
        guard let base = save.displaced.base,
            writers.readerLog.isBased(current.digest, on: Digest(of: save.bytes), at: target)
        else { return false }
        let recorded = try? self.base(of: target.path)?.bytes(on: save.displaced.side)
        let published = writers.readerLog.published(at: target, recorded: recorded)
        let race = Race(save: save.bytes, base: base, published: published)
        if race.isIncluded(in: current, by: rule(for: target.path), limits: limits) {
            writers.readerLog.recordInclusion(savedOver: base, at: target)
            return true
        }
        lookAgain(at: writers.forgetReaders(of: target))
        return false
    }

    /// One round of merging: `nil` once no other save is displaced.
    private mutating func putOnTop(
        _ save: RacingSave,
        of current: DocumentSnapshot,
        at now: Moment
    ) throws(FileError) -> RacingSave? {
        let (bytes, displaced, target) = (save.bytes, save.displaced, save.displaced.target)
        let digest = Digest(of: bytes)
        record(overwritten: digest, displaced.document, displaced.side, .savedMeanwhile)
        guard let merge = forwardMerge(bytes, displaced, onTopOf: current) else {
            try keepUnmerged(save)
            return nil
        }
        if !merge.conflicts.isEmpty { try keepConflictCopy(of: save, current, merge) }
        guard merge.bytes != current.bytes else {
            writers.record(settledBy: merge, of: bytes, displaced, onTopOf: current)
            discards.add(displaced.place, digest)
            return nil
        }
        let staged = try stage(merge.bytes, at: target, over: current.digest, like: target)
        let wasUnread = writers.readerLog.isUnread(current.digest, at: target)
        let publication = try swap(staged, expected: current.digest, displaced.side)
        guard case .replaced(let place) = publication else {
            return isLaid(forWriterInTheWay: displaced, at: now) ? nil : save
        }
        containers.recordRename(target)
        writers.record(published: merge, of: bytes, displaced, onTopOf: current)
        let seen = containers.signature(of: staged, at: now).trusted
        recordPublication(staged, merge.bytes, over: current.digest, isSave: !wasUnread, seen: seen)
        do throws(FileError) {
            var out = displaced
            (out.publication, out.wasUnread) = (staged.digest, wasUnread)
            let more = try next(after: current, at: place, out, now)
            discards.add(displaced.place, digest)
            return more
        } catch .notRegular {
            // Something that is not a document gets its name back and displaces the merge: keep a copy.
            try keepUnmerged(save, evenIfThere: true)
            return nil
        }
    }

    private mutating func isLaid(forWriterInTheWay displaced: DisplacedFile, at now: Moment) -> Bool {
        guard hasWriterInTheWay(displaced.target, at: now) else { return false }
        writers.displacedFiles.retry(displaced, .soon, at: now.uptime)
        return true
    }

    /// The content displaced by a merge with `current`. If it cannot be read now, it is examined later: the
    /// merge is published, and must not be repeated.
    private mutating func next(
        after current: DocumentSnapshot,
        at place: Location,
        _ displaced: DisplacedFile,
        _ now: Moment
    ) throws(FileError) -> RacingSave? {
        var out = displaced
        (out.place, out.expected) = (place, .content(current.digest))
        (out.number, out.isLate) = (writers.ownSaves.nextNumber(), false)
        (out.base, out.isOverMerge, out.due, out.since) = (current.bytes, true, .zero, nil)
        let found: Displaced
        do throws(FileError) {
            found = try replicas[out.side].examine(
                place,
                trustUnknown: false,
                isExpected: out.expected.isMet
            )
        } catch {
            writers.displacedFiles.add(out)
            if case .notRegular = error { throw error }
            return nil
        }
        switch found {
        case .expected(let digest): discards.add(place, digest)
        case .busy:
            _ = writers.readerLog.mustAsk(aboutRacer: nil, out, at: now.uptime)
            writers.displacedFiles.add(out)
        case .tooLarge:
            writers.displacedFiles.add(out)
            throw .notRegular(place, .regular)
        case .overtook(let bytes):
            if writers.readerLog.mustAsk(aboutRacer: Digest(of: bytes), out, at: now.uptime) {
                writers.displacedFiles.add(out)
                return nil
            }
            counters.races += 1
            return (bytes, out)
        }
        return nil
    }

    private mutating func keepOrphan(_ bytes: [UInt8], _ displaced: DisplacedFile) throws(FileError) {
        if isReadable(bytes) {
            let reason = ChangeReason.leftUnknown(in: displaced.side)
            try keepConflictCopy(bytes, conflictRecord(bytes, nil, displaced.side, reason), reason)
        }
        discards.add(displaced.place, Digest(of: bytes))
    }

    private func isReadable(_ bytes: [UInt8]) -> Bool { (try? JSON(parsing: bytes, limits: limits)) != nil }

    /// The save cannot be merged: it is kept outside the container, as a conflict copy.
    private mutating func keepUnmerged(
        _ save: RacingSave,
        evenIfThere: Bool = false
    ) throws(FileError) {
        let digest = Digest(of: save.bytes)
        let isKept = records[save.displaced.document]?.sides[save.displaced.side].digest == digest
        // A program that was killed while writing never had its save acknowledged.
        let isAsset = rule(for: save.displaced.document).isAsset
        let isHalf = save.displaced.isLeftover && !isAsset && !isReadable(save.bytes)
        if !isKept, !isHalf, evenIfThere || !isThere(digest, save.displaced) {
            let (document, side) = (save.displaced.document, save.displaced.side)
            let reason = ChangeReason.raced(in: side, .unmergeable)
            var copy = conflictRecord(save.bytes, document, side, reason)
            copy.base[side] = save.displaced.base
            try keepConflictCopy(save.bytes, copy, reason)
        }
        discards.add(save.displaced.place, digest)
    }

    private func isThere(_ digest: Digest, _ displaced: DisplacedFile) -> Bool {
        if case .content(let snapshot) = look(displaced.side, displaced.document, rehash: true, record: nil) {
            return snapshot.digest == digest
        }
        return false
    }
}
