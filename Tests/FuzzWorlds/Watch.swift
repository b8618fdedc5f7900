import Model
import RaceLab

/// What a watcher delivers to the engine: hints that are late, repeated, out of order, or only "check
/// everything".
struct Watch {
    enum Hint: Hashable {
        case look(Side, RelativePath)
        case beneath(Side, RelativePath?)
        case everything
    }

    private struct Waiting {
        var due: Duration
        var hint: Hint
        /// The number of the change it reports.
        var number: UInt64
    }

    private enum Health: Hashable {
        case well, hanging(until: Duration), hangingForGood
    }

    private var health = Health.well
    private var waiting: [Waiting] = []
    private var words: [(due: Duration, word: WatchMessage)] = []
    private var random: SeededRandom
    /// The number of changes of names.
    private(set) var noted: UInt64 = 0
    private let longestDelay: Duration
    /// Whether hints are delivered at once.
    var isPrompt = false
    private let doubles: Bool
    private let overflows: Int

    init(seed: UInt64, _ faultProfile: FaultProfile) {
        random = SeededRandom(seed: seed, .hints)
        longestDelay = faultProfile.longestDelay
        doubles = faultProfile.doublesHints
        overflows = faultProfile.overflows
    }

    /// Whether no hint is pending.
    var isEmpty: Bool {
        switch health {
        case .well: waiting.isEmpty && words.isEmpty
        case .hanging: false
        case .hangingForGood: true
        }
    }

    var next: Duration? {
        if case .hanging(let end) = health { return end }
        return (waiting.map(\.due) + words.prefix(1).map(\.due)).min()
    }

    /// The helper delivers nothing until then, when another replaces it; or never.
    mutating func hang(until end: Duration?) {
        health = end.map { .hanging(until: $0) } ?? .hangingForGood
        (waiting, words) = ([], [])
    }

    /// The new helper has no pending hints, and who has read what since is unknown as well.
    mutating func replace(at now: Duration) {
        restart(at: now)
        words = [(now, .lost)]
    }

    /// Records that a name changed.
    mutating func add(_ place: Location, at now: Duration) {
        guard let side: Side = place.root == .state ? nil : (place.root == .app ? .app : .group) else {
            return
        }
        guard health == .well else { return }
        noted += 1
        if random.isOne(in: overflows) {
            let first = waiting.map(\.number).min() ?? noted
            waiting = [Waiting(due: now + delay(), hint: .everything, number: first)]
            words = []
            say(.lost, at: now)
            return
        }
        let isDirectory = place.path.directory != nil && random.isOne(in: 4)
        let hint: Hint = isDirectory ? .beneath(side, place.path.directory) : .look(side, place.path)
        for _ in 0..<(doubles && random.coin() ? 2 : 1) {
            waiting.append(Waiting(due: now + delay(), hint: hint, number: noted))
        }
    }

    private mutating func delay() -> Duration {
        longestDelay == .zero || isPrompt ? .zero : random.duration(upTo: longestDelay)
    }

    /// A new watcher knows nothing, and says so.
    mutating func restart(at now: Duration) {
        health = .well
        waiting = [Waiting(due: now, hint: .everything, number: 0)]
        words = []
    }

    mutating func say(_ word: WatchMessage, at now: Duration) {
        guard health == .well else { return }
        words.append((max(words.last?.due ?? now, now + delay()), word))
    }

    /// Whether all hints up to this number are delivered.
    func hasTold(upTo number: UInt64) -> Bool {
        health == .well && !waiting.contains { $0.number <= number }
    }

    mutating func takeWords(at now: Duration) -> [WatchMessage] {
        if case .hanging(let end) = health, end <= now { replace(at: now) }
        let due = words.prefix { $0.due <= now }.map(\.word)
        words.removeFirst(due.count)
        return due
    }

    mutating func take(at now: Duration) -> [Hint] {
        let due = waiting.filter { $0.due <= now }
        waiting.removeAll { $0.due <= now }
        return due.map(\.hint)
    }
}
