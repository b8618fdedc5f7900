import Model
package import SyncEngine
import Synchronization

/// The newest notices of a running bridge, for any number of subscribers.
///
/// Nobody is pushed to: each subscriber takes the next notice after its own cursor when it can, so a slow one
/// delays nobody and costs nothing. One that falls off the ring goes on from the journal, and gets a gap
/// where that has forgotten too.
package final class ReloadFeed: Sendable {
    fileprivate struct State {
        var ring: [Notice] = []
        /// Of the newest notice, kept or not.
        var last: Int64
        /// Of the journal that the notices are of.
        var instance: String
        var isClosed = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var tickets = 0
    }

    enum Next: Sendable {
        case notices([Notice])
        /// Older than what is kept here.
        case behind
        case none
        case ended
    }

    static let kept = 1_024
    fileprivate let state: Mutex<State>

    package init(last: Int64, instance: String) { state = Mutex(State(last: last, instance: instance)) }

    package var last: Int64 { state.withLock { $0.last } }
    var instance: String { state.withLock { $0.instance } }

    /// From here on it is of that instance.
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

    /// What comes after `cursor`, at most a handful at once.
    func next(after cursor: Int64) -> Next {
        state.withLock { state in
            guard state.last > cursor else { return state.isClosed ? .ended : .none }
            guard let first = state.ring.first, first.sequence <= cursor + 1 else { return .behind }
            let next = state.ring.partitioningIndex { $0.sequence > cursor }
            return .notices(Array(state.ring[next...].prefix(64)))
        }
    }

    /// Returns once there is something after `cursor`, the feed is closed, or the task is cancelled.
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
    /// The place of the first for which `isBehind` holds, where it holds for all that follow.
    fileprivate func partitioningIndex(_ isBehind: (Notice) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
