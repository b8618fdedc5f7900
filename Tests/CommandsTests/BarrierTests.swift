import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Logging
import Synchronization
import TestBridge
import TestWorld
import Testing

/// `wait` waits only for what was saved before it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BarrierTests {
    /// Saves forty documents in turn, one about every five milliseconds, while `body` runs.
    private func besideSaves(of bridge: RealBridge, _ body: () async throws -> Void) async throws {
        let saver = Saver(bridge)
        let thread = Thread { saver.run() }
        thread.start()
        defer { saver.end() }
        try await body()
    }

    private final class Saver: Sendable {
        private let bridge: RealBridge
        private let isOver = Atomic(false)

        init(_ bridge: RealBridge) { self.bridge = bridge }

        func end() { isOver.store(true, ordering: .relaxed) }

        func run() {
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                number += 1
                try? bridge.save("{\"n\":\(number)}", as: "other\(number % 40).json", in: bridge.app)
                _ = poll(nil, 0, 5)
            }
        }
    }

    @Test func `A wait for a document that was never seen says so`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save("1", as: "one.json", in: bridge.app)
            #expect(try await bridge.run("wait", "one.json") == Binary.Ended(status: 0))
            let mistyped = try await bridge.run("wait", "one.json", "onee.json")
            #expect(
                mistyped.status == 0
                    && mistyped.errors.contains("the bridge has never seen this document, onee.json")
            )
            #expect(mistyped.errors.contains("Did you mean `one.json`?"), "\(mistyped)")
            #expect(!mistyped.errors.contains("one.json,"), "\(mistyped)")
            try FileManager.default.removeItem(atPath: "\(bridge.group)/one.json")
            #expect(try await bridge.run("wait", "one.json") == Binary.Ended(status: 0))
        }
    }

    @Test func `A wait ends however many other documents are being saved`() async throws {
        try await RealBridge.withAgent { bridge in
            try await besideSaves(of: bridge) {
                for number in 0..<5 {
                    let text = "{\"one\":\(number)}"
                    try bridge.save(text, as: "one.json", in: bridge.app)
                    let one = try await bridge.run("wait", "one.json", "--timeout", "5s")
                    #expect(one == Binary.Ended(status: 0))
                    #expect(bridge.read("one.json", in: bridge.group) == text)
                    try bridge.save("[\(text)]", as: "one.json", in: bridge.group)
                    let all = try await bridge.run("wait", "--timeout", "5s")
                    #expect(all == Binary.Ended(status: 0))
                    #expect(bridge.read("one.json", in: bridge.app) == "[\(text)]")
                }
                let all = try await bridge.run("wait", "--rehash", "--timeout", "5s")
                #expect(all == Binary.Ended(status: 0))
                #expect(try await bridge.run("sync", "--json").status == 0)
            }
        }
    }

    @Test func `An agent gets ready however many documents are being saved`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "first.json", in: bridge.app)
            try await besideSaves(of: bridge) {
                let agent = try await bridge.startAgent()
                #expect(bridge.read("first.json", in: bridge.group) == "1")
                try await bridge.end(agent)
            }
        }
    }

    @Test func `A wait for named documents waits only for these`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save("[", as: "bad.json", in: bridge.app)
            try bridge.save("[]", as: "good.json", in: bridge.app)
            #expect(try await bridge.run("wait", "good.json", "--timeout", "60s").status == 0)
            #expect(bridge.read("good.json", in: bridge.group) == "[]")
            let bad = try await bridge.run("wait", "good.json", "bad.json", "--timeout", "60s")
            #expect(bad.status == 7 && bad.errors.contains("bad.json"))
            #expect(try await bridge.wait().status == 7)
            #expect(try await bridge.run("wait", "never.json").status == 0)
            #expect(try await bridge.run("wait", "readme.txt").status == 1)
            #expect(try await bridge.run("wait", "../a.json").status == 1)
        }
    }

    /// A bridge without an agent: the wait lasts until it is cancelled.
    @Test func `A cancelled wait is abandoned`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("1", as: "a.json", in: bridge.app)
            let settings = BridgeSettings(app: bridge.app, group: bridge.group, state: bridge.state)
            let opened = try await Bridge.open(settings, logger: Logger(label: "test"), watching: false)
            let waiting = Task { try await opened.wait(timeout: .seconds(86_400), rehash: false) }
            waiting.cancel()
            await #expect(throws: BridgeError.self) { try await waiting.value }
            #expect(try await opened.sync(dryRun: false).changes.count == 1)
            await opened.close()
        }
    }
}
