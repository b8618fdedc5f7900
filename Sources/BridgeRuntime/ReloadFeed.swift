import Model
package import SyncEngine
import Synchronization

/// The newest notices of a running bridge, for any number of subscribers.
///
/// Subscribers pull: each takes the next notice after its cursor when it is ready, so a slow one neither
/// delays the others nor uses memory. A subscriber that is too far behind reads from the journal, and gets a
/// gap if the journal dropped the notices too.
package final class ReloadFeed: Sendable {
    fileprivate struct State {
        var ring: [Notice] = []
        /// The sequence number of the newest notice, kept or not.
        var last: Int64
        /// The journal instance of the notices.
        var instance: String
        var isClosed = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var tickets = 0
    }

    enum Next: Sendable {
        case notices([Notice])
        /// The cursor is older than the notices kept here.
        case behind
        case none
        case ended
    }

    static let kept = 1_024
    fileprivate let state: Mutex<State>

    package init(last: Int64, instance: String) { state = Mutex(State(last: last, instance: instance)) }

    package var last: Int64 { state.withLock { $0.last } }
    var instance: String { state.withLock { $0.instance } }

    /// Starts again with this instance if it is a new one.
    package func publish(_ notices: [Notice], of instance: String) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.instance = instance
            guard let newest = notices.last else { return [] }
            state.ring += notices
            if state.ring.count > 2 * Self.kept { state.ring.removeFirst(state.ring.count - Self.kept) }
            state.last = newest.sequence
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The notices after `cursor`, at most a few at once.
    func next(after cursor: Int64) -> Next {
        state.withLock { state in
            guard state.last > cursor else { return state.isClosed ? .ended : .none }
            guard let first = state.ring.first, first.sequence <= cursor + 1 else { return .behind }
            let next = state.ring.partitioningIndex { $0.sequence > cursor }
            return .notices(Array(state.ring[next...].prefix(64)))
        }
    }

    /// Returns once there is a notice after `cursor`, the feed is closed, or the task is cancelled.
    func wait(after cursor: Int64) async {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.last > cursor || state.isClosed || Task.isCancelled { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }
}

extension ReloadFeed.State {
    fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}

extension [Notice] {
    /// The index of the first element for which `isBehind` is true; it must be true for all that follow.
    fileprivate func partitioningIndex(_ isBehind: (Notice) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
