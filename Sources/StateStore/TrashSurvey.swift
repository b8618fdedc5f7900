import FileSystem
internal import Model

/// Counts the files of the trash in slices, as many files take seconds.
struct TrashSurvey: Sendable {
    private let names: [String]
    private var next = 0
    private(set) var found: [KeptFile] = []

    init(in state: StateDirectory) throws(FileError) { names = try state.keptNames(in: Trash.directory) }

    var isComplete: Bool { next == names.count }
    var size: Int { names.count }

    mutating func advance(by looks: Int, in state: StateDirectory) throws(FileError) {
        let end = next + min(looks, names.count - next)
        while next < end {
            if let file = try state.keptFile(names[next], in: Trash.directory) { found.append(file) }
            next += 1
        }
    }

    /// Adds a file that was stored after the names were listed.
    mutating func add(_ file: KeptFile) { found.append(file) }

    /// Removes a file. If it was not counted yet, the count will not find it.
    mutating func forget(_ name: String) { found.removeAll { $0.name == name } }
}

/// The files to delete from the trash, in order.
struct TrashPruning: Sendable {
    /// Ends once the trash uses no more than this, and contains nothing too old.
    var goal: Int64
    /// Nanoseconds since 1970; `nil` to delete nothing for its age.
    var now: Int64?
    private let limits: TrashLimits
    /// `nil` until all files are counted.
    private(set) var victims: [KeptFile]?
    private var next = 0
    /// The age of the oldest file that stays.
    private var oldestToStay: Int64?

    init(goal: Int64, now: Int64?, _ limits: TrashLimits) {
        self.limits = limits
        self.goal = goal
        self.now = now
    }

    /// Chooses the files that are too old, then the oldest until the rest fits.
    mutating func choose(among found: [KeptFile]) {
        let sorted = found.sorted { ($0.kept, $0.name) < ($1.kept, $1.name) }
        var chosen = sorted.filter(isOld)
        var rest = found.reduce(0) { $0 + $1.weight } - chosen.reduce(0) { $0 + $1.weight }
        for file in sorted where !isOld(file) {
            if rest > goal {
                chosen.append(file)
                rest -= file.weight
            } else {
                oldestToStay = file.kept
                break
            }
        }
        victims = chosen
    }

    func isOld(_ file: KeptFile) -> Bool { now.map { limits.isOld(file.kept, at: $0) } ?? false }

    /// The next file to delete, if this use is above the goal.
    func victim(of bytes: Int64) -> KeptFile? {
        guard let victims, next < victims.count else { return nil }
        return isOld(victims[next]) || bytes > goal ? victims[next] : nil
    }

    mutating func advance() { next += 1 }

    var oldest: Int64? {
        guard let victims, next < victims.count else { return oldestToStay }
        return victims[next].kept
    }
}
