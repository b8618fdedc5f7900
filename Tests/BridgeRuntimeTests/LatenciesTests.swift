import Model
import Testing

@testable import BridgeRuntime

@Suite struct LatenciesTests {
    @Test func `A hint that led to nothing does not count for the next change`() throws {
        let path = try #require(RelativePath("a.json"))
        var latencies = Latencies()
        latencies.start(path, at: .seconds(1), isFirst: true)
        latencies.start(path, at: .seconds(9), isFirst: true)
        latencies.start(path, at: .seconds(9) + .milliseconds(2), isFirst: false)
        latencies.end([path], at: .seconds(9) + .milliseconds(3))
        latencies.end([path], at: .seconds(20))
        #expect(latencies.percentile(50) == 3_000 && latencies.percentile(99) == 3_000)
    }
}
