import BridgeRuntime
import Model
import SyncEngine
import Synchronization

/// The position of a subscriber in the notices that the fake keeps.
final class FakeSubscriber: Sendable {
    private struct Place {
        var sequence: Int64?
        var current: [ReloadEvent] = []
    }

    private let bridge: FakeBridge
    private let filter: ReloadFilter
    private let place: Mutex<Place>

    init(bridge: FakeBridge, filter: ReloadFilter) {
        self.bridge = bridge
        self.filter = filter
        place = Mutex(Place(sequence: filter.since.flatMap { ReloadEvent.position(at: $0)?.sequence }))
    }

    deinit { bridge.state.withLock { $0.whenSubscriberLeaves }() }

    func next() async -> ReloadEvent? {
        while !Task.isCancelled {
            if let event = step() { return event }
            await waitForMore()
        }
        return nil
    }

    private func step() -> ReloadEvent? {
        bridge.state.withLock { state in
            place.withLock { place in
                if place.current.isEmpty { advance(&place, state) }
                return place.current.isEmpty ? nil : place.current.removeFirst()
            }
        }
    }

    private func advance(_ place: inout Place, _ state: FakeBridge.State) {
        let last = state.kept.last?.sequence ?? 0
        let fellOff = (state.kept.first?.sequence ?? 1) > (place.sequence ?? .max - 1) + 1
        if place.sequence == nil || fellOff {
            if fellOff { place.current = [.gap(instance: FakeBridge.instance, sequence: last)] }
            place.current += currentState(state, last)
        } else {
            let later = state.kept.filter { $0.sequence > (place.sequence ?? 0) }
            place.current = later.filter(filter.admits).map { .notice($0, instance: FakeBridge.instance) }
        }
        place.sequence = last
    }

    private func currentState(_ state: FakeBridge.State, _ last: Int64) -> [ReloadEvent] {
        let documents = state.documents.filter { $0.key.side == .group }.sorted { $0.key.name < $1.key.name }
        let notices = documents.map { key, bytes in
            Notice(
                sequence: last,
                kind: key.name.description,
                document: key.name,
                generation: last,
                hash: Digest(of: bytes),
                cause: .current,
                at: 0
            )
        }
        return notices.filter(filter.admits).map { .notice($0, instance: FakeBridge.instance) }
    }

    private func waitForMore() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = bridge.state.withLock { state in
                    let hasMore = (state.kept.last?.sequence ?? 0) > place.withLock { $0.sequence ?? 0 }
                    if Task.isCancelled || hasMore { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            let waiting = bridge.state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for subscriber in waiting { subscriber.resume() }
        }
    }
}
