import Documents
import Model
import SyncEngine

/// An engine for which the wall clock never goes back: it stands still until the clock has caught up.
final class LaggingClockBridge: BridgeUnderTest {
    private let base: any BridgeUnderTest
    private var latest = Int64.min

    init(_ base: any BridgeUnderTest) { self.base = base }

    private func lagging(_ now: Moment) -> Moment {
        latest = max(latest, now.unixNanoseconds)
        return Moment(uptime: now.uptime, unixNanoseconds: latest)
    }

    var deadline: Duration? { base.deadline }
    func reloadDeadline(at now: Moment) -> Duration? { base.reloadDeadline(at: now) }
    func place(_ kind: String, at now: Moment) { base.place(kind, at: lagging(now)) }
    func markDirty(_ path: RelativePath, at now: Moment) { base.markDirty(path, at: lagging(now)) }
    func markAllDirty(at now: Moment) { base.markAllDirty(at: lagging(now)) }
    func turn(at now: Moment) -> Turn { base.turn(at: lagging(now)) }

    func put(
        _ bytes: [UInt8],
        as path: RelativePath,
        on side: Side,
        over expected: Digest?,
        at now: Moment
    ) -> Bool {
        base.put(bytes, as: path, on: side, over: expected, at: lagging(now))
    }

    func isHeld(_ path: RelativePath) -> Bool { base.isHeld(path) }
    func rule(for path: RelativePath) -> DocumentRule? { base.rule(for: path) }
    func agreed(_ path: RelativePath, on side: Side) -> Digest? { base.agreed(path, on: side) }
}
