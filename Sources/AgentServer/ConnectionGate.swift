import AgentAPI
import Glibc
import NIOCore
import Synchronization

/// Bounds the connections and streams of this process, so that clients cannot take the descriptors that the
/// engine and its watcher need.
package final class ConnectionGate: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Connections without an authorized request so far, through each door.
        package var unauthorized = 64
        /// Streams, and requests that wait for an event. They stay for long, so half of the connections is
        /// for others.
        package var streams: Int
        package var connections: Int
        /// For the head of a connection's first authorized request.
        package var patience = Duration.seconds(5)

        /// A quarter of the descriptors, or at least 128 if there are so many, is for other files.
        package init(descriptors: Int) {
            connections = descriptors - min(descriptors / 4 * 3, max(128, descriptors / 4))
            streams = min(1_000, connections / 2)
        }
    }

    /// What a client connects to. Any user of the machine reaches the port, so that it has places of its own.
    enum Door {
        case socket, port
    }

    /// The gate of all servers in this process, which share its descriptors.
    package static let shared = ConnectionGate(Limits(descriptors: mostDescriptors))

    private struct Connections {
        var open: Set<ObjectIdentifier> = []
        var unauthorized: [ObjectIdentifier: Door] = [:]
        var streams = 0
    }

    let limits: Limits
    private let state = Mutex(Connections())

    package init(_ limits: Limits) { self.limits = limits }

    /// `false` if there are too many; the channel is to be closed then.
    func admit(_ channel: any Channel, through door: Door) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard state.open.count < limits.connections,
                state.unauthorized.values.count(where: { $0 == door }) < limits.unauthorized
            else { return false }
            state.unauthorized[id] = door
            return state.open.insert(id).inserted
        }
        if isAdmitted { channel.closeFuture.whenComplete { _ in self.forget(id) } }
        return isAdmitted
    }

    private func forget(_ id: ObjectIdentifier) {
        state.withLock { state in
            state.open.remove(id)
            state.unauthorized[id] = nil
        }
    }

    func recordAuthorization(_ channel: any Channel) {
        state.withLock { $0.unauthorized[ObjectIdentifier(channel)] = nil }
    }

    func isAuthorized(_ channel: any Channel) -> Bool {
        state.withLock { $0.unauthorized[ObjectIdentifier(channel)] == nil }
    }

    /// The place is free again once it is released.
    func openStream() throws(ProblemDetails) -> StreamPlace {
        let isFree = state.withLock { state in
            guard state.streams < limits.streams else { return false }
            state.streams += 1
            return true
        }
        guard isFree else { throw .tooManyStreams }
        return StreamPlace(self)
    }

    final class StreamPlace: Sendable {
        private let gate: ConnectionGate

        fileprivate init(_ gate: ConnectionGate) { self.gate = gate }

        deinit { gate.state.withLock { $0.streams -= 1 } }
    }

    /// Once the agent has raised the limit.
    private static var mostDescriptors: Int {
        var limit = rlimit()
        let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return isKnown ? Int(clamping: limit.rlim_cur) : 1_024
    }
}
