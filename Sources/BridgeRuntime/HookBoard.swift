import Documents
import SyncEngine
import Synchronization

/// What has become of one hook since the bridge was opened.
package struct HookReport: Codable, Sendable, Hashable {
    package var name: String
    package var runs = 0
    package var failures = 0
    package var isRunning = false
    /// `nil` before the first failure.
    package var lastFailure: String?
    /// When that was, as RFC 3339.
    package var failedAt: String?

    package init(name: String) { self.name = name }
}

/// The reports of a bridge's hooks: whoever runs them writes here.
package final class HookBoard: Sendable {
    private let reports = Mutex<[HookReport]>([])

    package init() {}

    package var all: [HookReport] { reports.withLock { $0 } }

    package func end(_ name: String, failure: String?) {
        change(name) { report in
            report.isRunning = false
            report.runs += 1
            guard let failure else { return }
            report.failures += 1
            report.lastFailure = failure
            report.failedAt = UTCTime.text(Clock.now.unixMilliseconds)
        }
    }

    package func begin(_ name: String) { change(name) { $0.isRunning = true } }

    package func add(_ name: String) {
        reports.withLock { $0.append(HookReport(name: name)) }
    }

    private func change(_ name: String, _ change: (inout HookReport) -> Void) {
        reports.withLock { reports in
            guard let index = reports.firstIndex(where: { $0.name == name }) else { return }
            change(&reports[index])
        }
    }
}
