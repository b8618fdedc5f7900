import Testing

@testable import BridgeRuntime

@Suite struct LongScanTests {
    /// What is logged of a scan of 640 documents that takes so long, in steps of 64.
    private func news(of scan: inout LongScan, number: Int, seconds: Int) -> [LongScan.News] {
        (0...10).compactMap { step in
            let now = Duration.seconds(100 * number) + .milliseconds(100 * seconds * step)
            let waiting = 640 - 64 * step
            return scan.news(scans: number, waiting: waiting, isDue: waiting > 0, at: now)
        }
    }

    @Test func `A scan is logged once it has taken a second, from time to time, and at its end`() {
        var scan = LongScan()
        #expect(news(of: &scan, number: 1, seconds: 0) == [])
        let long = news(of: &scan, number: 2, seconds: 20)
        #expect(long.count == 3)
        guard case .goesOn(let first)? = long.first, case .ended(let last, let time)? = long.last else {
            Issue.record("\(long)")
            return
        }
        #expect(first.done == 64 && first.total == 640)
        #expect(last.done == 640 && time == .seconds(20))
        // Of what changes between scans nothing is logged.
        #expect(scan.news(scans: 2, waiting: 9, isDue: true, at: .seconds(1_000)) == nil)
    }

    @Test func `A scan that begins during another one is the same`() {
        var scan = LongScan()
        #expect(scan.news(scans: 1, waiting: 500, isDue: true, at: .zero) == nil)
        #expect(scan.news(scans: 2, waiting: 600, isDue: true, at: .milliseconds(900)) == nil)
        let news = scan.news(scans: 2, waiting: 400, isDue: true, at: .seconds(1))
        guard case .goesOn(let progress)? = news else {
            Issue.record("nothing is logged")
            return
        }
        #expect(progress.done == 200 && progress.total == 600)
    }
}
