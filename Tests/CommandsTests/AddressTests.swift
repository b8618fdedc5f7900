import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Commands

/// Which bridge a command is for: beside an agent, without one, and beside the agent of another state.
@Suite(.timeLimit(.minutes(2))) struct AddressTests {
    private func containers(of bridge: RealBridge) throws -> (other: String, third: String) {
        let places = (other: "\(bridge.root)/other", third: "\(bridge.root)/third")
        for place in [places.other, places.third] {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        }
        return places
    }

    @Test func `A state directory alone selects the bridge of its agent`() async throws {
        try await RealBridge.withAgent { bridge in
            let state = ["--state", bridge.state]
            let put = try await Binary.run(["put", "a.json"] + state, input: "{}")
            #expect(put.status == 0)
            for command in [["wait"], ["status"], ["sync"], ["get", "a.json"], ["why", "a.json"]] {
                let ended = try await Binary.run(command + state)
                #expect(ended.status == 0, "\(command): \(ended)")
            }
            #expect(bridge.read("a.json", in: bridge.app) == "{}")
        }
        let nobody = try await Binary.run(["get", "a.json", "--state", "/nonexistent/state"])
        #expect(nobody.status == 64)
    }

    @Test func `Options that contradict the agent's bridge are refused`() async throws {
        try await RealBridge.withAgent { bridge in
            let (other, _) = try containers(of: bridge)
            let state = ["--state", bridge.state]
            let wrong = [
                ["--app", other, "--group", bridge.group], ["--app", bridge.app, "--group", other],
                ["--app", bridge.group, "--group", bridge.app], ["--app", other],
                ["--app", bridge.app, "--group", bridge.group, "--profile", "budget"],
            ]
            for flags in wrong {
                let put = try await Binary.run(
                    ["put", "a.json", "--side", "app"] + flags + state,
                    input: "{}"
                )
                #expect(put.status == 64, "\(flags): \(put)")
                #expect(put.errors.contains("the agent on this socket "))
                #expect(put.errors.split(separator: "\n").count == 1)
            }
            for place in [other, bridge.app, bridge.group] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
            }
        }
    }

    @Test func `Settings that contradict the agent's are refused`() async throws {
        try await RealBridge.withAgent("--max-document", "1MiB", "--commit", "rename") { bridge in
            let state = ["--state", bridge.state]
            let right = [
                [], ["--durability", "none"], ["--max-document", "1024KiB"], ["--commit", "rename"],
                ["--max-depth", "512"], ["--max-directories", "64"],
            ]
            for flags in right {
                let ended = try await Binary.run(["sync"] + flags + state)
                #expect(ended.status == 0, "\(flags): \(ended)")
            }
            let wrong = [
                ["--app-version", "2"], ["--group-version", "1"], ["--durability", "batch"],
                ["--commit", "exchange"], ["--max-document", "8MiB"], ["--max-depth", "7"],
                ["--max-directories", "7"],
                ["--guard-last-document"], ["--max-trash", "1MiB"],
            ]
            for flags in wrong {
                let put = try await Binary.run(["put", "a.json"] + flags + state, input: "{}")
                #expect(put.status == 64, "\(flags): \(put)")
                #expect(put.errors.contains("the agent on this socket runs with another \(flags[0]), "))
                #expect(put.errors.split(separator: "\n").count == 1, "\(put)")
            }
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            let file = "\(bridge.root)/w.yaml"
            for (durability, status) in [("none", 0), ("dir", 64)] {
                try write("state: \(bridge.state)\ndurability: \(durability)\n", to: file)
                let ended = try await Binary.run(["sync", "--config", file])
                #expect(ended.status == Int32(status), "\(durability): \(ended)")
            }
        }
    }

    @Test func `Only one process syncs a pair of containers, in either order`() async throws {
        try await RealBridge.withAgent { bridge in
            let (other, third) = try containers(of: bridge)
            for pair in [[bridge.app, bridge.group], [bridge.group, bridge.app]] {
                for command in [["agent"], ["sync"], ["put", "a.json"]] {
                    let flags = ["--app", pair[0], "--group", pair[1], "--state", other]
                    let second = try await Binary.run(command + flags, input: "{}")
                    #expect(second.status == 1, "\(command): \(second)")
                    #expect(second.errors.hasPrefix("widgetbridge: process "))
                    let words =
                        "already syncs these containers, with its state in \(bridge.state), "
                    #expect(second.errors.contains(words), "\(second)")
                }
            }
            #expect(bridge.read("a.json", in: bridge.group) == nil)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other).allSatisfy { $0 == "agent.lock" }
            )
            let refused = "\(bridge.root)/refused/state"
            for command in ["agent", "sync"] {
                let flags = ["--app", bridge.app, "--group", bridge.group, "--state", refused]
                #expect(try await Binary.run([command] + flags).status == 1)
                #expect(!FileManager.default.fileExists(atPath: "\(bridge.root)/refused"), "\(command)")
            }
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state", refused]
            for command in [["status"], ["sync", "--dry-run"], ["wait", "a.json"]] {
                let second = try await Binary.run(command + flags)
                #expect(second.status == 1, "\(command): \(second)")
                #expect(second.errors.contains("with its state in \(bridge.state), "), "\(second)")
                #expect(!FileManager.default.fileExists(atPath: "\(bridge.root)/refused"), "\(command)")
            }
            let elsewhere = ["--app", bridge.app, "--group", third, "--state", other]
            #expect(try await Binary.run(["sync"] + elsewhere).status == 0)
        }
    }

    @Test func `Without an agent, a dry run and status show what a sync would do, and leave nothing behind`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save("[", as: "bad.json", in: bridge.app)
            for command in [["status"], ["sync", "--dry-run"]] {
                let ended = try await Binary.run(command + bridge.flags)
                #expect(ended.status == 7 && ended.output.contains("bad.json"), "\(command): \(ended)")
            }
            let why = try await bridge.run("why", "bad.json")
            #expect(why.status == 0 && why.output.contains("held"), "\(why)")
            #expect(!FileManager.default.fileExists(atPath: bridge.state))
            try bridge.save("[]", as: "bad.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try bridge.save("[", as: "bad.json", in: bridge.group)
            #expect(try await bridge.run("sync").status == 7)
            #expect(try await bridge.run("status").status == 7)
            #expect(try await bridge.run("why", "bad.json").output.contains("held"))
        }
    }

    @Test func `A configuration is searched for upwards to the home directory`() {
        func places(_ directory: String, _ environment: [String: String]) -> [String] {
            ConfigurationSearch(environment: environment, directory: directory).places
                .map { $0.replacing("/widgetbridge.yaml", with: "") }
        }
        #expect(
            places("/nowhere/me/a/b", ["HOME": "/nowhere/me"])
                == ["/nowhere/me/a/b", "/nowhere/me/a", "/nowhere/me", "/nowhere/me/.config/widgetbridge"]
        )
        #expect(
            places("/srv/data", ["HOME": "/nowhere/me", "XDG_CONFIG_HOME": "/etc/mine"])
                == ["/srv/data", "/etc/mine/widgetbridge"]
        )
        #expect(places("/srv/data", ["XDG_CONFIG_HOME": "relative"]) == ["/srv/data"])
        let named = ConfigurationSearch(environment: ["WIDGETBRIDGE_CONFIG": "/x.yaml"], directory: "/")
        #expect(named.first == "/x.yaml")
    }

    @Test func `Of several bridges, those that have a document show it`() async throws {
        try await withDirectory { directory in
            for name in ["a", "b", "c", "d"] { unsafe mkdir("\(directory)/\(name)", 0o700) }
            let file = "\(directory)/w.yaml"
            try write(
                "bridges:\n  x: {app: a, group: b, state: s}\n  y: {app: c, group: d, state: t}\n",
                to: file
            )
            try write("{}", to: "\(directory)/a/note.json")
            #expect(try await Binary.run(["sync", "--config", file]).status == 0)
            let found = try await Binary.run(["status", "note.json", "--config", file])
            #expect(found.status == 0 && found.errors.isEmpty, "\(found)")
            #expect(found.output.contains("note.json") && !found.output.contains("y:"), "\(found)")
            let missing = try await Binary.run(["status", "ntoe.json", "--config", file])
            #expect(missing.status == 1, "\(missing)")
            #expect(missing.errors.contains("Did you mean `note.json`?"), "\(missing)")
        }
    }

    @Test func `A configuration that others can write is refused`() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/w.yaml"
            try write("app: a\ngroup: b\n", to: file)
            for mode in [0o664, 0o646] as [mode_t] {
                #expect(unsafe chmod(file, mode) == 0)
                let line = "others can write the configuration, \(file); `chmod go-w \(file)`"
                #expect(
                    await run(["status", "--config", file])
                        == Ran(status: .usage, errors: "widgetbridge: \(line)\n")
                )
            }
            #expect(unsafe chmod(file, 0o644) == 0)
            #expect(await run(["status", "--config", file]).status == .failed)
            guard getuid() == 0 else { return }
            #expect(unsafe chown(file, 65_534, 65_534) == 0)
            #expect(await run(["status", "--config", file]).status == .usage)
        }
    }
}
