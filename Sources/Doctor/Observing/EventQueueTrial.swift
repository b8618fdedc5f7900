package import BridgeRuntime
import DatabaseStore
import FileSystem
import Model
import StateStore

/// Opens a copy of a bridge's queue of events as `event pull` would open the queue.
package enum EventQueueTrial {
    /// A larger one is not copied, in bytes.
    private static let limit = 128 << 20

    /// Why the queue cannot be used; `nil` if it can, if there is none, or if that cannot be found out.
    package static func run(in state: String) -> BridgeError? {
        guard let name = RelativePath("events/queue.sqlite"),
            let source = try? LinuxFileSystem(app: state, group: state, state: state),
            let status = try? source.status(of: Location(Root.state, name))
        else { return nil }
        let path = "\(state)/\(name)"
        guard status.kind == .regular else { return .event(.queue(.other("it is not a file"), path: path)) }
        guard status.signature.size <= limit,
            let copy = try? DatabaseCopy(of: Location(Root.state, name), at: path, in: source)
        else { return nil }
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
