import SyncEngine

/// An engine for which the wall clock never goes back: it stands still until the clock has caught up.
final class LaggingClockBridge: ReclockedBridge {
    let base: any BridgeUnderTest
    private var latest = Int64.min

    init(_ base: any BridgeUnderTest) { self.base = base }

    func reclocked(_ now: Moment) -> Moment {
        latest = max(latest, now.unixNanoseconds)
        return Moment(uptime: now.uptime, unixNanoseconds: latest)
    }

    var deadline: Duration? { base.deadline }
    func reloadDeadline(at now: Moment) -> Duration? { base.reloadDeadline(at: now) }
    func place(_ kind: String, at now: Moment) { base.place(kind, at: reclocked(now)) }
}
