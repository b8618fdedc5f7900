import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import TestWorld
import Testing

/// A halted bridge as a person sees it, with real processes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HaltCommandTests {
    private static let names = (10..<22).map { "n\($0).json" }

    /// Seven of twelve documents are missing; each side has edited another one, and the app has created
    /// one.
    private func halted(_ bridge: RealBridge, hasAgent: Bool) async throws -> Running? {
        for name in Self.names { try bridge.save(#"{"of":"\#(name)"}"#, as: name, in: bridge.app) }
        #expect(try await bridge.run("sync").status == 0)
        let agent = hasAgent ? try await bridge.startAgent() : nil
        // Stopped, so that the removal is seen as one change, however long it takes.
        agent?.send(SIGSTOP)
        for name in Self.names.prefix(7) {
            try FileManager.default.removeItem(atPath: "\(bridge.app)/\(name)")
        }
        try bridge.save("[1]", as: "n20.json", in: bridge.app)
        try bridge.save("[1]", as: "n21.json", in: bridge.group)
        try bridge.save("[1]", as: "new.json", in: bridge.app)
        agent?.send(SIGCONT)
        #expect(try await bridge.run(hasAgent ? "wait" : "sync").status == 7)
        return agent
    }

    @Test(arguments: [false, true])
    func `Documents that wait for a halt are pending`(hasAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            let agent = try await halted(bridge, hasAgent: hasAgent)
            let status = try await bridge.status()
            #expect(status.state == .halted)
            let synced = status.documents.filter { $0.state == .synced }.map(\.name)
            #expect(synced == ["n17.json", "n18.json", "n19.json"])
            #expect(status.documents.filter { $0.state == .pending }.count == 10)
            for name in ["n10.json", "n20.json", "n21.json", "new.json"] {
                #expect(try await bridge.run("why", name).output.hasPrefix("\(name): pending"))
            }
            #expect(try await bridge.run("why", "n17.json").output.hasPrefix("n17.json: synced"))
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test(arguments: [false, true])
    func `A put is refused while the bridge is halted`(hasAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            let agent = try await halted(bridge, hasAgent: hasAgent)
            for (name, side) in [("n19.json", "app"), ("n10.json", "app"), ("more.json", "group")] {
                let ended = try await bridge.run("put", name, "--side", side, input: "[2]")
                #expect(ended.status == 7 && ended.output.isEmpty)
                let reason = "7 of 12 documents are gone from the app container"
                #expect(
                    ended.errors
                        == "widgetbridge: the bridge is halted: \(reason); restore what is missing, or allow it: "
                        + "`widgetbridge status \(bridge.hintFlags)` shows how\n"
                )
            }
            #expect(bridge.read("n19.json", in: bridge.app) == #"{"of":"n19.json"}"#)
            #expect(bridge.read("n10.json", in: bridge.app) == nil)
            #expect(bridge.read("more.json", in: bridge.group) == nil)
            let id = try #require(try await bridge.status().allow)
            #expect(try await bridge.run("allow", id).status == 0)
            if hasAgent { #expect(try await bridge.wait().status == 0) }
            #expect(try await bridge.run("put", "n19.json", input: "[2]").status == 0)
            #expect(bridge.read("n19.json", in: bridge.group) == "[2]")
            if let agent { try await bridge.end(agent) }
        }
    }

    /// `undo` and `conflicts resolve` write like `put`, and are refused in the same way.
    @Test(arguments: [false, true])
    func `A decision is refused while the bridge is halted`(hasAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            for text in ["[1]", "[2]"] {
                try bridge.save(text, as: "n18.json", in: bridge.app)
                #expect(try await bridge.run("sync").status == 0)
            }
            try bridge.save("[3]", as: "n19.json", in: bridge.app)
            try bridge.save("[4]", as: "n19.json", in: bridge.group)
            #expect(try await bridge.run("sync").status == 7)
            let trashed = try await firstID(bridge, "history", "n18.json")
            let conflict = try await firstID(bridge, "conflicts")
            let agent = try await halted(bridge, hasAgent: hasAgent)
            let reason = "7 of 12 documents are gone from the app container"
            let line =
                "widgetbridge: the bridge is halted: \(reason); restore what is missing, or allow it: "
                + "`widgetbridge status \(bridge.hintFlags)` shows how\n"
            let commands = [["undo", trashed], ["conflicts", "resolve", conflict, "--take", "group"]]
            for command in commands {
                let ended = try await Binary.run(command + bridge.flags)
                #expect(ended == Binary.Ended(status: 7, errors: line))
            }
            #expect(bridge.read("n18.json", in: bridge.app) == #"{"of":"n18.json"}"#)
            #expect(bridge.read("n19.json", in: bridge.app) == #"{"of":"n19.json"}"#)
            let id = try #require(try await bridge.status().allow)
            #expect(try await bridge.run("allow", id).status == 0)
            if hasAgent { #expect(try await bridge.wait().status == 0) }
            for command in commands { #expect(try await Binary.run(command + bridge.flags).status == 0) }
            #expect(bridge.read("n18.json", in: bridge.app) == "[1]")
            #expect(bridge.read("n19.json", in: bridge.app) == "[4]")
            if let agent { try await bridge.end(agent) }
        }
    }

    private func firstID(_ bridge: RealBridge, _ command: String...) async throws -> String {
        struct Row: Decodable { var id: String }
        let ended = try await Binary.run(command + ["--json"] + bridge.flags)
        let line = try #require(ended.output.split(separator: "\n").first)
        return try JSONDecoder().decode(Row.self, from: Data(line.utf8)).id
    }

    /// The directory was renamed, three documents were edited, and the other side has edited the rest.
    @Test func `Repeated syncs report the same, and so does status`() async throws {
        try await RealBridge.with { bridge in
            try FileManager.default.createDirectory(
                atPath: "\(bridge.app)/d",
                withIntermediateDirectories: false
            )
            for name in Self.names { try bridge.save(#"{"of":"\#(name)"}"#, as: "d/\(name)", in: bridge.app) }
            #expect(try await bridge.run("sync").status == 0)
            #expect(unsafe rename("\(bridge.app)/d", "\(bridge.app)/e") == 0)
            for name in Self.names.prefix(3) { try bridge.save("[1]", as: "e/\(name)", in: bridge.app) }
            for name in Self.names.dropFirst(3) { try bridge.save("[2]", as: "d/\(name)", in: bridge.group) }
            #expect(try await bridge.run("sync").status == 0)
            #expect(try await bridge.run("status").status == 0)
            for name in Self.names.prefix(3) { #expect(bridge.read("e/\(name)", in: bridge.group) == "[1]") }
            for name in Self.names.dropFirst(3) { #expect(bridge.read("d/\(name)", in: bridge.app) == "[2]") }
            for name in Self.names { try bridge.save("[3]", as: "\(name)", in: bridge.group) }
            #expect(unsafe rename("\(bridge.app)/e", "\(bridge.app)/.e") == 0)
            #expect(unsafe rename("\(bridge.app)/d", "\(bridge.app)/.d") == 0)
            for _ in 0..<2 {
                #expect(try await bridge.run("sync").status == 7)
                #expect(try await bridge.run("status").status == 7)
            }
            #expect(bridge.read("e/n10.json", in: bridge.group) == "[1]")
        }
    }
}
