import Model
import SyncEngine
import Testing

@testable import BridgeRuntime

/// When a request ends that makes no progress.
@Suite struct SyncBarrierTests {
    private func barrier() -> SyncBarrier {
        let request = SyncBarrier.Request(patience: .seconds(10), collects: true)
        var barrier = SyncBarrier(1, request, token: nil, at: .zero) { _ in }
        barrier.hasBarrier = true
        return barrier
    }

    private func change(_ action: PlannedChange.Action) -> PlannedChange {
        PlannedChange(document: "a.json", action: action, from: .app, reason: .held(.app, .empty))
    }

    @Test func `fewer waiting documents are progress, and as many or more are none`() {
        var barrier = barrier()
        barrier.extend(waiting: 5, at: .seconds(1))
        #expect(barrier.deadline == .seconds(11))
        barrier.extend(waiting: 4, at: .seconds(2))
        #expect(barrier.deadline == .seconds(12))
        for count in [4, 9, 4] { barrier.extend(waiting: count, at: .seconds(9)) }
        #expect(barrier.deadline == .seconds(12))
    }

    @Test func `a change is progress, and a hold is none`() {
        var barrier = barrier()
        barrier.extend(waiting: 1, at: .zero)
        barrier.collect([change(.update)])
        barrier.extend(waiting: 1, at: .seconds(3))
        #expect(barrier.deadline == .seconds(13))
        barrier.collect([change(.hold)])
        barrier.extend(waiting: 1, at: .seconds(5))
        #expect(barrier.deadline == .seconds(13))
    }

    @Test func `a request without patience has its own deadline`() {
        let request = SyncBarrier.Request(timeout: .seconds(5))
        var barrier = SyncBarrier(1, request, token: nil, at: .zero) { _ in }
        barrier.hasBarrier = true
        barrier.extend(waiting: 1, at: .seconds(4))
        #expect(barrier.deadline == .seconds(5))
    }

    @Test func `A request is told how many of the documents are done`() async {
        let (told, telling) = AsyncStream<ScanProgress>.makeStream()
        let request = SyncBarrier.Request(collects: true, meanwhile: { telling.yield($0) })
        var barrier = SyncBarrier(1, request, token: nil, waiting: 300, at: .zero) { _ in }
        for waiting in [236, 300, 310, 0] { barrier.extend(waiting: waiting, at: .zero) }
        telling.finish()
        let counts = await told.reduce(into: []) { $0.append([$1.done, $1.total]) }
        #expect(counts == [[64, 300], [0, 300], [0, 310], [310, 310]])
    }
}
