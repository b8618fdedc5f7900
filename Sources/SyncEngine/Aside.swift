import Documents
import Reconciliation
import Storage

/// A file that came out of an exchange or a removal, or was left by a run that was killed. It may be the only
/// copy of somebody's save until it has been examined.
struct Aside: Sendable {
    var side: Side
    var document: RelativePath
    var place: Location
    /// What should have come out.
    var expected: Digest
    /// The bytes of that, where they are known: what a racer's save was made from.
    var base: [UInt8]?
    var due: Duration
    var since: Duration?
}

extension Engine {
    /// How long a file is waited for of which nobody can tell whether it is open for writing.
    static var grace: Duration { .seconds(2) }
    static var firstAsideRetry: Duration { .milliseconds(20) }
    static var longestAsideRetry: Duration { .seconds(1) }

    /// Examines what came out; `true` if it was a racer's save, which has been merged forward.
    @discardableResult
    mutating func receive(_ aside: Aside, at now: Moment) -> Bool {
        var aside = aside
        let first = aside.since ?? now.uptime
        aside.since = first
        let waited = now.uptime - first
        do throws(FileError) {
            let limit = settings.maxDocument
            let isLate = waited >= Self.grace
            switch try files.examine(
                aside.place,
                expected: aside.expected,
                limit: limit,
                trustUnknown: isLate
            ) {
            case .expected:
                discards.append((aside.place, aside.expected))
                return false
            case .busy:
                aside.base = base(of: aside)
                aside.due = now.uptime + min(max(Self.firstAsideRetry, waited), Self.longestAsideRetry)
                asides.append(aside)
                return false
            case .overtook(let bytes):
                counters.races += 1
                aside.base = base(of: aside)
                try mergeForward(bytes, aside, at: now)
                return true
            }
        } catch .missing {
            return false
        } catch {
            // It lies where it is, and is found again.
            aside.due = now.uptime + Self.longestRetry
            asides.append(aside)
            return true
        }
    }

    /// What the displaced save was made from; asked for only when there is one.
    private func base(of aside: Aside) -> [UInt8]? {
        if let known = aside.base { return known }
        guard records[aside.document]?.sides[aside.side].digest == aside.expected else { return nil }
        return (try? base(of: aside.document))?.bytes(on: aside.side)
    }

    mutating func resolveAsides(at now: Moment, _ turn: inout Turn) {
        guard !asides.isEmpty else { return }
        let due = asides.filter { $0.due <= now.uptime }
        guard !due.isEmpty else { return }
        asides.removeAll { $0.due <= now.uptime }
        for aside in due where receive(aside, at: now) { settler.enqueue(aside.document) }
        emptyHands()
    }

    /// Moves what is understood into the trash, off the way of the next change.
    mutating func emptyHands() {
        for (place, digest) in discards {
            try? files.discard(place, digest: digest, limit: settings.maxDocument)
        }
        discards.removeAll(keepingCapacity: true)
    }

    /// A save was displaced: its change goes on top of what stands there now. Forward, never back: to swap it
    /// in again could displace a second racer unseen.
    private mutating func mergeForward(_ bytes: [UInt8], _ aside: Aside, at now: Moment) throws(FileError) {
        let target = Location(aside.side, aside.document)
        var save = (bytes: bytes, aside: aside)
        for _ in 0..<Self.mostRacers {
            settler.enqueue(aside.document)
            let digest = Digest(of: save.bytes)
            switch look(aside.side, aside.document, rehash: true, record: nil) {
            case .absent:
                // A deletion met an edit: the edit takes its name back, if it is still free.
                do {
                    try files.rename(save.aside.place, to: target, .exclusive)
                    return
                } catch .exists {
                    continue
                }
            case .content(let current) where current.digest != digest:
                guard let next = try putOnTop(save, of: current) else { return }
                save = next
            default:
                try keepUnmerged(save)
                return
            }
        }
        try keepUnmerged(save)
    }

    private static var mostRacers: Int { 16 }

    /// One round: `nil` once nothing more came out.
    private mutating func putOnTop(
        _ save: (bytes: [UInt8], aside: Aside),
        of current: Sight
    ) throws(FileError) -> (bytes: [UInt8], aside: Aside)? {
        let (bytes, aside) = save
        let digest = Digest(of: bytes)
        guard let merge = forwardMerge(bytes, aside, onTopOf: current) else {
            try keepUnmerged(save)
            return nil
        }
        if merge.hasLoser { keepLoser(aside.side == .app ? current.bytes : bytes, of: aside.document) }
        guard merge.bytes != current.bytes else {
            discards.append((aside.place, digest))
            return nil
        }
        let target = Location(aside.side, aside.document)
        let staged = try files.stage(
            merge.bytes,
            digest: Digest(of: merge.bytes),
            for: target,
            like: target,
            number: nextNumber(),
            synced: settings.durability != .none
        )
        let publication = try swap(staged, expected: current.digest, aside.side)
        guard case .replaced(let place) = publication else { return save }
        discards.append((aside.place, digest))
        return try next(after: current, at: place, aside)
    }

    /// What came out in exchange for a merge made on `current`.
    private mutating func next(
        after current: Sight,
        at place: Location,
        _ aside: Aside
    ) throws(FileError) -> (bytes: [UInt8], aside: Aside)? {
        var out = aside
        out.place = place
        out.expected = current.digest
        out.base = current.bytes
        out.due = .zero
        out.since = nil
        let limit = settings.maxDocument
        switch try files.examine(place, expected: current.digest, limit: limit, trustUnknown: false) {
        case .expected: discards.append((place, current.digest))
        case .busy: asides.append(out)
        case .overtook(let bytes):
            counters.races += 1
            return (bytes, out)
        }
        return nil
    }

    /// It cannot be merged: kept outside the container, where a person finds it.
    private mutating func keepUnmerged(_ save: (bytes: [UInt8], aside: Aside)) throws(FileError) {
        let digest = Digest(of: save.bytes)
        if records[save.aside.document]?.sides[save.aside.side].digest != digest, !isThere(digest, save.aside)
        {
            keepLoser(save.bytes, of: save.aside.document)
        }
        discards.append((save.aside.place, digest))
    }

    private func isThere(_ digest: Digest, _ aside: Aside) -> Bool {
        if case .content(let sight) = look(aside.side, aside.document, rehash: true, record: nil) {
            return sight.digest == digest
        }
        return false
    }

    mutating func keepLoser(_ bytes: [UInt8], of document: RelativePath) {
        guard let name = try? files.keepLoser(bytes, of: document), !name.isEmpty else { return }
        counters.conflicts += 1
    }
}
