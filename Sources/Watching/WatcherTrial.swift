import Glibc
package import Model

/// Watches two containers for a moment, to find out whether that works.
package enum WatcherTrial {
    /// Longer than a `Watcher` takes until it gives up.
    private static let patience = Duration.seconds(15)

    /// Why a bridge between them would poll; `nil` if all their directories can be watched.
    package static func run(_ roots: BothSides<String>, helper: String? = nil) -> PollingReason? {
        let start = ContinuousClock.now
        let watcher = Watcher(roots: roots, helper: helper, now: .zero)
        defer { watcher.close() }
        while true {
            let now = ContinuousClock.now - start
            let isReady = watcher.drain(now: now).contains(.ready)
            switch watcher.mode {
            case .polling(.limited) where !isReady: break
            case .polling(let reason): return reason
            case .inotify: if isReady { return nil }
            }
            if now >= patience { return .silent }
            wait(for: watcher, until: min(patience, watcher.deadline ?? patience), now)
        }
    }

    private static func wait(for watcher: Watcher, until deadline: Duration, _ now: Duration) {
        var waited = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(.zero, deadline - now) / .milliseconds(1)
        _ = unsafe poll(&waited, 1, Int32(milliseconds.rounded(.up)))
    }
}
