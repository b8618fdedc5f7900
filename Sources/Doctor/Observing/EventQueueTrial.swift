package import BridgeRuntime
import DatabaseStore
import Glibc
import StateStore

/// Opens a copy of a bridge's queue of events as `event pull` would open the queue, and reads all of it.
package enum EventQueueTrial {
    /// A larger one is not copied, in bytes.
    private static let limit = 128 << 20

    /// Why events cannot be queued; `nil` if they can, or if that cannot be found out.
    package static func run(in state: String) -> BridgeError? {
        let file = EventQueueFile(state: state)
        do throws(BridgeError) {
            let exists = try file.exists()
            if let obstacle = file.obstacle { return obstacle }
            guard exists else { return nil }
        } catch {
            return error
        }
        if isLocked(file.path) { return .event(.queue(.locked, path: file.path)) }
        guard let copy = StateDatabase(EventQueueFile.name, in: state, limit: limit)?.copy else {
            return nil
        }
        do throws(JournalError) {
            let queue = try EventQueue(path: copy.path)
            defer { queue.close() }
            try queue.check()
            _ = try queue.waiting(limit: 1)
            return try queue.isFull() ? .event(.full(limit: EventRules().mostWaiting)) : nil
        } catch {
            return .event(.queue(error, path: file.path))
        }
    }

    /// So many looks, over a second, are far longer than the commit of an event.
    private static let mostLooks = 100

    /// Whether one process keeps the others from pushing events.
    private static func isLocked(_ path: String) -> Bool {
        guard let writer = DatabaseLocks.writer(of: path) else { return false }
        for _ in 1..<mostLooks {
            usleep(10_000)
            if DatabaseLocks.writer(of: path) != writer { return false }
        }
        return true
    }
}
