import Foundation
import TestWorld
import Testing

/// `include` and `exclude` on the command line and in the configuration.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExcludeCommandTests {
    @Test func `An excluded document is left where it is, and commands say so when asked for it`()
        async throws
    {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--exclude", "draft*"])
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            try bridge.save("{ broken", as: "draft.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            #expect(bridge.read("draft.json", in: bridge.group) == nil)
            let status = try await bridge.run("status")
            #expect(status.status == 0 && !status.output.contains("draft.json"))
            #expect(status.output.contains("without documents that match draft*\n"))
            let line =
                "widgetbridge: the document is not synced: `exclude` leaves it out, by the pattern `draft*`, "
                + "draft.json; change that in the configuration or the profile to sync it\n"
            for command in [["status"], ["why"], ["wait"], ["get"], ["delete"], ["put"]] {
                let ended = try await Binary.run(command + ["draft.json"] + bridge.flags, input: "[2]")
                #expect(ended == Binary.Ended(status: 1, errors: line), "\(command)")
            }
            let other = try await bridge.run("status", "--exclude", "a*")
            #expect(other.status == 64 && other.errors.contains("runs with another --exclude"))
            #expect(try await bridge.run("status", "--exclude", "draft*").status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A configuration has both lists, and each bridge may have its own`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/widgetbridge.yaml"
            let settings = "app: app\ngroup: group\nstate: state\ninclude: [\"*.json\"]\nexclude: [b.json]\n"
            try write(settings, to: file)
            for name in ["a.json", "b.json", "d/c.json"] {
                let directory = URL(filePath: "\(bridge.app)/\(name)").deletingLastPathComponent()
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try bridge.save("[1]", as: name, in: bridge.app)
            }
            #expect(try await Binary.run(["sync", "--config", file]).status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "[1]")
            #expect(bridge.read("b.json", in: bridge.group) == nil)
            #expect(bridge.read("d/c.json", in: bridge.group) == nil)
            let ended = try await Binary.run(["status", "d/c.json", "--config", file])
            #expect(ended.status == 1 && ended.errors.contains("no pattern there matches it"))
            try write("app: app\ngroup: group\nexclude: [a/**]\n", to: file)
            #expect(try await Binary.run(["sync", "--config", file]).status == 64)
        }
    }

    @Test func `Commands know no document that the profile no longer names`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/p.yaml"
            for documents in ["{state.dat: {}}", "{}"] {
                try write("profile: p\ndocuments: \(documents)\n", to: file)
                try bridge.save(#"{"of":"\#(documents)"}"#, as: "state.dat", in: bridge.app)
                #expect(try await bridge.run("sync", "--profile", file).status == 0)
            }
            #expect(bridge.read("state.dat", in: bridge.group)?.contains("state.dat") == true)
            let status = try await bridge.run("status", "--profile", file)
            #expect(status.status == 0 && status.output.contains("0 documents"), "\(status)")
            let asked = try await bridge.run("status", "state.dat", "--profile", file)
            #expect(asked.status == 1 && asked.errors.contains("no such document"), "\(asked)")
            for command in ["why", "get", "diff"] {
                let ended = try await bridge.run(command, "state.dat", "--profile", file)
                #expect(ended.status != 0 && ended.errors.contains("not a document"), "\(command) \(ended)")
            }
        }
    }

    @Test func `A wrong pattern is refused`() async throws {
        try await RealBridge.with { bridge in
            let ended = try await bridge.run("sync", "--exclude", "a/**")
            #expect(ended.status == 64 && ended.errors.contains("`**` is not supported"))
        }
    }
}
