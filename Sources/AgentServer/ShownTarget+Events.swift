import AgentAPI
import AsyncAlgorithms
import BridgeRuntime
import Documents
import Model
import Reloads

extension ShownTarget {
    /// What the kind shows as server-sent events: at once, then whenever that changes. A slow reader gets
    /// only the newest.
    func events(of bridge: any BridgeAccess) -> some AsyncSequence<String, any Error> & Sendable {
        let (events, sending) = AsyncThrowingStream<String, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let follower = DocumentFollower(bridge, self, waitsForReloads: true)
        let following = Task {
            do {
                try await follower.run { sight in
                    if let report = report(of: sight) { sending.yield("data: \(report)\n\n") }
                    return true
                }
                sending.finish()
            } catch {
                sending.finish(throwing: error)
            }
        }
        sending.onTermination = { _ in following.cancel() }
        return events.removeDuplicates()
    }

    /// `nil` for what cannot be read for a moment only.
    private func report(of sight: DocumentFollower.Sight) -> JSONText? {
        switch sight {
        case .document(let stored, let shown, _): json(shown, stored)
        case .unreadable(let error, let state?): json(state, state == .locked ? "cannot be read" : error.what)
        case .unreadable(_, nil): nil
        case .unreachable(let error): json(.error, error.what)
        }
    }
}
