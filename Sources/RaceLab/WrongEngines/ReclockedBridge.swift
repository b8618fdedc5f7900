import Documents
import Model
import SyncEngine

/// A bridge that forwards every call to another one, with the time of another clock.
protocol ReclockedBridge: BridgeUnderTest {
    var base: any BridgeUnderTest { get }
    func reclocked(_ now: Moment) -> Moment
}

extension ReclockedBridge {
    func markDirty(_ path: RelativePath) { base.markDirty(path) }
    func markAllDirty(at now: Moment) { base.markAllDirty(at: reclocked(now)) }
    func turn(at now: Moment) -> Turn { base.turn(at: reclocked(now)) }

    func put(
        _ bytes: [UInt8],
        as path: RelativePath,
        on side: Side,
        over expected: Digest?,
        at now: Moment
    ) -> Bool {
        base.put(bytes, as: path, on: side, over: expected, at: reclocked(now))
    }

    func isHeld(_ path: RelativePath) -> Bool { base.isHeld(path) }
    func rule(for path: RelativePath) -> DocumentRule? { base.rule(for: path) }
    func agreed(_ path: RelativePath, on side: Side) -> Digest? { base.agreed(path, on: side) }
}
