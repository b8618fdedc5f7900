import FileSystem
package import Model

/// Keeps the trash within its bounds. What lies there is counted once and then kept in step, for a look at
/// each file takes seconds where there are many.
package struct TrashKeeper: Sendable {
    /// What of it the journal keeps is found under this key.
    package static let key = "trash"

    private let limits: TrashLimits
    private var maxBytes: Int64 { limits.maxBytes }
    package private(set) var use: TrashUse
    private var oldest: Int64?
    /// When a name in the directory was last changed, as of the count: somebody else may have put something
    /// there since, or taken it away. `nil` before the first count.
    private var modified: Int64?
    private var isCounted = false
    private var clock: SteadyClock?
    /// Under way: each call does a slice, for others wait for an answer meanwhile.
    private var survey: TrashSurvey?
    private var pruning: TrashPruning?
    /// What was dropped and the journal still tells of.
    package var dropped: [Digest] = []

    /// Of a slice: as much as takes a tenth of a second or less, also on a disk that takes some milliseconds
    /// to delete a file.
    package static let looks = 512
    package static let removals = 16
    /// With each file that comes, of which there may be many in a turn.
    private static let looksForEach = 32

    package init(_ limits: TrashLimits = TrashLimits()) {
        self.limits = limits
        use = TrashUse(limit: limits.maxBytes)
    }

    /// Something is to be counted or to be dropped yet: by `goOn`.
    package var isBusy: Bool { survey != nil || pruning != nil }

    /// Moves a file there that was put aside, after making room for it. While it is not known what can go it
    /// may take more room than there is.
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

    /// Keeps a content that is in no file.
    package mutating func keep(_ bytes: [UInt8], digest: Digest, in state: StateDirectory) throws(FileError) {
        guard !bytes.isEmpty, let place = Trash.place(of: digest) else { return }
        try makeRoom(for: Int64(bytes.count), in: state)
        try count(digest, in: state) { () throws(FileError) in
            guard try state.keep(bytes, at: place) else { return nil }
            return try state.keptFile(digest.hex, in: Trash.directory).map { ($0.weight, since: $0.kept) }
        }
    }

    /// `put` brings a content there; `nil` where it was there already.
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
        // The names were read before.
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
        // What is too full already is not to become fuller.
        let most = max(maxBytes, use.bytes)
        // More than this one needs: not every file that comes is to lead to a look at all.
        let goal = maxBytes - maxBytes / 8 - weight
        // What was to go before may not be enough.
        for _ in 0..<2 where use.bytes + weight > most {
            if pruning == nil { try begin(TrashPruning(goal: goal, now: nil, limits), in: state) }
            if let known = pruning?.goal { pruning?.goal = min(goal, known) }
            try look(beside: weight, in: state)
            while use.bytes + weight > most, try dropNext(in: state) {}
        }
    }

    /// The larger what comes is, the sooner it has to be known what can go for it.
    private mutating func look(beside weight: Int64, in state: StateDirectory) throws(FileError) {
        let share = min(1, Double(weight) / Double(max(1, maxBytes / 8)))
        try look(by: Self.looksForEach + Int(Double(survey?.size ?? 0) * share), in: state)
    }

    /// A call that failed may have put it there: it failed to take away what is not needed any more.
    private mutating func recountIfKept(_ digest: Digest, in state: StateDirectory) {
        do throws(FileError) {
            guard try state.keptFile(digest.hex, in: Trash.directory) != nil else { return }
        } catch {
            // Nor is it known.
        }
        stop()
        (isCounted, modified) = (false, nil)
    }

    /// Deletes one content, if it is there.
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

    /// Begins to drop what is too old, where the clock can be believed, and what is too much. `now`:
    /// nanoseconds since 1970.
    package mutating func prune(now: Int64, in state: StateDirectory) throws(FileError) {
        clock = clock?.seen(now) ?? SteadyClock(now)
        try beginCount(in: state)
        if isCounted, pruning == nil, let due { try begin(due, in: state) }
        try goOn(in: state)
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

    /// One slice of what is under way.
    package mutating func goOn(in state: StateDirectory) throws(FileError) {
        try look(by: Self.looks, in: state)
        for _ in 0..<Self.removals where try !dropNext(in: state) { return }
    }

    /// All of what is under way.
    package mutating func finish(in state: StateDirectory) throws(FileError) {
        while isBusy {
            try look(by: .max, in: state)
            while try dropNext(in: state) {}
        }
    }

    /// What could not be done is begun anew with the next `prune`.
    package mutating func stop() { (survey, pruning) = (nil, nil) }

    private mutating func look(by looks: Int, in state: StateDirectory) throws(FileError) {
        guard survey != nil else { return }
        try survey?.goOn(by: looks, in: state)
        guard let found = survey?.found, survey?.isComplete == true else { return }
        survey = nil
        let droppedBefore = use.droppedEarly
        use = TrashUse(found, limit: maxBytes)
        use.droppedEarly = droppedBefore
        oldest = found.lazy.map(\.kept).min()
        isCounted = true
        if pruning == nil { pruning = due }
        pruning?.choose(among: found)
    }

    /// `false` where nothing more is to go, or that is not known yet.
    private mutating func dropNext(in state: StateDirectory) throws(FileError) -> Bool {
        guard survey == nil, let pruning else { return false }
        guard let file = pruning.victim(of: use.bytes) else {
            oldest = pruning.oldest ?? (use.files > 0 ? oldest : nil)
            self.pruning = nil
            // More has come meanwhile than was to go.
            if use.bytes > maxBytes {
                try begin(TrashPruning(goal: pruning.goal, now: nil, limits), in: state)
            }
            return false
        }
        let found = try state.keptFile(file.name, in: Trash.directory)
        // Young again, if it has come once more since.
        if found == nil || found == file {
            do { try state.files.remove(file.place) } catch .missing {}
            if let digest = file.digest { dropped.append(digest) }
            if !pruning.isOld(file) { use.droppedEarly += 1 }
            uncount(file)
        }
        self.pruning?.goOn()
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

    /// How full it is; counted, where that is not known.
    package func use(in state: StateDirectory) throws(FileError) -> TrashUse {
        var copy = self
        try copy.beginCount(in: state)
        try copy.look(by: .max, in: state)
        return copy.use
    }

    private static func modified(in state: StateDirectory) throws(FileError) -> Int64 {
        try state.files.status(of: Directory(.state, RelativePath(Trash.directory))).signature.modified
    }
}

// As the journal keeps it: numbers, parted by spaces.
extension TrashKeeper {
    /// An older release, or nobody, has written what does not fit: it is counted anew.
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

    /// What the journal is to keep; `nil` where nothing is known.
    package func text(in state: StateDirectory) throws(FileError) -> String? {
        guard let clock else { return nil }
        let modified = isCounted ? try Self.modified(in: state) : modified
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
