import Documents
import Model
import SyncEngine

/// An engine whose clock runs a thousand times too fast, so that each of its waits takes a thousandth.
final class HastyBridge: BridgeUnderTest {
    private let base: any BridgeUnderTest
    private static let haste = 1_000

    init(_ base: any BridgeUnderTest) { self.base = base }

    private func hasty(_ now: Moment) -> Moment {
        Moment(uptime: now.uptime * Self.haste, unixNanoseconds: now.unixNanoseconds)
    }

    var deadline: Duration? { base.deadline.map { $0 / Self.haste } }
    func markDirty(_ path: RelativePath, at now: Moment) { base.markDirty(path, at: hasty(now)) }
    func markAllDirty(at now: Moment) { base.markAllDirty(at: hasty(now)) }
    func turn(at now: Moment) -> Turn { base.turn(at: hasty(now)) }

    func put(
        _ bytes: [UInt8],
        as path: RelativePath,
        on side: Side,
        over expected: Digest?,
        at now: Moment
    ) -> Bool {
        base.put(bytes, as: path, on: side, over: expected, at: hasty(now))
    }

    func isHeld(_ path: RelativePath) -> Bool { base.isHeld(path) }
    func rule(for path: RelativePath) -> DocumentRule? { base.rule(for: path) }
    func agreed(_ path: RelativePath, on side: Side) -> Digest? { base.agreed(path, on: side) }
}
