import BridgeRuntime
import Foundation
import Logging
import TestBridge
import Testing

@Suite struct BridgeClosingTests {
    /// Otherwise the next process might find the lock busy, and a program that ends might leave an
    /// unfinished journal.
    @Test func `A closed bridge has released its journal`() async throws {
        try await RealBridge.with { bridge in
            let settings = BridgeSettings(app: bridge.app, group: bridge.group, state: bridge.state)
            for _ in 0..<20 {
                let opened = try await Bridge.open(settings, logger: Logger(label: "test"), watching: false)
                _ = try await opened.sync(dryRun: false)
                await opened.close()
                let names = try FileManager.default.contentsOfDirectory(atPath: bridge.state)
                #expect(names.filter { $0.hasPrefix("journal") } == ["journal.sqlite"])
            }
        }
    }
}
