package import BridgeRuntime
import DatabaseStore
import StateStore

/// Opens a copy of a bridge's queue of events as `event pull` would open the queue.
package enum EventQueueTrial {
    /// A larger one is not copied, in bytes.
    private static let limit = 128 << 20

    /// Why the queue cannot be used; `nil` if it can, if there is none, or if that cannot be found out.
    package static func run(in state: String) -> BridgeError? {
        guard let database = StateDatabase("events/queue.sqlite", in: state, limit: limit) else { return nil }
        let path = database.path
        guard database.isFile else { return .event(.queue(.other("it is not a file"), path: path)) }
        guard let copy = database.copy else { return nil }
        do throws(JournalError) {
            let queue = try EventQueue(path: copy.path)
            defer { queue.close() }
            _ = try queue.waiting(limit: 1)
            return nil
        } catch {
            return .event(.queue(error, path: path))
        }
    }
}
