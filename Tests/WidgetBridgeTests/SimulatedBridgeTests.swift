import Testing
import WidgetBridge
import WidgetBridgeTesting

@Suite struct SimulatedBridgeTests {
    @Test func `What the app saves is in the widget's container, and its kind is told to reload`() throws {
        var bridge = try SimulatedBridge()
        try bridge.save(Array(#"{"a":1}"#.utf8), as: "notes/a.json", in: .app)
        let notices = bridge.settle()
        #expect(notices.map(\.document) == ["notes/a.json"])
        #expect(notices.map(\.cause) == [.app])
        #expect(try bridge.read("notes/a.json", in: .group) == Array(#"{"a":1}"#.utf8))
    }

    @Test func `Changes of both sides are merged`() throws {
        var bridge = try SimulatedBridge()
        try bridge.save(Array(#"{"a":1,"b":1}"#.utf8), as: "a.json", in: .app)
        bridge.settle()
        try bridge.save(Array(#"{"a":2,"b":1}"#.utf8), as: "a.json", in: .app)
        try bridge.save(Array(#"{"a":1,"b":2}"#.utf8), as: "a.json", in: .group)
        bridge.settle()
        for container in Container.allCases {
            #expect(try bridge.read("a.json", in: container) == Array(#"{"a":2,"b":2}"#.utf8))
        }
    }

    @Test func `A deletion crosses`() throws {
        var bridge = try SimulatedBridge()
        for name in ["a.json", "b.json", "c.json"] { try bridge.save(Array("{}".utf8), as: name, in: .app) }
        bridge.settle()
        try bridge.delete("a.json", in: .group)
        bridge.settle()
        #expect(try bridge.read("a.json", in: .app) == nil)
    }

    @Test func `What takes longer than a call may is done by the next ones`() throws {
        var bridge = try SimulatedBridge()
        for name in ["a.json", "b.json", "c.json"] { try bridge.save(Array("{}".utf8), as: name, in: .app) }
        bridge.settle()
        try bridge.delete("a.json", in: .group)
        for _ in 0..<100 { bridge.settle(within: .milliseconds(10)) }
        #expect(try bridge.read("a.json", in: .app) == nil)
    }

    @Test func `A document of a profile that is newer than the profile is held`() throws {
        var bridge = try SimulatedBridge(profile: .builtIn("budget"))
        try bridge.save(Array(#"{"version": 99}"#.utf8), as: "budget.json", in: .app)
        bridge.settle()
        #expect(bridge.held == ["budget.json"])
        #expect(try bridge.read("budget.json", in: .group) == nil)
    }

    @Test func `A name that leads outside is refused`() throws {
        var bridge = try SimulatedBridge()
        var refused: BridgeFailure?
        do { try bridge.save([], as: "../a.json", in: .app) } catch { refused = error }
        #expect(refused?.reason == .refusedDocument)
    }
}
