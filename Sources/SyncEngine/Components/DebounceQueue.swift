package import Model

/// Decides when each document is read.
///
/// A hint acts at once, and all hints for a document that arrive during a turn are one. A document is changed
/// at most three times within 20 ms, so that a program that saves in a loop neither keeps the bridge busy nor
/// floods its subscribers. A disappearance waits until nothing has disappeared for 100 ms, or 500 ms if many
/// do: programs that unlink and write again make a name disappear for a moment, and a mass deletion must be
/// complete before its first part is synced. Time is an argument.
package struct DebounceQueue: Sendable {
    package static let together = Duration.milliseconds(20)
    package static let mostTogether = 3
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
    /// When the turns of the last actions had ended, up to `mostTogether` of each document.
    private var acted: [RelativePath: [Duration]] = [:]
    /// The actions of a turn that has not ended.
    private var acting: [RelativePath] = []
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

    /// Reads it in the next turn: it may have changed.
    package mutating func enqueue(_ path: RelativePath) {
        unschedule(path)
        if queued.insert(path).inserted { queue.append(path) }
    }

    /// Reading the document leads to a change in this turn.
    package mutating func acts(on path: RelativePath) { acting.append(path) }

    package func hasActed(on path: RelativePath) -> Bool { acted[path] != nil || acting.contains(path) }

    private mutating func endTurn(at now: Duration) {
        for path in acting {
            if acted[path]?.count == Self.mostTogether { acted[path]?.removeFirst() }
            acted[path, default: []].append(now)
        }
        acting.removeAll(keepingCapacity: true)
        if acted.count > 512 { acted = acted.filter { $0.value.contains { now < $0 + Self.together } } }
    }

    /// When to continue: at once if a document is queued; `nil` if nothing is waiting.
    package var deadline: Duration? { queued.isEmpty ? dues.least?.time : .zero }
    /// Whether a document is due now.
    package var isDue: Bool { !queued.isEmpty }
    package var isEmpty: Bool { queued.isEmpty && later.isEmpty }
    package var count: Int { queued.count + later.count }
    package func isQueued(_ path: RelativePath) -> Bool { queued.contains(path) }
    package func isScheduled(_ path: RelativePath) -> Bool { later[path] != nil }
    package var waiting: [RelativePath] { (Array(queued) + later.keys).sorted() }

    /// Takes up to `limit` due documents, for the next turn.
    package mutating func take(at now: Duration, limit: Int) -> [RelativePath] {
        endTurn(at: now)
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
        var taken: [RelativePath] = []
        while head < queue.count, taken.count < limit {
            let path = queue[head]
            head += 1
            queued.remove(path)
            if let next = nextAct(on: path), now < next {
                schedule(path, at: next)
            } else {
                taken.append(path)
            }
        }
        if head == queue.count {
            queue.removeAll(keepingCapacity: queue.capacity <= 1_024)
            head = 0
        }
        return taken
    }

    private func nextAct(on path: RelativePath) -> Duration? {
        guard let times = acted[path], times.count == Self.mostTogether else { return nil }
        return times[0] + Self.together
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
