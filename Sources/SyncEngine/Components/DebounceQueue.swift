package import Model

/// Decides when each document is read.
///
/// The first hint acts at once; further hints within 20 ms of an action are combined. A disappearance waits
/// until nothing has disappeared for 100 ms, or 500 ms if many do: programs that unlink and write again make
/// a name disappear for a moment, and a mass deletion must be complete before its first part is synced. Time
/// is an argument.
package struct DebounceQueue: Sendable {
    package static let together = Duration.milliseconds(20)
    package static let quiet = Duration.milliseconds(100)
    /// An endless series of deletions is synced after this time.
    package static let patience = Duration.seconds(2)
    /// The quiet time while so much disappears that the bridge may have to halt: a busy machine pauses in
    /// between.
    package static let quietOfMany = Duration.milliseconds(500)
    package static let patienceWithMany = Duration.seconds(10)

    /// Documents due now, first come first served: those from `head` on.
    private var queue: [RelativePath] = []
    private var head = 0
    private var queued: Set<RelativePath> = []
    private var later: [RelativePath: Duration] = [:]
    /// The same in order, as searching all of them each time would be slow.
    private var dues = MinimumSet<Due>()
    private var acted: [RelativePath: Duration] = [:]
    private var vanished: [RelativePath: Duration] = [:]
    private var lastVanished = Duration.zero
    /// Many documents are disappearing at present.
    package var isMassive = false

    private struct Due: Hashable, Comparable, Sendable {
        var time: Duration
        var path: RelativePath

        static func < (a: Self, b: Self) -> Bool { (a.time, a.path) < (b.time, b.path) }
    }

    package init() {}

    /// The document may have changed.
    package mutating func hint(_ path: RelativePath, at now: Duration) {
        if let last = acted[path], now < last + Self.together {
            schedule(path, at: last + Self.together)
        } else {
            enqueue(path)
        }
    }

    /// Reads the document at that time, or earlier on a hint.
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

    /// Reads it at that time for a change that may not be visible yet, but no earlier than a hint would.
    package mutating func recheck(_ path: RelativePath, at time: Duration) {
        schedule(path, at: acted[path].map { max(time, $0 + Self.together) } ?? time)
    }

    /// Reads it in the next turn.
    package mutating func enqueue(_ path: RelativePath) {
        unschedule(path)
        if queued.insert(path).inserted { queue.append(path) }
    }

    /// Reading the document led to a change.
    package mutating func acted(on path: RelativePath, at now: Duration) {
        acted[path] = now
        if acted.count > 512 { acted = acted.filter { now - $0.value < Self.together } }
    }

    package func hasActed(on path: RelativePath) -> Bool { acted[path] != nil }

    /// When to continue: at once if a document is queued; `nil` if nothing is waiting.
    package var deadline: Duration? { queued.isEmpty ? dues.least?.time : .zero }
    /// Whether a document is due now.
    package var isDue: Bool { !queued.isEmpty }
    package var isEmpty: Bool { queued.isEmpty && later.isEmpty }
    package var count: Int { queued.count + later.count }
    package func isQueued(_ path: RelativePath) -> Bool { queued.contains(path) }
    package func isScheduled(_ path: RelativePath) -> Bool { later[path] != nil }
    package var waiting: [RelativePath] { (Array(queued) + later.keys).sorted() }

    /// Takes up to `limit` due documents.
    package mutating func take(at now: Duration, limit: Int) -> [RelativePath] {
        var due: [RelativePath] = []
        while let next = dues.least, next.time <= now {
            unschedule(next.path)
            // Others are still disappearing, so the quiet time cannot be over.
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

    /// The document is missing on a side; `true` once that has lasted, otherwise it is read again.
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

    /// It exists again, or its deletion was synced.
    package mutating func forgetDisappearance(_ path: RelativePath) { vanished[path] = nil }
}
