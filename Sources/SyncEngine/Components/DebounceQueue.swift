package import Model

/// When each document is looked at.
///
/// The first hint acts at once; more of them within 20 ms of an act are one. A disappearance waits until
/// nothing has disappeared for 100 ms, of many for 500 ms: savers that unlink and write again make the name
/// blink, and a mass deletion must be seen whole before the first one crosses. Time comes in as a value.
package struct DebounceQueue: Sendable {
    package static let together = Duration.milliseconds(20)
    package static let quiet = Duration.milliseconds(100)
    /// A stream of deletions without end is let through after this.
    package static let patience = Duration.seconds(2)
    /// The same while so much disappears that the bridge may have to halt: a busy machine pauses in between.
    package static let quietOfMany = Duration.milliseconds(500)
    package static let patienceWithMany = Duration.seconds(10)

    /// Due now, first come first served; `queued` are those from `head` on.
    private var queue: [RelativePath] = []
    private var head = 0
    private var queued: Set<RelativePath> = []
    private var later: [RelativePath: Duration] = [:]
    /// The same in order: to look through all of them each time would take long with many.
    private var dues = MinimumSet<Due>()
    private var acted: [RelativePath: Duration] = [:]
    private var vanished: [RelativePath: Duration] = [:]
    private var lastVanished = Duration.zero
    /// So many disappear at present.
    package var isMassive = false

    private struct Due: Hashable, Comparable, Sendable {
        var time: Duration
        var path: RelativePath

        static func < (a: Self, b: Self) -> Bool { (a.time, a.path) < (b.time, b.path) }
    }

    package init() {}

    /// Something may have changed.
    package mutating func hint(_ path: RelativePath, at now: Duration) {
        if let last = acted[path], now < last + Self.together {
            schedule(path, at: last + Self.together)
        } else {
            enqueue(path)
        }
    }

    /// Looks again at that time, or sooner if there is reason.
    package mutating func schedule(_ path: RelativePath, at time: Duration) {
        guard !queued.contains(path) else { return }
        if let known = later[path], known <= time { return }
        unschedule(path)
        later[path] = time
        dues.insert(Due(time: time, path: path))
    }

    private mutating func unschedule(_ path: RelativePath) {
        guard let time = later.removeValue(forKey: path) else { return }
        dues.remove(Due(time: time, path: path))
    }

    /// Looks again at that time for what would not show yet, no sooner than a hint would lead to.
    package mutating func recheck(_ path: RelativePath, at time: Duration) {
        schedule(path, at: acted[path].map { max(time, $0 + Self.together) } ?? time)
    }

    /// Looks as soon as there is a turn.
    package mutating func enqueue(_ path: RelativePath) {
        unschedule(path)
        if queued.insert(path).inserted { queue.append(path) }
    }

    /// A look led to something.
    package mutating func acted(on path: RelativePath, at now: Duration) {
        acted[path] = now
        if acted.count > 512 { acted = acted.filter { now - $0.value < Self.together } }
    }

    package func hasActed(on path: RelativePath) -> Bool { acted[path] != nil }

    /// When to come back: at once if something is queued; `nil` when nothing is waiting.
    package var deadline: Duration? { queued.isEmpty ? dues.least?.time : .zero }
    /// Something is to be looked at now, not only later.
    package var isDue: Bool { !queued.isEmpty }
    package var isEmpty: Bool { queued.isEmpty && later.isEmpty }
    package func isQueued(_ path: RelativePath) -> Bool { queued.contains(path) }
    package func isScheduled(_ path: RelativePath) -> Bool { later[path] != nil }
    package var waiting: [RelativePath] { (Array(queued) + later.keys).sorted() }

    /// Takes what is due, at most `limit`.
    package mutating func take(at now: Duration, limit: Int) -> [RelativePath] {
        var due: [RelativePath] = []
        while let next = dues.least, next.time <= now {
            unschedule(next.path)
            // While others disappear it cannot have lasted: no look could tell more.
            if let ripe = ripeness(of: next.path), now < ripe {
                schedule(next.path, at: ripe)
            } else {
                due.append(next.path)
            }
        }
        for path in due.sorted() { enqueue(path) }
        let taken = queue[head...].prefix(limit)
        head += taken.count
        for path in taken { queued.remove(path) }
        if head == queue.count {
            queue.removeAll(keepingCapacity: queue.capacity <= 1_024)
            head = 0
        }
        return Array(taken)
    }

    /// The document is gone from a side; `true` once that has lasted, else it is looked at again.
    package mutating func disappearanceLasted(_ path: RelativePath, at now: Duration) -> Bool {
        guard let first = vanished[path] else {
            vanished[path] = now
            lastVanished = now
            schedule(path, at: now + Self.quiet)
            return false
        }
        let ripe = ripe(since: first)
        if now < ripe { schedule(path, at: ripe) }
        return now >= ripe
    }

    private func ripe(since first: Duration) -> Duration {
        isMassive
            ? min(lastVanished + Self.quietOfMany, first + Self.patienceWithMany)
            : min(lastVanished + Self.quiet, first + Self.patience)
    }

    private func ripeness(of path: RelativePath) -> Duration? { vanished[path].map { ripe(since: $0) } }

    /// It is there again, or its deletion was carried out.
    package mutating func forgetDisappearance(_ path: RelativePath) { vanished[path] = nil }
}
