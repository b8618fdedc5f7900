package import Reconciliation

/// Keeps the trash within its bounds. What lies there is counted once and then kept in step, for a look at
/// each file takes seconds where there are many.
package struct TrashKeeper: Sendable {
    /// What of it the journal keeps is found under this key.
    package static let key = "trash"

    private let maxBytes: Int64
    package private(set) var use = TrashUse()
    private var oldest: Int64?
    /// When a name in the directory was last changed, as of the count: somebody else may have put something
    /// there since, or taken it away. `nil` before the first count.
    private var modified: Int64?
    private var isCounted = false
    private var clock: SteadyClock?
    /// What was dropped and the journal still tells of.
    package var dropped: [Digest] = []

    package init(maxBytes: Int64 = Trash.maxBytes) { self.maxBytes = maxBytes }

    /// Moves a file there that was put aside, after making room for it.
    package mutating func discard(
        _ aside: Location,
        digest: Digest,
        limit: Int,
        in files: some FileSystem
    ) throws(FileError) {
        let status = try files.status(of: aside)
        try count(in: files)
        if use.bytes + status.weight > maxBytes {
            // More than this one needs: not every file that comes is to lead to a look at all.
            try prune(now: nil, maxBytes: maxBytes - maxBytes / 8 - status.weight, in: files)
        }
        let weight: Int64?
        do throws(FileError) {
            weight = try files.discard(aside, digest: digest, limit: limit, status: status)
        } catch {
            recountIfKept(digest, in: files)
            throw error
        }
        guard let weight else { return }
        use.files += 1
        use.bytes += weight
        oldest = oldest ?? status.signature.changed
    }

    /// A call that failed may have put it there: it failed to take away what is not needed any more.
    private mutating func recountIfKept(_ digest: Digest, in files: some FileSystem) {
        do throws(FileError) {
            guard try files.keptFile(digest.hex, in: Trash.directory) != nil else { return }
        } catch {
            // Nor is it known.
        }
        (isCounted, modified) = (false, nil)
    }

    /// Deletes one content, if it is there.
    package mutating func drop(_ digest: Digest, in files: some FileSystem) throws(FileError) {
        guard let file = try files.keptFile(digest.hex, in: Trash.directory) else { return }
        try count(in: files)
        do { try files.remove(file.place) } catch .missing {}
        use.files -= 1
        use.bytes -= file.weight
        dropped.append(digest)
    }

    /// Drops what is too old, where the clock can be believed. `now`: nanoseconds since 1970.
    package mutating func prune(now: Int64, in files: some FileSystem) throws(FileError) {
        clock = clock?.seen(now) ?? SteadyClock(now)
        try count(in: files)
        let limit = now - Trash.maxAge.nanoseconds
        let isDue = clock?.isSteady(since: limit) == true && oldest.map { Trash.isOld($0, at: now) } ?? false
        guard isDue || use.bytes > maxBytes else { return }
        try prune(now: isDue ? now : nil, maxBytes: maxBytes, in: files)
    }

    private mutating func prune(now: Int64?, maxBytes: Int64, in files: some FileSystem) throws(FileError) {
        let droppedBefore = use.droppedEarly
        let pruned = try files.pruned(now: now, maxBytes: maxBytes)
        use = pruned.use
        use.droppedEarly += droppedBefore
        oldest = pruned.oldest
        dropped += pruned.dropped
    }

    private mutating func count(in files: some FileSystem) throws(FileError) {
        guard !isCounted else { return }
        if let modified, try modified == Self.modified(in: files) {
            isCounted = true
            return
        }
        let kept = try files.keptFiles(in: Trash.directory)
        use = TrashUse(kept)
        oldest = kept.first?.kept
        isCounted = true
    }

    /// How full it is; counted, where that is not known.
    package func use(in files: some FileSystem) throws(FileError) -> TrashUse {
        var copy = self
        try copy.count(in: files)
        return copy.use
    }

    private static func modified(in files: some FileSystem) throws(FileError) -> Int64 {
        try files.status(of: Directory(.state, RelativePath(Trash.directory))).signature.modified
    }
}

// As the journal keeps it: numbers, parted by spaces.
extension TrashKeeper {
    /// An older release, or nobody, has written what does not fit: it is counted anew.
    package init(text: String, maxBytes: Int64) {
        self.init(maxBytes: maxBytes)
        let fields = text.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
        guard fields.count == 6, let files = fields[0], let bytes = fields[1], let last = fields[4],
            let since = fields[5]
        else { return }
        use.files = Int(files)
        use.bytes = bytes
        (oldest, modified) = (fields[2], fields[3])
        clock = SteadyClock(last: last, since: since)
    }

    /// What the journal is to keep; `nil` where nothing is known.
    package func text(in files: some FileSystem) throws(FileError) -> String? {
        guard let clock else { return nil }
        let modified = isCounted ? try Self.modified(in: files) : modified
        let fields = [Int64(use.files), use.bytes, oldest, modified, clock.last, clock.since]
        return fields.map { $0.map(String.init) ?? "" }.joined(separator: " ")
    }
}

/// Since when the wall clock has gone on as clocks do. One that is a month ahead makes everything look old,
/// and a machine without a battery starts in 1970: what is dropped for its age must have been seen to age.
struct SteadyClock: Sendable, Hashable {
    /// A machine may be off for a week; what is longer cannot be told from a clock that was set.
    private static let longestStep = Duration.seconds(7 * 24 * 3600).nanoseconds
    /// A clock that was ahead is set back by as much at most.
    private static let longestStepBack = Duration.seconds(3600).nanoseconds

    /// Nanoseconds since 1970.
    var last: Int64
    var since: Int64

    init(last: Int64, since: Int64) {
        self.last = last
        self.since = since
    }

    init(_ now: Int64) { self.init(last: now, since: now) }

    func seen(_ now: Int64) -> SteadyClock {
        let isStep = (last - Self.longestStepBack...last + Self.longestStep).contains(now)
        return SteadyClock(last: now, since: isStep ? min(since, now) : now)
    }

    /// It has shown that time, or an earlier one, and gone on steadily to now.
    func isSteady(since time: Int64) -> Bool { since <= time }
}
