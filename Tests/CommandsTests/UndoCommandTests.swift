import AgentClient
import BridgeRuntime
import FileSystem
import Foundation
import Glibc
import Model
import StateStore
import SyncEngine
import TestBridge
import TestWorld
import Testing

/// Overwritten and deleted contents, and how to restore them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct UndoCommandTests {
    private func history(_ bridge: RealBridge, _ arguments: String...) async throws -> [TrashedContent] {
        let ended = try await Binary.run(["history", "--json"] + arguments + bridge.flags)
        #expect(ended.status == 0 && ended.errors.isEmpty)
        return try ended.output.split(separator: "\n").map {
            try JSONDecoder().decode(TrashedContent.self, from: Data($0.utf8))
        }
    }

    private func synced(_ bridge: RealBridge, _ text: String, _ name: String = "a.json") async throws {
        try bridge.save(text, as: name, in: bridge.app)
        #expect(try await bridge.run("sync").status == 0)
    }

    @Test func `An overwritten content is listed, newest first, and restored on both sides`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]", "[3]"] { try await synced(bridge, text) }
            try await synced(bridge, #"{"b":1}"#, "b.json")
            let listed = try await history(bridge, "a.json")
            #expect(listed.map(\.generation) == [2, 1])
            #expect(listed.allSatisfy { $0.document == "a.json" && $0.side == .group && $0.size == 3 })
            #expect(listed.map(\.hash) == ["[2]", "[1]"].map { Digest(of: Array($0.utf8)).description })
            #expect(listed.allSatisfy { $0.reason == .reported("changed in app") })
            #expect(try await history(bridge).count == 2)
            let first = try #require(listed.last)
            let text = try await bridge.run("history").output
            #expect(text.contains("\(first.id)  20") && text.contains("a.json, generation 1, from group"))
            let undone = try await bridge.run("undo", first.id)
            #expect(undone.status == 0 && undone.errors.isEmpty)
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            #expect(try await history(bridge, "a.json").map(\.generation) == [3, 2])
            #expect(try await bridge.run("why", "a.json").output.contains("a person restored generation 1"))
            let why = try await bridge.run("why", "a.json", "--json").output
            #expect(why.contains(#""generation":4,"cause":"undo""#))
        }
    }

    @Test func `A save that is not synced yet does not prevent an undo`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]"] { try await synced(bridge, text) }
            let first = try #require(try await history(bridge, "a.json").first)
            try bridge.save("[3]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("undo", first.id).status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            #expect(try await bridge.run("conflicts").output == "no conflicts\n")
            #expect(try await history(bridge, "a.json").map(\.generation) == [3, 2])
        }
    }

    @Test func `A deleted document is restored with its access rights, and private in the trash`()
        async throws
    {
        try await RealBridge.with { bridge in
            let paths = [bridge.app, bridge.group].map { "\($0)/a.json" }
            try await synced(bridge, "[0]", "b.json")
            for wanted in [0o664, 0o600] as [UInt32] {
                try bridge.save("[\(wanted)]", as: "a.json", in: bridge.app)
                #expect(unsafe chmod(paths[0], wanted) == 0)
                #expect(try await bridge.run("sync").status == 0)
                #expect(paths.map(mode) == [wanted, wanted])
                for path in paths.prefix(1) { try FileManager.default.removeItem(atPath: path) }
                #expect(try await bridge.run("sync").status == 0)
                let digest = Digest(of: Array("[\(wanted)]".utf8))
                #expect(mode("\(bridge.state)/trash/\(digest.hex)") == 0o600)
                let listed = try await history(bridge, "a.json")
                let id = try #require(listed.first { $0.hash == digest.description }).id
                #expect(try await bridge.run("undo", id).status == 0)
                #expect(try await bridge.run("sync").status == 0)
                #expect(paths.map(mode) == [wanted, wanted])
                for path in paths { try FileManager.default.removeItem(atPath: path) }
                #expect(try await bridge.run("sync").status == 0)
            }
        }
    }

    private func mode(_ path: String) -> UInt32? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? NSNumber)?.uint32Value
    }

    /// Deleted on one side, or on both.
    @Test(arguments: [1, 2])
    func `A decision restores a deleted document with its access rights`(sides: Int) async throws {
        try await RealBridge.with { bridge in
            try await synced(bridge, "[0]", "b.json")
            let paths = [bridge.group, bridge.app].map { "\($0)/a.json" }
            try await synced(bridge, #"{"a":1}"#)
            try bridge.save(#"{"a":2}"#, as: "a.json", in: bridge.app)
            try bridge.save(#"{"a":3}"#, as: "a.json", in: bridge.group)
            for path in paths { #expect(unsafe chmod(path, 0o664) == 0) }
            #expect(try await bridge.run("sync").status == 7)
            let listed = try await bridge.run("conflicts", "--json").output
            let conflict = try JSONDecoder().decode(KeptConflict.self, from: Data(listed.utf8))
            for path in paths.prefix(sides) { try FileManager.default.removeItem(atPath: path) }
            if sides == 2 { #expect(try await bridge.run("sync").status == 0) }
            let decided = try await bridge.run("conflicts", "resolve", conflict.id, "--take", "group")
            #expect(decided.status == 0, "\(decided)")
            #expect(try await bridge.run("sync").status == 0)
            #expect(paths.map(mode) == [0o664, 0o664])
        }
    }

    @Test func `An undo can be undone`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]"] { try await synced(bridge, text) }
            #expect(
                try await bridge.run("undo", try #require(try await history(bridge).first).id).status == 0
            )
            #expect(
                try await bridge.run("undo", try #require(try await history(bridge).first).id).status == 0
            )
            #expect(bridge.read("a.json", in: bridge.app) == "[2]")
        }
    }

    @Test func `A deleted document is restored`() async throws {
        try await RealBridge.with { bridge in
            for name in ["a.json", "b.json", "c.json"] { try await synced(bridge, "[\"\(name)\"]", name) }
            try FileManager.default.removeItem(atPath: "\(bridge.app)/b.json")
            #expect(try await bridge.run("sync").status == 0)
            #expect(bridge.read("b.json", in: bridge.group) == nil)
            let deleted = try #require(try await history(bridge, "b.json").first)
            #expect(deleted.reason == .reported("deleted in app") && deleted.side == .group)
            #expect(try await bridge.run("undo", deleted.id).status == 0)
            #expect(bridge.read("b.json", in: bridge.app) == #"["b.json"]"#)
            #expect(bridge.read("b.json", in: bridge.group) == #"["b.json"]"#)
        }
    }

    @Test func `A merged save can be restored as it was`() async throws {
        try await RealBridge.with { bridge in
            try await synced(bridge, #"{"a":1,"b":1}"#)
            try bridge.save(#"{"a":2,"b":1}"#, as: "a.json", in: bridge.app)
            try bridge.save(#"{"a":1,"b":2}"#, as: "a.json", in: bridge.group)
            #expect(try await bridge.run("sync").status == 0)
            let merged = try await history(bridge)
            #expect(merged.allSatisfy { $0.document == "a.json" })
            #expect(Set(merged.map(\.side)) == [.app, .group])
            let mine = try #require(merged.first { $0.side == .app })
            #expect(mine.reason == .reported("both sides changed: merged key by key"))
            #expect(try await bridge.run("undo", mine.id).status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":2,"b":1}"#)
        }
    }

    @Test func `A content that a put overwrote before it was synced can be restored`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.group)
            #expect(try await bridge.run("put", "a.json", input: "[2]").status == 0)
            let lost = try #require(try await history(bridge).first)
            #expect(lost.document == "a.json" && lost.reason.text == "a person replaced it")
            #expect(try await bridge.run("undo", lost.id).status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
        }
    }

    @Test func `A content of two documents has an ID for each`() async throws {
        try await RealBridge.with { bridge in
            for name in ["a.json", "b.json"] {
                for text in ["[1]", "[2]"] { try await synced(bridge, text, name) }
            }
            let listed = try await history(bridge)
            #expect(Set(listed.map(\.document)) == ["a.json", "b.json"] && Set(listed.map(\.id)).count == 2)
            let second = try #require(listed.first { $0.document == "b.json" })
            #expect(try await bridge.run("undo", second.id).status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == "[2]")
            #expect(bridge.read("b.json", in: bridge.app) == "[1]")
        }
    }

    @Test func `An unknown ID is an error that says how to list the known ones`() async throws {
        try await RealBridge.with { bridge in
            let undone = try await bridge.run("undo", "0123456789ab")
            #expect(undone.status == 1)
            #expect(
                undone.errors
                    == "widgetbridge: no such content in the trash, `0123456789ab`; "
                    + "`widgetbridge history \(bridge.hintFlags)` lists what can be restored; "
                    + "give at least 4 characters of an ID\n"
            )
            #expect(try await bridge.run("history").output == "nothing to take back\n")
        }
    }

    @Test func `A content without a history is listed, without a guess`() async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]"] { try await synced(bridge, text) }
            for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(bridge.state)/\(name)")
            }
            #expect(try await bridge.run("sync").status == 0)
            let lost = try #require(try await history(bridge).first)
            #expect(lost.document == nil && lost.generation == nil)
            let undone = try await bridge.run("undo", lost.id)
            #expect(undone.status == 1 && undone.errors.contains("origin unknown"))
            #expect(undone.errors.contains("trash/\(lost.hash.dropFirst(7))"))
        }
    }

    @Test func `With an agent a subscriber gets a notice of the undo`() async throws {
        try await RealBridge.withAgent { bridge in
            for text in ["[1]", "[2]"] {
                try bridge.save(text, as: "a.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            let subscriber = try Running(["subscribe", "--format", "jsonl", "--count", "2"] + bridge.flags)
            #expect(await subscriber.line()?.contains(#""cause":"current""#) == true)
            let old = try #require(try await history(bridge).first)
            #expect(try await bridge.run("undo", old.id).status == 0)
            let notice = await subscriber.line()
            #expect(notice?.contains(#""generation":3,"#) == true)
            #expect(notice?.contains(#""cause":"undo""#) == true)
            #expect(await subscriber.ended().status == 0)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            let why = try await bridge.run("why", "a.json", "--json").output
            #expect(why.contains(#""generation":3,"cause":"undo""#))
            let none = try await bridge.run("undo", "0123456789ab")
            #expect(none.status == 1 && none.errors.contains("no such content in the trash"))
        }
    }
}

/// A deletion that exceeds the threshold, and that a person intended.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AllowCommandTests {
    private static let names = ["a.json", "b.json", "c.json"]

    private func lose(_ names: [String], _ bridge: RealBridge) throws {
        for name in names { try FileManager.default.removeItem(atPath: "\(bridge.app)/\(name)") }
    }

    private func left(_ bridge: RealBridge) -> [String] {
        Self.names.filter { bridge.read($0, in: bridge.group) != nil }
    }

    private func held(_ bridge: RealBridge) async throws -> String {
        let status = try await bridge.status()
        #expect(status.state == .halted)
        return try #require(status.allow)
    }

    @Test func `Without an agent an undo is synced at once, and can be undone`() async throws {
        try await RealBridge.with { bridge in
            for name in Self.names { try bridge.save("[]", as: name, in: bridge.app) }
            #expect(try await bridge.run("sync").status == 0)
            try lose(Self.names, bridge)
            #expect(try await bridge.run("sync", "--dry-run").status == 7)
            #expect(try await bridge.run("sync").status == 7)
            let text = try await bridge.run("status")
            let id = try await held(bridge)
            #expect(
                text.status == 7 && text.output.contains("`widgetbridge allow \(id) \(bridge.hintFlags)`")
            )
            let wrong = try await bridge.run("allow", "0123456789ab")
            #expect(wrong.status == 1 && wrong.errors.contains("no such held deletion"))
            #expect(left(bridge) == Self.names)
            let allowed = try await bridge.run("allow", id)
            #expect(allowed.status == 0 && allowed.output.hasPrefix("3 documents deleted by app: allowed; "))
            #expect(left(bridge).isEmpty)
            #expect(try await bridge.status().state == .stopped)
            #expect(try await bridge.run("history", "--json").output.contains(#""document":"b.json""#))
        }
    }

    @Test func `With an agent an old ID does not allow a larger deletion`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            let more = (0..<9).map { "n\($0).json" }
            for name in Self.names + more { try bridge.save("[]", as: name, in: bridge.app, isOld: true) }
            #expect(try await bridge.wait().status == 0)
            agent.send(SIGSTOP)
            try lose(more, bridge)
            agent.send(SIGCONT)
            #expect(try await bridge.wait().status == 7)
            let old = try await held(bridge)
            agent.send(SIGSTOP)
            try lose(["a.json"], bridge)
            agent.send(SIGCONT)
            _ = try await bridge.run("sync")
            let new = try await held(bridge)
            #expect(new != old)
            #expect(try await bridge.run("allow", old).status == 1)
            #expect(left(bridge) == Self.names)
            let allowed = try await bridge.run("allow", new, "--json")
            #expect(
                allowed.status == 0 && allowed.output.contains(#"{"side":"app","documents":["a.json","n0"#)
            )
            #expect(try await bridge.wait().status == 0)
            #expect(left(bridge) == ["b.json", "c.json"])
            try await bridge.end(agent)
        }
    }
}

/// A renamed directory, and a bridge with one document, with real processes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LossCommandTests {
    @Test(arguments: [false, true])
    func `A renamed directory is renamed on the other side`(hasAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            let names = (1...12).map { "\($0).json" }
            try FileManager.default.createDirectory(
                atPath: "\(bridge.app)/d",
                withIntermediateDirectories: false
            )
            for name in names { try bridge.save(#"{"of":"\#(name)"}"#, as: "d/\(name)", in: bridge.app) }
            #expect(try await bridge.run("sync").status == 0)
            let agent = hasAgent ? try await bridge.startAgent() : nil
            #expect(unsafe rename("\(bridge.app)/d", "\(bridge.app)/e") == 0)
            #expect(try await bridge.run(hasAgent ? "wait" : "sync").status == 0)
            for name in names { #expect(bridge.read("e/\(name)", in: bridge.group) == #"{"of":"\#(name)"}"#) }
            #expect(!FileManager.default.fileExists(atPath: "\(bridge.group)/d"))
            if let agent { try await bridge.end(agent) }
            #expect(try await bridge.run("why", "e/1.json").output.contains("moved from d/1.json in app"))
        }
    }

    @Test func `A guarded last document is deleted only if that is allowed`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try FileManager.default.removeItem(atPath: "\(bridge.app)/a.json")
            let held = try await bridge.run("sync", "--guard-last-document")
            #expect(held.status == 7 && bridge.read("a.json", in: bridge.group) == "{}")
            #expect(held.output.contains("the last document is gone from the app container"), "\(held)")
            #expect(try await bridge.run("sync").status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == nil)
        }
    }
}

/// The limit of the trash: 256 MiB. A sparse file takes no room.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TrashBoundTests {
    private func fill(_ bridge: RealBridge, _ digit: Character, mebibytes: Int) throws -> String {
        let file = "\(bridge.state)/trash/\(String(repeating: digit, count: 64))"
        try write("", to: file)
        #expect(unsafe truncate(file, mebibytes << 20) == 0)
        return file
    }

    @Test func `Status reports that the trash is nearly full before something is removed`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync").status == 0)
            let first = try fill(bridge, "a", mebibytes: 220)
            let status = try await bridge.run("status")
            #expect(status.status == 0)
            #expect(status.output.contains("the trash is nearly full (220 of 256 MiB)"))
            let sync = try await bridge.run("sync")
            #expect(sync.status == 0 && sync.errors.contains("its oldest files are deleted next"))
            #expect(FileManager.default.fileExists(atPath: first))
            let second = try fill(bridge, "b", mebibytes: 100)
            let full = try await bridge.run("sync")
            #expect(full.errors.contains("1 of its files were deleted early"))
            #expect(!FileManager.default.fileExists(atPath: first))
            #expect(FileManager.default.fileExists(atPath: second))
        }
    }

    @Test func `An agent prunes what it finds, and status reports it`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync").status == 0)
            let first = try fill(bridge, "a", mebibytes: 220)
            _ = try fill(bridge, "b", mebibytes: 100)
            #expect(FileManager.default.fileExists(atPath: first), "nothing prunes but sync and agent")
            let agent = try await bridge.startAgent()
            #expect(!FileManager.default.fileExists(atPath: first))
            let status = try await bridge.run("status", "--json").output
            #expect(
                status.contains(#""trash":{"files":1,"bytes":104857600,"limit":268435456,"droppedEarly":1,"#)
            )
            try await bridge.end(agent)
        }
    }
}
