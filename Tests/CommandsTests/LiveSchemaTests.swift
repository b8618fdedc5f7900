import AgentClient
import BridgeRuntime
import Model
import TestWorld
import Testing

/// Documents that violate the schema of a built-in profile.
@Suite struct LiveSchemaTests {
    private let app = LiveApp.first
    private var broken: String { app.v1.replacing(#""limit":800.00"#, with: #""limit":-1"#) }
    private let reason = "violates its schema at 1:25: `/limit` is -1, below 0 (/properties/limit/minimum)"

    /// Whether the text names it, whatever its line breaks.
    private func isNamed(in text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.contains("budget.json") && words.contains(reason)
    }

    @Test
    func `An invalid document is held with pointer and rule, and the other side keeps its last valid one`()
        async throws
    {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            try bridge.save(broken, as: "budget.json", in: bridge.app)
            let wait = try await bridge.wait()
            #expect(wait.status == 7 && isNamed(in: wait.errors), "\(wait)")
            #expect(bridge.read("budget.json", in: bridge.group) == app.v2)
            #expect(bridge.read("budget.json", in: bridge.app) == broken)
            let document = try #require(try await bridge.status().documents.first)
            #expect(document.state == .held && document.side == .app && document.reason?.text == reason)
            let text = try await bridge.run("status")
            #expect(text.status == 7 && isNamed(in: text.output), "\(text)")
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.json", in: bridge.group) == app.v2(with: app.byApp))
        }
    }

    @Test func `sync and the dry run report it with status 7`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(broken, as: "budget.json", in: bridge.app)
            for words in [["sync", "--dry-run"], ["sync"]] {
                let ran = try await Binary.run(words + bridge.flags + ["--profile", "budget"])
                #expect(ran.status == 7 && isNamed(in: ran.output), "\(ran)")
                #expect(bridge.read("budget.json", in: bridge.group) == nil)
            }
        }
    }

    @Test func `An invalid document that the profile allows is synced`() async throws {
        try await RealBridge.with { bridge in
            let own = "\(bridge.root)/own.yaml"
            let text = try await Binary.run(["profile", "show", "budget"]).output
            let mark = "    version: {field: version, missing: 1}\n"
            try write(text.replacing(mark, with: mark + "    onInvalid: pass\n"), to: own)
            try bridge.save(broken, as: "budget.json", in: bridge.app)
            let ran = try await bridge.run("sync", "--profile", own)
            #expect(ran.status == 0, "\(ran)")
            #expect(bridge.read("budget.json", in: bridge.group)?.contains(#""limit":-1"#) == true)
        }
    }

    @Test func `An app's own error document reaches the widget`() async throws {
        try await RealBridge.with { bridge in
            let error =
                app.v1.replacing(#""limit":800.00"#, with: #""limit":0"#)
                .replacing(#""groupName""#, with: #""hasError":true,"groupName""#)
            try bridge.save(error, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            #expect(bridge.read("budget.json", in: bridge.group)?.contains(#""hasError":true"#) == true)
        }
    }
}
