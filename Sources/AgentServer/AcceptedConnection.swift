import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// A connection that a server has accepted, to be handled once.
///
/// If the server ends before it handles the connection, the connection is closed here: NIO ends the process
/// when an open asynchronous channel is released.
final class AcceptedConnection: Sendable {
    private let channel: HTTP1Channel.Value
    private let isHandled = Atomic(false)

    init(_ channel: HTTP1Channel.Value) { self.channel = channel }

    deinit {
        if isHandled.load(ordering: .acquiring) { return }
        let channel = channel
        Task { try? await channel.executeThenClose { _, _ in } }
    }

    func handle(by http: HTTP1Channel, logger: Logger) async {
        isHandled.store(true, ordering: .releasing)
        await http.handle(value: channel, logger: logger)
    }
}
