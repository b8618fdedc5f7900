import SyncEngine

/// An engine whose clock runs a thousand times too fast, so that each of its waits takes a thousandth.
final class HastyBridge: ReclockedBridge {
    let base: any BridgeUnderTest
    private static let haste = 1_000

    init(_ base: any BridgeUnderTest) { self.base = base }

    func reclocked(_ now: Moment) -> Moment {
        Moment(uptime: now.uptime * Self.haste, unixNanoseconds: now.unixNanoseconds)
    }

    var deadline: Duration? { base.deadline.map { $0 / Self.haste } }
}
