import TestWorld
import Testing

/// With `version: shapes`, lenses whose result is of another version than they lead to.
@Suite(.timeLimit(.minutes(2))) struct UnrecognizedVersionTests {
    private static let profile = """
        profile: p
        documents:
          d.json:
            version: shapes
            versions:
              1: {when: {type: object, required: [price]}}
              2:
                when: {type: object, required: [v], properties: {v: {const: 2}}}
                lenses: [{scale: {field: price, by: 0.01}}]
        """

    @Test(arguments: [#"{"price":1000}"#, #"{"v":3,"price":1000}"#])
    func `A document whose translation has no recognized version is held`(_ content: String) async throws {
        try await RealBridge.with { bridge in
            try write(Self.profile, to: "\(bridge.root)/p.yaml")
            try bridge.save(content, as: "d.json", in: bridge.app)
            let flags = bridge.flags + ["--profile", "\(bridge.root)/p.yaml"]
            for _ in 0..<2 { #expect(try await Binary.run(["sync"] + flags).status == 7) }
            #expect(bridge.read("d.json", in: bridge.app) == content)
            #expect(bridge.read("d.json", in: bridge.group) == nil)
            let plan = try await Binary.run(["migrate", "plan"] + flags)
            #expect(plan.output.contains("BLOCKED"), "\(plan)")
        }
    }
}
