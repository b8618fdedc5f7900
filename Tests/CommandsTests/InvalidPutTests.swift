import Foundation
import TestWorld
import Testing

/// A document that violates the schema of its version is refused before it is written.
@Suite(.timeLimit(.minutes(2))) struct InvalidPutTests {
    @Test(arguments: [false, true])
    func `Put refuses a document that violates its schema, and writes it if forced`(agent: Bool) async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            let profile = ["--profile", "budget"]
            let running = agent ? try await bridge.startAgent(profile) : nil
            #expect(try await Binary.run(["sync"] + bridge.flags + profile).status == 0)
            let kept = bridge.read("budget.json", in: bridge.group)
            func put(_ more: String...) async throws -> Binary.Ended {
                try await Binary.run(["put", "budget.json"] + more + bridge.flags + profile, input: "{}")
            }
            let refused = try await put()
            #expect(refused.status == 1)
            for text in ["budget.json:1:1", "--force"] {
                #expect(refused.errors.contains(text), "\(refused)")
            }
            #expect(bridge.read("budget.json", in: bridge.group) == kept)
            #expect(try await put("--force").status == 0)
            #expect(bridge.read("budget.json", in: bridge.group) == "{}")
            if let running { try await bridge.end(running) }
        }
    }

    @Test(arguments: [false, true])
    func `Put refuses a document of a version that the profile does not know`(agent: Bool) async throws {
        try await RealBridge.with { bridge in
            try write(
                "profile: p\ndocuments: {d.json: {version: {field: v}, versions: {1: {}, 2: {}}}}\n",
                to: "\(bridge.root)/p.yaml"
            )
            let profile = ["--profile", "\(bridge.root)/p.yaml"]
            try bridge.save(#"{"v":2}"#, as: "d.json", in: bridge.app)
            let running = agent ? try await bridge.startAgent(profile) : nil
            #expect(try await Binary.run(["sync"] + bridge.flags + profile).status == 0)
            for content in [#"{"v":99}"#, #"{"v":0}"#, "{}"] {
                let put = ["put", "d.json"] + bridge.flags + profile
                let refused = try await Binary.run(put, input: content)
                #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused)")
            }
            #expect(bridge.read("d.json", in: bridge.group) == #"{"v":2}"#)
            if let running { try await bridge.end(running) }
        }
    }
}
