import BridgeRuntime
import Foundation
import Model
import TestBridge
import TestWorld
import Testing

/// Commands about one document, with and without an agent.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DocumentCommandTests {
    private func with(agent: Bool, _ body: (RealBridge) async throws -> Void) async throws {
        if agent { try await RealBridge.withAgent(body: body) } else { try await RealBridge.with(body) }
    }

    private func save(_ text: String, _ bridge: RealBridge, agent: Bool) async throws {
        try bridge.save(text, as: "a.json", in: bridge.app)
        let ended = try await agent ? bridge.wait() : bridge.run("sync")
        #expect(ended.status == 0)
    }

    @Test(arguments: [false, true])
    func `A deleted document is deleted on both sides, and can be restored`(_ agent: Bool) async throws {
        try await with(agent: agent) { bridge in
            try await save("[1]", bridge, agent: agent)
            let other = Digest(of: [1]).description
            let refused = try await bridge.run("delete", "a.json", "--expect", other)
            #expect(refused.status == 7 && bridge.read("a.json", in: bridge.group) == "[1]")
            let digest = Digest(of: Array("[1]".utf8)).description
            let ended = try await bridge.run("delete", "a.json", "--expect", digest, "--json")
            #expect(ended.status == 0, "\(ended)")
            let deleted = try JSONDecoder().decode([String: String].self, from: Data(ended.output.utf8))
            #expect(deleted["document"] == "a.json" && deleted["side"] == "group")
            if agent { #expect(try await bridge.wait().status == 0) }
            #expect(bridge.read("a.json", in: bridge.app) == nil)
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            #expect(try await bridge.run("status").status == 0, "the last document may go, too")
            #expect(try await bridge.run("delete", "a.json").status == 1)
            let id = try #require(deleted["id"])
            #expect(try await bridge.run("undo", id).status == 0)
            if agent { #expect(try await bridge.wait().status == 0) }
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
        }
    }

    @Test(arguments: [false, true])
    func `A deletion is refused while the other side's document is held`(_ agent: Bool) async throws {
        try await with(agent: agent) { bridge in
            try await save("[1]", bridge, agent: agent)
            try bridge.save("[1", as: "a.json", in: bridge.app)
            let refused = try await bridge.run("delete", "a.json")
            #expect(refused.status == 7 && refused.errors.contains("not JSON"), "\(refused)")
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            #expect(try await bridge.run("delete", "a.json", "--side", "app").status == 0)
        }
    }

    @Test(arguments: [false, true])
    func `Each content of the trash has the time of its deletion`(_ agent: Bool) async throws {
        try await with(agent: agent) { bridge in
            for name in ["a.json", "b.json"] { try bridge.save("[1]", as: name, in: bridge.app) }
            #expect(try await (agent ? bridge.wait() : bridge.run("sync")).status == 0)
            for name in ["b.json", "a.json"] {
                #expect(try await bridge.run("delete", name).status == 0)
                let newest = try await bridge.run("history", "--limit", "1")
                #expect(newest.output.contains(name), "\(newest)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `Names that differ only in their Unicode normalization are two documents`(_ agent: Bool) async throws
    {
        let names = ["caf\u{E9}.json", "cafe\u{301}.json"]
        try await with(agent: agent) { bridge in
            for (number, name) in names.enumerated() {
                try bridge.save("[\(number)]", as: name, in: bridge.app)
            }
            #expect(try await (agent ? bridge.wait() : bridge.run("sync")).status == 0)
            for (number, name) in names.enumerated() {
                #expect(bridge.read(name, in: bridge.group) == "[\(number)]")
                #expect(try await bridge.run("delete", name).status == 0)
                let history = try await bridge.run("history", name, "--json").output
                #expect(history.split(separator: "\n").count == 1, "\(history)")
            }
            for name in names { try bridge.save("[2]", as: name, in: bridge.app) }
            let synced = try await bridge.run("sync")
            #expect(agent || synced.output.contains("2 rows done"), "\(synced)")
        }
    }

    @Test(arguments: [false, true])
    func `Differing values are shown, and different formatting is not`(_ agent: Bool) async throws {
        try await with(agent: agent) { bridge in
            try await save(#"{"a":1,"b":2}"#, bridge, agent: agent)
            #expect(try await bridge.run("diff", "a.json").status == 0)
            #expect(try await bridge.run("diff", "none.json").status == 1)
            if agent { return }
            try bridge.save(#"{ "b":2.0, "a":1 }"#, as: "a.json", in: bridge.app)
            let same = try await bridge.run("diff", "a.json")
            #expect(same.status == 0 && same.output.isEmpty)
            try bridge.save(#"{"a":3,"b":2}"#, as: "a.json", in: bridge.app)
            let patch = try await bridge.run("diff", "a.json", "--format", "patch")
            #expect(patch.status == 2)
            #expect(patch.output.contains(#"{"op":"replace","path":"/a","value":1}"#))
            let text = try await bridge.run("diff", "a.json").output
            #expect(text.contains(#"-   "a": 3,"#) && text.contains(#"+   "a": 1,"#))
        }
    }

    @Test func `Two versions are compared in the older one`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.group)
            let flags = ["--profile", "budget", "--app-version", "2"]
            #expect(try await Binary.run(["sync"] + flags + bridge.flags).status == 0)
            let same = try await Binary.run(["diff", "budget.json"] + flags + bridge.flags)
            #expect(same.status == 0 && same.output.isEmpty, "\(same)")
            let spent = RealBridge.oldBudget.replacing("450.50", with: "460")
            try bridge.save(spent, as: "budget.json", in: bridge.group)
            let ended = try await Binary.run(["diff", "budget.json", "--json"] + flags + bridge.flags)
            #expect(ended.status == 2)
            #expect(ended.output.contains(#""version":{"app":2,"group":1},"comparedVersion":1"#))
        }
    }

    @Test func `A document of a newer version is replaced or deleted only if its hash is given`() async throws
    {
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget"] + bridge.flags
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            for command in ["put", "delete"] {
                try bridge.save(#"{"version":9}"#, as: "budget.json", in: bridge.group)
                let arguments = [command, "budget.json"] + flags
                let refused = try await Binary.run(arguments, input: RealBridge.oldBudget)
                #expect(
                    refused.status == 7 && refused.errors.contains("give its hash with --expect"),
                    "\(refused)"
                )
                let wrong = Digest(of: Array("{}".utf8)).description
                let mistaken = try await Binary.run(
                    arguments + ["--expect", wrong],
                    input: RealBridge.oldBudget
                )
                #expect(mistaken.status == 7, "\(mistaken)")
                #expect(try await Binary.run(["get", "budget.json"] + flags).output == #"{"version":9}"#)
                let hash = Digest(of: Array(#"{"version":9}"#.utf8)).description
                let done = try await Binary.run(arguments + ["--expect", hash], input: RealBridge.oldBudget)
                #expect(done.status == 0, "\(done)")
                #expect(try await Binary.run(["sync"] + flags).status == 0)
                // Its content is in the trash.
                let kept = try await Binary.run(["history", "--json"] + flags)
                #expect(kept.output.contains(hash), "\(kept)")
            }
        }
    }

    @Test func `A pointer selects the exact bytes of a value`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"a/b":[1.50, {"c": "\u00e9"} ]}"#, as: "a.json", in: bridge.group)
            let number = try await bridge.run("get", "a.json", "--pointer", "/a~1b/0")
            #expect(number.status == 0 && number.output == "1.50")
            let object = try await bridge.run("get", "a.json", "--pointer", "/a~1b/1")
            #expect(object.output == #"{"c": "\u00e9"}"#)
            let missing = try await bridge.run("get", "a.json", "--pointer", "/a~1b/2")
            #expect(missing.status == 1 && missing.output.isEmpty)
            #expect(missing.errors.split(separator: "\n").count == 1)
            #expect(try await bridge.run("get", "a.json", "--pointer", "a").status == 64)
        }
    }

    @Test func `The history is limited by number and by time`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]", "[3]"] { try await save(text, bridge, agent: false) }
            let all = try await bridge.run("history", "--json").output
            let newest = try await bridge.run("history", "--json", "--limit", "1").output
            #expect(all.split(separator: "\n").count == 2 && all.hasPrefix(newest))
            #expect(try await bridge.run("history", "--json", "--since", "1h").output == all)
            let none = try await bridge.run("history", "--json", "--since", "9999-01-01T00:00:00Z")
            #expect(none.status == 0 && none.output.isEmpty)
        }
    }

    @Test func `People read local time, programs UTC`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]"] { try await save(text, bridge, agent: false) }
            let arguments = ["history"] + bridge.flags
            let there = try Running(arguments, environment: ["TZ": "IST-5:30"])
            #expect(await there.ended().output.contains(#/ \d\d:\d\d:\d\d\.\d{3}\+05:30 /#))
            let json = try Running(arguments + ["--json"], environment: ["TZ": "IST-5:30"])
            #expect(await json.ended().output.contains(#/"time":"[-0-9]+T[0-9:.]+Z"/#))
        }
    }

    @Test func `Completion offers names, and never an error`() async throws {
        try await RealBridge.with { bridge in
            try await save("[1]", bridge, agent: false)
            func offered(_ command: [String], _ name: String, _ words: [String]) async throws -> [String] {
                let place = "\(words.count)"
                let asked = ["---completion"] + command + ["--", name, place, "0", "widgetbridge"]
                let ended = try await Binary.run(asked + words)
                #expect(ended.errors.isEmpty)
                return ended.output.split(separator: "\n").map(String.init)
            }
            let words = ["get"] + bridge.flags
            #expect(try await offered(["get"], "positional@0", words + [""]) == ["a.json"])
            #expect(try await offered(["get"], "positional@0", ["get", "--app", "/none", ""]) == [])
            #expect(try await offered(["get"], "--profile", ["get", "--profile", ""]).contains("budget"))
        }
    }
}
