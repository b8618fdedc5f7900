import Testing
import WidgetBridge
import WidgetBridgeTesting

@Suite struct SimulatedBridgeTests {
    @Test func `A save of the app reaches the widget's container, and its kind gets a notice`() throws {
        let bridge = try SimulatedBridge()
        try bridge.save(Array(#"{"a":1}"#.utf8), as: "notes/a.json", in: .app)
        let notices = bridge.settle()
        #expect(notices.map(\.document) == ["notes/a.json"])
        #expect(notices.map(\.cause) == [.app])
        #expect(try bridge.read("notes/a.json", in: .group) == Array(#"{"a":1}"#.utf8))
    }

    @Test func `Changes of both sides are merged`() throws {
        let bridge = try SimulatedBridge()
        try bridge.save(Array(#"{"a":1,"b":1}"#.utf8), as: "a.json", in: .app)
        bridge.settle()
        try bridge.save(Array(#"{"a":2,"b":1}"#.utf8), as: "a.json", in: .app)
        try bridge.save(Array(#"{"a":1,"b":2}"#.utf8), as: "a.json", in: .group)
        bridge.settle()
        for container in Container.allCases {
            #expect(try bridge.read("a.json", in: container) == Array(#"{"a":2,"b":2}"#.utf8))
        }
    }

    @Test func `A deletion is synced`() throws {
        let bridge = try SimulatedBridge()
        for name in ["a.json", "b.json", "c.json"] { try bridge.save(Array("{}".utf8), as: name, in: .app) }
        bridge.settle()
        try bridge.delete("a.json", in: .group)
        bridge.settle()
        #expect(try bridge.read("a.json", in: .app) == nil)
    }

    @Test func `Work that takes longer than one call may is continued by the next ones`() throws {
        let bridge = try SimulatedBridge()
        for name in ["a.json", "b.json", "c.json"] { try bridge.save(Array("{}".utf8), as: name, in: .app) }
        bridge.settle()
        try bridge.delete("a.json", in: .group)
        for _ in 0..<100 { bridge.settle(within: .milliseconds(10)) }
        #expect(try bridge.read("a.json", in: .app) == nil)
    }

    @Test func `A document with a newer version than the profile's is held`() throws {
        let bridge = try SimulatedBridge(profile: .builtIn("budget"))
        try bridge.save(Array(#"{"version": 99}"#.utf8), as: "budget.json", in: .app)
        bridge.settle()
        #expect(bridge.held == ["budget.json"])
        #expect(try bridge.read("budget.json", in: .group) == nil)
    }

    @Test func `A document with a newer version than the profile's is not written, as by an agent`()
        async throws
    {
        let bridge = try SimulatedBridge(profile: .builtIn("budget")).bridge
        let write = { try await bridge.write(#"{"version": 99}"#.utf8, to: "budget.json", in: .app) }
        #expect(await reason { try await write() } == .refusedDocument)
        #expect(await reason { try await bridge.read("budget.json", in: .app) } == .noDocument)
    }

    @Test func `A name that leads outside is refused`() throws {
        let bridge = try SimulatedBridge()
        var refused: BridgeFailure?
        do { try bridge.save([], as: "../a.json", in: .app) } catch { refused = error }
        #expect(refused?.reason == .refusedDocument)
    }

    @Test func `Nothing is synced until the caller waits`() async throws {
        let bridge = try SimulatedBridge().bridge
        try await bridge.write("{}".utf8, to: "a.json", in: .app)
        #expect(await reason { try await bridge.read("a.json", in: .group) } == .noDocument)
        try await bridge.wait()
        #expect(try await bridge.read("a.json", in: .group).bytes == Array("{}".utf8))
    }

    @Test func `A conflict is listed with its fields, and resolved`() async throws {
        let simulated = try SimulatedBridge()
        let bridge = simulated.bridge
        try await bridge.write(#"{"a":1}"#.utf8, to: "a.json", in: .app)
        try await bridge.wait()
        try await bridge.write(#"{"a":2}"#.utf8, to: "a.json", in: .app)
        try await bridge.write(#"{"a":3}"#.utf8, to: "a.json", in: .group)
        try await bridge.wait()
        let conflict = try #require(try await bridge.conflicts().first)
        #expect(conflict.fields.map(\.pointer) == ["/a"])
        #expect(conflict.fields.map(\.group) == ["3"])
        #expect(try await bridge.documents().map(\.state) == [.conflict])
        try await bridge.resolve(conflict.id, taking: .container(.group))
        try await bridge.wait()
        #expect(try simulated.read("a.json", in: .app) == Array(#"{"a":3}"#.utf8))
        #expect(try await bridge.conflicts().isEmpty)
    }

    @Test func `A bridge that lost all documents is halted until that is allowed`() async throws {
        let simulated = try SimulatedBridge()
        let bridge = simulated.bridge
        for name in ["a.json", "b.json"] { try simulated.save("{}".utf8, as: name, in: .app) }
        try await bridge.wait()
        for name in ["a.json", "b.json"] { try simulated.delete(name, in: .app) }
        simulated.settle()
        let status = try await bridge.status()
        #expect(status.state == .halted)
        #expect(await reason { try await bridge.wait() } == .halted)
        let allowed = try await bridge.allow(try #require(status.permit))
        #expect(allowed.documents == ["a.json", "b.json"])
        try await bridge.wait()
        #expect(try simulated.read("a.json", in: .group) == nil)
    }

    @Test func `A reader of notices gets the saves made while it waits`() async throws {
        let simulated = try SimulatedBridge()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        async let documents = Task {
            var documents: [String] = []
            begin.yield()
            for try await notice in simulated.bridge.notices() {
                documents.append(notice.document)
                if documents.count == 2 { break }
            }
            return documents
        }.value
        for await _ in begun { break }
        try simulated.save("{}".utf8, as: "a.json", in: .app)
        try simulated.save("{}".utf8, as: "b.json", in: .group)
        #expect(try await documents == ["a.json", "b.json"])
    }
}

/// The reason of the failure, if there is one.
func reason<Result>(_ body: () async throws -> Result) async -> BridgeFailure.Reason? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? BridgeFailure)?.reason
    }
}
