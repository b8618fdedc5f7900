import AgentAPI
import BridgeRuntime
import Documents
import Model
import Reloads
import SyncEngine
import Synchronization

extension ShownTarget {
    /// What the kind shows as server-sent events: at once, then whenever that changes. A slow reader gets
    /// only the newest.
    func events(of bridge: any BridgeAccess) -> AsyncThrowingStream<String, any Error> {
        let (events, sending) = AsyncThrowingStream<String, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let target = DocumentFollower.Target(self)
        let follower = DocumentFollower(bridge, target, kind: kind, waitsForReloads: true)
        let following = Task {
            do {
                let last = LastEvent()
                try await follower.run { sight in
                    guard let event = event(of: sight), last.isNew(event) else { return true }
                    if case .terminated = sending.yield("data: \(event)\n\n") { return false }
                    return true
                }
                sending.finish()
            } catch {
                sending.finish(throwing: error)
            }
        }
        sending.onTermination = { _ in following.cancel() }
        return events
    }

    /// `nil` for what cannot be read for a moment only.
    private func event(of sight: DocumentFollower.Sight) -> JSONText? {
        switch sight {
        case .document(let stored, let shown, _):
            return ShownReport(self, shown, stored).json
        case .unreadable(let error, let state?):
            return ShownReport(self, state, state == .locked ? "cannot be read" : error.what).json
        case .unreadable(_, nil): return nil
        case .unreachable(let error): return ShownReport(self, .error, error.what).json
        }
    }
}

/// The event that was sent last: what has not changed is not sent again.
private final class LastEvent: Sendable {
    private let text = Mutex<String?>(nil)

    func isNew(_ event: JSONText) -> Bool {
        text.withLock { text in
            defer { text = event.description }
            return text != event.description
        }
    }
}
