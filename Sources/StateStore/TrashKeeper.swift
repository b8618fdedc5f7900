import FileSystem
package import Model

/// Keeps the trash within its limits. The files are counted once and the count is then updated, as a `stat`
/// of each file takes seconds if there are many.
package struct TrashKeeper: Sendable {
    /// The journal key of the stored count.
    package static let key = "trash"

    private let limits: TrashLimits
    /// Its limit is at most a tenth of what the disk has left without the trash, so that the trash never
    /// fills it.
    package private(set) var use: TrashUse
    private var maxBytes: Int64 { use.limit }
    private var oldest: Int64?
    /// The directory's modification time at the count: another program may have added or removed files since.
    /// `nil` before the first count.
    private var modified: Int64?
    private var isCounted = false
    private var clock: SteadyClock?
    /// A count in progress: each call does a slice, so that other requests are not blocked.
    private var survey: TrashSurvey?
    private var pruning: TrashPruning?
    /// Contents that were deleted and that the journal still lists.
    package var dropped: [Digest] = []

    /// Files per slice: at most about a tenth of a second, even on a disk that takes some milliseconds to
    /// delete a file.
    package static let looks = 512
    package static let removals = 16
    /// Files per added file, of which a turn may have many.
    private static let looksForEach = 32

    package init(_ limits: TrashLimits = TrashLimits()) {
        self.limits = limits
        use = TrashUse(limit: limits.maxBytes)
    }

    /// A count or a cleanup is in progress; `advance` continues it.
    package var isBusy: Bool { survey != nil || pruning != nil }

    /// Called once the files are counted.
    private mutating func fit(to state: StateDirectory) {
        let tenth = state.files.room.map { ($0 + use.bytes) / 10 } ?? .max
        use.limit = min(limits.maxBytes, tenth)
    }

    /// Moves a displaced file to the trash, after making room for it. Until the count knows what can be
    /// deleted, the trash may exceed its limit.
    package mutating func discard(
        _ aside: Location,
        digest: Digest,
        limit: Int,
        in state: StateDirectory
    ) throws(FileError) {
        let status = try state.files.status(of: aside)
        try makeRoom(for: status.weight, in: state)
        try count(digest, in: state) { () throws(FileError) in
            try state.discard(aside, digest: digest, limit: limit, status: status)
                .map { ($0, since: status.signature.changed) }
        }
    }

    /// Stores a content that is not in a file.
    package mutating func keep(_ bytes: [UInt8], digest: Digest, in state: StateDirectory) throws(FileError) {
        guard !bytes.isEmpty, let place = Trash.place(of: digest) else { return }
        try makeRoom(for: Int64(bytes.count), in: state)
        try count(digest, in: state) { () throws(FileError) in
            guard try state.keep(bytes, at: place) else { return nil }
            return try state.keptFile(digest.hex, in: Trash.directory).map { ($0.weight, since: $0.kept) }
        }
    }

    /// `put` stores a content; it returns `nil` if it was there already.
    private mutating func count(
        _ digest: Digest,
        in state: StateDirectory,
        _ put: () throws(FileError) -> (weight: Int64, since: Int64)?
    ) throws(FileError) {
        let new: (weight: Int64, since: Int64)?
        do throws(FileError) {
            new = try put()
        } catch {
            recountIfKept(digest, in: state)
            throw error
        }
        guard let new else { return }
        // The names were listed before this file was added.
        if survey != nil, let file = try state.keptFile(digest.hex, in: Trash.directory) { survey?.add(file) }
        guard isCounted else { return }
        use.files += 1
        use.bytes += new.weight
        oldest = oldest ?? new.since
    }

    private mutating func makeRoom(for weight: Int64, in state: StateDirectory) throws(FileError) {
        try beginCount(in: state)
        try look(beside: weight, in: state)
        guard isCounted else { return }
        fit(to: state)
        // If the trash is too full already, it must not grow.
        let most = max(maxBytes, use.bytes)
        // More than this file needs, so that not every added file triggers a count.
        let goal = maxBytes - maxBytes / 8 - weight
        // The files chosen so far may not be enough.
        for _ in 0..<2 where use.bytes + weight > most {
            if pruning == nil { try begin(TrashPruning(goal: goal, now: nil, limits), in: state) }
            if let known = pruning?.goal { pruning?.goal = min(goal, known) }
            try look(beside: weight, in: state)
            while use.bytes + weight > most, try dropNext(in: state) {}
        }
    }

    /// The larger the added file, the sooner the count must find files to delete.
    private mutating func look(beside weight: Int64, in state: StateDirectory) throws(FileError) {
        let share = min(1, Double(weight) / Double(max(1, maxBytes / 8)))
        try look(by: Self.looksForEach + Int(Double(survey?.size ?? 0) * share), in: state)
    }

    /// The failed call may still have stored the content: it failed to remove the displaced file.
    private mutating func recountIfKept(_ digest: Digest, in state: StateDirectory) {
        do throws(FileError) {
            guard try state.keptFile(digest.hex, in: Trash.directory) != nil else { return }
        } catch {
            // Its state stays unknown.
        }
        stop()
        (isCounted, modified) = (false, nil)
    }

    /// Deletes one content, if it exists.
    package mutating func drop(_ digest: Digest, in state: StateDirectory) throws(FileError) {
        guard let file = try state.keptFile(digest.hex, in: Trash.directory) else { return }
        try beginCount(in: state)
        do { try state.files.remove(file.place) } catch .missing {}
        survey?.forget(file.name)
        if isCounted { uncount(file) }
        dropped.append(digest)
    }

    private mutating func uncount(_ file: KeptFile) {
        use.files -= 1
        use.bytes -= file.weight
    }

    /// Starts deleting files that are too old, if the clock is reliable, and those above the limit. `now`:
    /// nanoseconds since 1970.
    package mutating func prune(now: Int64, in state: StateDirectory) throws(FileError) {
        clock = clock?.seen(now) ?? SteadyClock(now)
        try beginCount(in: state)
        if isCounted {
            fit(to: state)
            if pruning == nil, let due { try begin(due, in: state) }
        }
        try advance(in: state)
    }

    private var due: TrashPruning? {
        guard let clock else { return nil }
        let limit = clock.last - limits.maxAge.nanoseconds
        let isDue =
            clock.isSteady(since: limit) && oldest.map { limits.isOld($0, at: clock.last) } ?? false
        guard isDue || use.bytes > maxBytes else { return nil }
        return TrashPruning(goal: maxBytes, now: isDue ? clock.last : nil, limits)
    }

    private mutating func begin(_ pruning: TrashPruning, in state: StateDirectory) throws(FileError) {
        survey = try TrashSurvey(in: state)
        self.pruning = pruning
    }

    /// One slice of the work in progress.
    package mutating func advance(in state: StateDirectory) throws(FileError) {
        try look(by: Self.looks, in: state)
        for _ in 0..<Self.removals where try !dropNext(in: state) { return }
    }

    /// All of the work in progress.
    package mutating func finish(in state: StateDirectory) throws(FileError) {
        while isBusy {
            try look(by: .max, in: state)
            while try dropNext(in: state) {}
        }
    }

    /// Stops the work in progress; the next `prune` starts again.
    package mutating func stop() { (survey, pruning) = (nil, nil) }

    private mutating func look(by looks: Int, in state: StateDirectory) throws(FileError) {
        guard survey != nil else { return }
        try survey?.advance(by: looks, in: state)
        guard let found = survey?.found, survey?.isComplete == true else { return }
        survey = nil
        let droppedBefore = use.droppedEarly
        use = TrashUse(found, limit: maxBytes)
        use.droppedEarly = droppedBefore
        oldest = found.lazy.map(\.kept).min()
        isCounted = true
        fit(to: state)
        if pruning == nil { pruning = due }
        pruning?.choose(among: found)
    }

    /// `false` if there is nothing more to delete, or that is not known yet.
    private mutating func dropNext(in state: StateDirectory) throws(FileError) -> Bool {
        guard survey == nil, let pruning else { return false }
        guard let file = pruning.victim(of: use.bytes) else {
            oldest = pruning.oldest ?? (use.files > 0 ? oldest : nil)
            self.pruning = nil
            // Meanwhile more files were added than chosen for deletion, or the disk has less room.
            if use.bytes > maxBytes {
                try begin(TrashPruning(goal: min(pruning.goal, maxBytes), now: nil, limits), in: state)
            }
            return false
        }
        let found = try state.keptFile(file.name, in: Trash.directory)
        // If it was stored again meanwhile, its age started again.
        if found == nil || found == file {
            do { try state.files.remove(file.place) } catch .missing {}
            if let digest = file.digest { dropped.append(digest) }
            if !pruning.isOld(file) { use.droppedEarly += 1 }
            uncount(file)
        }
        self.pruning?.advance()
        return true
    }

    private mutating func beginCount(in state: StateDirectory) throws(FileError) {
        guard !isCounted, survey == nil else { return }
        if let modified, try modified == Self.modified(in: state) {
            isCounted = true
            return
        }
        survey = try TrashSurvey(in: state)
    }

    /// The use of the trash; counts the files if it is unknown.
    package func use(in state: StateDirectory) throws(FileError) -> TrashUse {
        var copy = self
        try copy.beginCount(in: state)
        try copy.look(by: .max, in: state)
        copy.fit(to: state)
        return copy.use
    }

    private static func modified(in state: StateDirectory) throws(FileError) -> Int64 {
        try state.files.status(of: Directory(.state, RelativePath(Trash.directory))).signature.modified
    }
}

// The format in the journal: numbers separated by spaces.
extension TrashKeeper {
    /// An invalid text makes the trash be counted again.
    package init(text: String, _ limits: TrashLimits) {
        self.init(limits)
        let fields = text.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
        guard fields.count == 6, let files = fields[0], let bytes = fields[1], let last = fields[4],
            let since = fields[5]
        else { return }
        use.files = Int(files)
        use.bytes = bytes
        (oldest, modified) = (fields[2], fields[3])
        clock = SteadyClock(last: last, since: since)
    }

    /// The text for the journal; `nil` if nothing is known.
    package func text(in state: StateDirectory) throws(FileError) -> String? {
        guard let clock else { return nil }
        let modified = isCounted ? try Self.modified(in: state) : modified
        let fields = [Int64(use.files), use.bytes, oldest, modified, clock.last, clock.since]
        return fields.map { $0.map(String.init) ?? "" }.joined(separator: " ")
    }
}

/// Since when the wall clock has run steadily. A clock that is a month ahead makes everything look old, and a
/// machine without a battery starts in 1970, so files are only deleted for an age that a steady clock
/// measured.
struct SteadyClock: Sendable, Hashable {
    /// A machine may be off for a week; a longer step may be a clock that was set.
    private static let longestStep = Duration.seconds(7 * 24 * 3600).nanoseconds
    /// The most that a clock is set back without counting as changed.
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

    /// Whether it has run steadily since that time.
    func isSteady(since time: Int64) -> Bool { since <= time }
}
