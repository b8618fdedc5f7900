import Model
import RaceLab

/// What a watcher tells the engine: late, doubled, out of order, or nothing but "look at everything".
struct Watch {
    enum Hint: Hashable {
        case look(Side, RelativePath)
        case beneath(Side, RelativePath?)
        case everything
    }

    private struct Waiting {
        var due: Duration
        var hint: Hint
        /// Of what it tells of.
        var number: UInt64
    }

    private enum Health: Hashable {
        case well, hanging(until: Duration), hangingForGood
    }

    private var health = Health.well
    private var waiting: [Waiting] = []
    private var words: [(due: Duration, word: WatchMessage)] = []
    private var random: SeededRandom
    /// How much has happened to names.
    private(set) var noted: UInt64 = 0
    private let longestDelay: Duration
    /// Nothing comes late any more.
    var isPrompt = false
    private let doubles: Bool
    private let overflows: Int

    init(seed: UInt64, _ faultProfile: FaultProfile) {
        random = SeededRandom(seed: seed, .hints)
        longestDelay = faultProfile.longestDelay
        doubles = faultProfile.doublesHints
        overflows = faultProfile.overflows
    }

    /// Nothing will come of itself.
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

    /// The helper says nothing more until then, when another takes its place; or never.
    mutating func hang(until end: Duration?) {
        health = end.map { .hanging(until: $0) } ?? .hangingForGood
        (waiting, words) = ([], [])
    }

    /// The new one knows nothing, and who has read what since is not known either.
    mutating func replace(at now: Duration) {
        restart(at: now)
        words = [(now, .lost)]
    }

    /// Something happened to a name.
    mutating func note(_ place: Location, at now: Duration) {
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

    /// Nothing is waiting of what had been noted when that many were.
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
