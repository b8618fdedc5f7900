import FileSystem
internal import Model

/// A look at each file of the trash, in slices: where there are many it takes seconds.
struct TrashSurvey: Sendable {
    private let names: [String]
    private var next = 0
    private(set) var found: [KeptFile] = []

    init(in state: StateDirectory) throws(FileError) { names = try state.keptNames(in: Trash.directory) }

    var isComplete: Bool { next == names.count }
    var size: Int { names.count }

    mutating func goOn(by looks: Int, in state: StateDirectory) throws(FileError) {
        let end = next + min(looks, names.count - next)
        while next < end {
            if let file = try state.keptFile(names[next], in: Trash.directory) { found.append(file) }
            next += 1
        }
    }

    /// One has come since the names were read.
    mutating func add(_ file: KeptFile) { found.append(file) }

    /// One has gone. What is still to be looked at is missed then.
    mutating func forget(_ name: String) { found.removeAll { $0.name == name } }
}

/// What has to go from the trash, in this order.
struct TrashPruning: Sendable {
    /// It ends once no more than this is taken of the disk, and nothing is left that is too old.
    var goal: Int64
    /// Nanoseconds since 1970; `nil` where nothing goes for its age.
    var now: Int64?
    private let limits: TrashLimits
    /// Not known before all files were looked at.
    private(set) var victims: [KeptFile]?
    private var next = 0
    /// When the oldest of those came that stay.
    private var oldestToStay: Int64?

    init(goal: Int64, now: Int64?, _ limits: TrashLimits) {
        self.limits = limits
        self.goal = goal
        self.now = now
    }

    /// What is too old, then the oldest until the rest fits.
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

    /// The next one to go, if one has to, where so much is taken.
    func victim(of bytes: Int64) -> KeptFile? {
        guard let victims, next < victims.count else { return nil }
        return isOld(victims[next]) || bytes > goal ? victims[next] : nil
    }

    mutating func goOn() { next += 1 }

    var oldest: Int64? {
        guard let victims, next < victims.count else { return oldestToStay }
        return victims[next].kept
    }
}
