import AgentClient
import BridgeRuntime
import Foundation
import TestWorld
import Testing

/// Views of a document, with a running agent.
@Suite struct LiveViewTests {
    private let app = LiveApp.first

    private func withViews(_ body: (RealBridge, String) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            let own = "\(bridge.root)/own.yaml"
            let text = try await Binary.run(["profile", "show", "budget"]).output
            let mark = "    version: {field: version, missing: 1}\n"
            try write(text.replacing(mark, with: mark + "    views: [1]\n"), to: own)
            try await body(bridge, own)
        }
    }

    @Test func `Old and new readers of one container each have their version`() async throws {
        try await withViews { bridge, own in
            let agent = try await bridge.startAgent(["--profile", own])
            try bridge.save(app.v2, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.json", in: bridge.group) == app.v2)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            try bridge.save(#"{"spent":1}"#, as: "budget.v1.json", in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            #expect(bridge.read("budget.v1.json", in: bridge.app) == nil)
            try bridge.save(app.v2(with: app.byApp), as: "budget.json", in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1(with: app.byApp))
            let status = try await bridge.run("status")
            #expect(status.output.contains("also published as group:budget.v1.json"), "\(status)")
            #expect(try await bridge.status().documents.map(\.name) == ["budget.json"])
            let why = try await bridge.run("why", "budget.v1.json")
            #expect(why.status == 0 && why.output.contains("a view of budget.json"), "\(why)")
            try await bridge.end(agent)
        }
    }

    @Test func `A program's file in a view's place is reported and left unchanged`() async throws {
        try await withViews { bridge, own in
            try bridge.save(app.v2, as: "budget.json", in: bridge.app)
            try bridge.save(#"{"mine":1}"#, as: "budget.v1.json", in: bridge.group)
            let agent = try await bridge.startAgent(["--profile", own])
            #expect(try await bridge.run("wait").status == 7)
            let status = try await bridge.run("status")
            #expect(status.status == 7 && status.output.contains("budget.v1.json: a file that the bridge"))
            #expect(bridge.read("budget.v1.json", in: bridge.group) == #"{"mine":1}"#)
            #expect(bridge.read("budget.json", in: bridge.group) == app.v2)
            try FileManager.default.moveItem(
                atPath: "\(bridge.group)/budget.v1.json",
                toPath: "\(bridge.group)/mine.txt"
            )
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            try await bridge.end(agent)
        }
    }

    @Test func `A file with the name of a view is reported as not synced`() async throws {
        try await withViews { bridge, own in
            try bridge.save(#"{"mine":1}"#, as: "budget.v1.json", in: bridge.app)
            let synced = try await bridge.run("sync", "--profile", own)
            #expect(
                synced.status == 7 && synced.output.contains("reserved for a view of budget.json"),
                "\(synced)"
            )
            let before = try await bridge.run("status", "--profile", own)
            #expect(before.status == 7 && before.output.contains("1 held"), "\(before)")
            let agent = try await bridge.startAgent(["--profile", own])
            #expect(try await bridge.run("wait", "budget.v1.json").status == 7)
            #expect(try await bridge.run("wait").status == 7)
            let why = try await bridge.run("why", "budget.v1.json")
            #expect(why.output.contains("held") && why.output.contains("not synced"), "\(why)")
            // It stays so beside the document and its view.
            try bridge.save(app.v2, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("wait", "budget.json").status == 0)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            #expect(bridge.read("budget.v1.json", in: bridge.app) == #"{"mine":1}"#)
            #expect(try await bridge.run("wait").status == 7)
            try FileManager.default.removeItem(atPath: "\(bridge.app)/budget.v1.json")
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.status().documents.map(\.name) == ["budget.json"])
            try bridge.save(#"{"mine":2}"#, as: "budget.v1.json", in: bridge.app)
            #expect(try await bridge.run("wait").status == 7)
            try await bridge.end(agent)
        }
    }

    @Test(arguments: [false, true])
    func `A view is neither put nor deleted, and its document is named`(hasAgent: Bool) async throws {
        try await withViews { bridge, own in
            try bridge.save(app.v2, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            let agent = hasAgent ? try await bridge.startAgent(["--profile", own]) : nil
            let line =
                "not a document: it is a view of budget.json, which the bridge writes, budget.v1.json; "
                + "change budget.json instead"
            for command in ["put", "delete"] {
                let ended = try await bridge.run(command, "budget.v1.json", "--profile", own, input: "{}")
                #expect(ended == Binary.Ended(status: 1, errors: "widgetbridge: \(line)\n"))
            }
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `After a migration the old readers keep their view`() async throws {
        try await withViews { bridge, own in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            #expect(try await bridge.run("migrate", "apply", "--profile", own).status == 0)
            #expect(bridge.read("budget.json", in: bridge.app) == app.v2)
            #expect(bridge.read("budget.v1.json", in: bridge.group) == app.v1)
            let lint = try await Binary.run(["profile", "lint", own])
            #expect(!lint.output.contains("VIEW_NEEDED"), "\(lint)")
            #expect(try await Binary.run(["profile", "lint", "budget"]).output.contains("VIEW_NEEDED"))
        }
    }
}
