import AgentClient
import BridgeRuntime
import Foundation
import Model
import StateStore
import SyncEngine
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// Conflicts that a rule resolved, and that a person resolves differently.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConflictCommandTests {
    private static let base = #"{"a":1.50,"b":1,"c":1}"#
    private static let app = #"{"a":2.50,"b":2,"c":1}"#
    private static let group = #"{"a":3.50,"b":1,"c":3}"#

    /// Both sides change `a`; other changes are merged.
    private func quarrel(_ bridge: RealBridge, sync: () async throws -> Void) async throws {
        try bridge.save(Self.base, as: "a.json", in: bridge.app)
        try await sync()
        try bridge.save(Self.app, as: "a.json", in: bridge.app)
        try bridge.save(Self.group, as: "a.json", in: bridge.group)
    }

    private func conflicts(_ bridge: RealBridge) async throws -> [KeptConflict] {
        let ended = try await bridge.run("conflicts", "--json")
        #expect(ended.status == 0 && ended.errors.isEmpty)
        return try ended.output.split(separator: "\n").map {
            try JSONDecoder().decode(KeptConflict.self, from: Data($0.utf8))
        }
    }

    private func quarrelled(_ body: (RealBridge, KeptConflict) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            try await quarrel(bridge) { _ = try await bridge.run("sync") }
            #expect(try await bridge.run("sync").status == 7)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":2.50,"b":2,"c":3}"#)
            try await body(bridge, try #require(try await conflicts(bridge).first))
        }
    }

    @Test func `A file that violates the document's schema resolves no conflict`() async throws {
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget"] + bridge.flags
            let other = RealBridge.oldBudget.replacing("450.50", with: "1")
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            try bridge.save(other, as: "budget.json", in: bridge.group)
            #expect(try await Binary.run(["sync"] + flags).status == 7)
            let list = try await Binary.run(["conflicts", "--json"] + flags).output
            let id = try JSONDecoder().decode(KeptConflict.self, from: Data(list.utf8)).id
            let resolve = ["conflicts", "resolve", id, "--take", "-"] + flags
            let refused = try await Binary.run(resolve, input: #"{"x":1}"#)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("the file violates its schema at 1:1"), "\(refused)")
            #expect(try await Binary.run(["conflicts", "--json"] + flags).output == list)
            #expect(try await Binary.run(resolve, input: other).status == 0)
        }
    }

    @Test func `A conflict resolved by rule is status 7 once, then listed as a diff against the base`()
        async throws
    {
        try await quarrelled { bridge, conflict in
            #expect(try await bridge.run("sync").status == 0)
            let status = try await bridge.run("status", "--json")
            #expect(status.status == 0 && status.output.contains(#""state":"conflict""#))
            #expect(status.output.contains(conflict.id))
            #expect(conflict.id.count == 12 && conflict.document == "a.json" && conflict.side == .group)
            #expect(
                conflict.fields
                    == [KeptConflict.Field(pointer: "/a", base: "1.50", app: "2.50", group: "3.50")]
            )
            #expect(bridge.read(conflict.file, in: bridge.state) == Self.group)
            let text = try await bridge.run("conflicts").output
            #expect(text.hasPrefix("\(conflict.id)  a.json, group's is kept  20"))
            #expect(text.contains("    /a\n    - base   1.50\n    + app    2.50\n    + group  3.50\n"))
        }
    }

    @Test func `A save before the decision that is not synced yet does not prevent it`()
        async throws
    {
        try await quarrelled { bridge, conflict in
            try bridge.save(#"{"a":4.50,"b":2,"c":3}"#, as: "a.json", in: bridge.app)
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(decided.status == 0 && decided.errors.isEmpty)
            for container in [bridge.app, bridge.group] {
                #expect(bridge.read("a.json", in: container) == #"{"a":3.50,"b":2,"c":3}"#)
            }
            #expect(try await conflicts(bridge).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `Resolved for the group, its value is synced and the rest stays merged`(prefix: Bool) async throws {
        try await quarrelled { bridge, conflict in
            let id = prefix ? String(conflict.id.prefix(5)) : conflict.id
            let decided = try await bridge.run("conflicts", "resolve", id, "--take", "group")
            #expect(decided.status == 0 && decided.errors.isEmpty)
            for container in [bridge.app, bridge.group] {
                #expect(bridge.read("a.json", in: container) == #"{"a":3.50,"b":2,"c":3}"#)
            }
            #expect(try await conflicts(bridge).isEmpty)
            #expect(try await bridge.run("conflicts").output == "no conflicts\n")
            #expect(try await bridge.status().documents.map(\.state) == [.synced])
            let why = try await bridge.run("why", "a.json").output
            #expect(why.contains("resolved conflict \(conflict.id):"))
            let history = try await bridge.run("history", "a.json", "--json").output
            #expect(history.contains("lost a conflict that a person resolved"))
            let again = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "app")
            #expect(again.status == 1 && again.errors.contains("no such conflict, `\(conflict.id)`; "))
        }
    }

    @Test func `Resolved for the app, the current content stays, and the conflict is closed`() async throws {
        try await quarrelled { bridge, conflict in
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "app", "--json")
            #expect(decided.status == 0 && decided.output.contains(#""isWritten":false"#))
            #expect(bridge.read("a.json", in: bridge.app) == #"{"a":2.50,"b":2,"c":3}"#)
            #expect(try await conflicts(bridge).isEmpty)
        }
    }

    @Test func `A file can resolve a conflict; one that is not JSON is refused`() async throws {
        try await quarrelled { bridge, conflict in
            let broken = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "-", input: "{")
            #expect(broken.status == 1 && broken.errors.hasPrefix("widgetbridge: invalid document, "))
            #expect(try await conflicts(bridge).count == 1)
            try write(#"{"a":"all"}"#, to: "\(bridge.root)/chosen.json")
            let decided = try await bridge.run(
                "conflicts",
                "resolve",
                conflict.id,
                "--take",
                "\(bridge.root)/chosen.json"
            )
            #expect(decided.status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == #"{"a":"all"}"#)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":"all"}"#)
            #expect(try await conflicts(bridge).isEmpty)
        }
    }

    @Test func `Later edits stay, except for the resolved values`() async throws {
        try await quarrelled { bridge, conflict in
            try bridge.save(#"{"a":9,"b":8,"c":3,"d":7}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(decided.status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == #"{"a":3.50,"b":8,"c":3,"d":7}"#)
        }
    }

    @Test func `With a lost journal the copies are listed, and a file can resolve the conflict`() async throws
    {
        try await quarrelled { bridge, conflict in
            for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(bridge.state)/\(name)")
            }
            _ = try await bridge.run("sync")
            let known = try #require(try await conflicts(bridge).first)
            #expect(known.id == conflict.id && known.document == "a.json" && known.side == nil)
            #expect(known.against == "now" && known.patch?.contains(#""path":"/a","value":3.50"#) == true)
            let side = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(side.status == 1 && side.errors.contains("the side it comes from is unknown"))
            let kept = "\(bridge.state)/\(known.file)"
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", kept)
            #expect(decided.status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == Self.group)
        }
    }

    @Test func `With an agent the results are the same`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            try bridge.save(Self.base, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            try await bridge.end(agent)
            try bridge.save(Self.app, as: "a.json", in: bridge.app)
            try bridge.save(Self.group, as: "a.json", in: bridge.group)
            let next = try await bridge.startAgent()
            let conflict = try #require(try await conflicts(bridge).first)
            #expect(try await bridge.status().documents.map(\.state) == [.conflict])
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(decided.status == 0)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == #"{"a":3.50,"b":2,"c":3}"#)
            #expect(try await conflicts(bridge).isEmpty)
            let none = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(none.status == 1 && none.errors.contains("no such conflict"))
            try await bridge.end(next)
        }
    }

    @Test(arguments: [
        ["conflicts", "resolve"], ["conflicts", "resolve", "0123456789ab"],
        ["conflicts", "--take", "app"], ["conflicts", "decide", "0123456789ab", "--take", "app"],
    ])
    func `An incomplete decision is wrong usage`(_ arguments: [String]) async throws {
        let ran = await run(arguments)
        #expect(ran.status == .usage && ran.output.isEmpty)
    }

    @Test func `A conflict in a document with two versions is resolved in both`() async throws {
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget"]
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            #expect(try await Binary.run(["sync"] + flags + bridge.flags).status == 0)
            let new = try #require(bridge.read("budget.json", in: bridge.group))
            let spent = RealBridge.oldBudget.replacing("450.50", with: "460.00")
            try bridge.save(spent, as: "budget.json", in: bridge.app)
            try bridge.save(new.replacing("450.50", with: "470.00"), as: "budget.json", in: bridge.group)
            #expect(try await Binary.run(["sync"] + flags + bridge.flags).status == 7)
            let listed = try await Binary.run(["conflicts", "--json"] + flags + bridge.flags).output
            let one = try JSONDecoder().decode(KeptConflict.self, from: Data(listed.utf8))
            let standing = try #require(bridge.read("budget.json", in: bridge.app))
            let other = standing.contains("460.00") ? "group" : "app"
            let decision = ["conflicts", "resolve", one.id, "--take", other] + flags + bridge.flags
            #expect(try await Binary.run(decision).status == 0)
            let value = other == "group" ? "470.00" : "460.00"
            #expect(bridge.read("budget.json", in: bridge.app)?.contains(#""spent":\#(value)"#) == true)
            #expect(bridge.read("budget.json", in: bridge.group)?.contains(value) == true)
            #expect(bridge.read("budget.json", in: bridge.group)?.contains(#""version""#) == true)
        }
    }
}
