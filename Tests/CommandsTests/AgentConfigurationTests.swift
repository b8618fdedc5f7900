import Foundation
import Glibc
import TestWorld
import Testing

/// An agent that reads its configuration again while it runs.
@Suite(.timeLimit(.minutes(2))) struct AgentConfigurationTests {
    private struct World {
        let root: String
        var file: String { "\(root)/widgetbridge.yaml" }

        func configure(_ bridges: String...) throws {
            let text = "log-level: notice\ndurability: none\nbridges:\n" + bridges.joined()
            try Data(text.utf8).write(to: URL(filePath: file))
        }

        func bridge(_ name: String, _ more: String = "") throws -> String {
            for side in ["app", "group"] {
                let path = "\(root)/\(name)/\(side)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            return "  \(name): {app: \(name)/app, group: \(name)/group, state: \(state(name))\(more)}\n"
        }

        func state(_ name: String) -> String { "\(root)/\(name)/state" }

        func hasSocket(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: state(name) + "/agent.sock")
        }

        /// Whether each of these bridges is kept in sync by an agent.
        func wait(for names: String...) async throws -> Bool {
            for name in names {
                let ended = try await Binary.run(["wait", "--config", file, "--bridge", name])
                if ended.status != 0 { return false }
            }
            return true
        }

        func status(_ name: String) async throws -> String {
            try await Binary.run(["status", "--json", "--config", file, "--bridge", name]).output
        }

        /// The agent's message after it has read its configuration again.
        func reload(_ agent: Running) async -> String {
            agent.send(SIGHUP)
            return await agent.line() ?? "ended"
        }
    }

    private func with(_ body: (World, Running) async throws -> Void) async throws {
        try await withDirectory { root in
            let world = World(root: root)
            try world.configure(try world.bridge("one"), try world.bridge("two"))
            let agent = try Running(command: [Binary.path, "agent", "--config", world.file], isMixed: true)
            #expect(await agent.line() == "ready")
            try await body(world, agent)
            agent.send(SIGTERM)
            #expect(await agent.ended().status == 0)
            #expect(!["one", "two", "three"].contains { world.hasSocket($0) })
        }
    }

    @Test func `Bridges are added and removed while the others continue`() async throws {
        try await with { world, agent in
            let before = try await world.status("two")
            try world.configure(try world.bridge("two"), try world.bridge("three"))
            let said = await world.reload(agent)
            #expect(
                said.hasSuffix(
                    #"notice the configuration was reloaded added="three" removed="one" unchanged="1""#
                )
            )
            #expect(!world.hasSocket("one"))
            #expect(try await world.wait(for: "two", "three"))
            #expect(try await world.status("two") == before)
        }
    }

    @Test func `A subscriber of a removed bridge is told that it was removed`() async throws {
        try await with { world, agent in
            try Data("{}".utf8).write(to: URL(filePath: "\(world.root)/two/app/a.json"))
            #expect(try await world.wait(for: "two"))
            for more in [["--bridge", "two"], []] {
                try world.configure(try world.bridge("one"), try world.bridge("two"))
                _ = await world.reload(agent)
                let subscriber = try Running(["subscribe", "--config", world.file] + more)
                #expect(await subscriber.line() != nil)
                try world.configure(try world.bridge("one"))
                _ = await world.reload(agent)
                let line =
                    "two: the subscription ended, because the configuration no longer has this bridge, "
                    + "\(world.file); add it again, and send SIGHUP to the agent; the others are one"
                #expect(
                    await subscriber.ended() == Binary.Ended(status: 1, errors: "widgetbridge: \(line)\n")
                )
            }
        }
    }

    @Test func `An agent without a configuration says that there is none to reload`() async throws {
        try await RealBridge.with { bridge in
            let agent = try Running(command: [Binary.path, "agent"] + bridge.flags, isMixed: true)
            #expect(await agent.line() == "ready")
            agent.send(SIGHUP)
            let said = "warning SIGHUP: there is no configuration file to reload; nothing has changed"
            #expect(await agent.line()?.hasSuffix(said) == true)
            agent.send(SIGTERM)
            #expect(await agent.ended().status == 0)
        }
    }

    @Test func `A state directory alone names its bridge, or that of another agent`() async throws {
        try await with { world, agent in
            try Data("{}".utf8).write(to: URL(filePath: "\(world.root)/two/app/a.json"))
            #expect(try await world.wait(for: "two"))
            func status(_ state: String, _ more: [String] = []) async throws -> Running.Ended {
                try await Running(
                    ["status", "--state", state] + more,
                    environment: ["WIDGETBRIDGE_CONFIG": world.file]
                ).ended()
            }
            let two = try await status(world.state("two"))
            #expect(
                two.output.contains("\(world.root)/two/app\n") && two.output.contains("1 document:"),
                "\(two)"
            )
            let link = "\(world.root)/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: world.state("two"))
            #expect(try await status(link).output.contains("\(world.root)/two/app\n"))
            let other = try await status("\(world.root)/nowhere")
            let line =
                "none of the bridges one, two has its state in `\(world.root)/nowhere`, and no agent runs there, "
                + "\(world.file); choose one with --bridge, or give --app and --group"
            #expect(other == Binary.Ended(status: 64, errors: "widgetbridge: \(line)\n"))
            try await RealBridge.withAgent { bridge in
                let other = try await status(bridge.state)
                #expect(other.output.contains("\(bridge.app)\n"), "\(other)")
            }
        }
    }

    @Test func `A bridge whose settings changed is reopened`() async throws {
        try await with { world, agent in
            try world.configure(try world.bridge("one", ", commit: rename"), try world.bridge("two"))
            #expect(await world.reload(agent).hasSuffix(#"changed="one" unchanged="1""#))
            #expect(try await world.status("one").contains("\"commit\":\"rename\""))
            #expect(try await world.wait(for: "one"))
        }
    }

    @Test func `A client that asks while its bridge is reopened waits for it`() async throws {
        try await with { world, agent in
            for number in 1...20 {
                let trash = ", max-trash: \(number)MiB"
                try world.configure(try world.bridge("one", trash), try world.bridge("two"))
                agent.send(SIGHUP)
                let ended = try await Binary.run(["wait", "--config", world.file, "--bridge", "one"])
                #expect(ended == Binary.Ended(status: 0))
                #expect(await agent.line()?.hasSuffix(#"changed="one" unchanged="1""#) == true)
            }
        }
    }

    @Test(arguments: ["colour: red\n", "  three: {app: nowhere, group: two/group}\n", "  three: {app: a}\n"])
    func `An invalid configuration changes nothing`(_ wrong: String) async throws {
        try await with { world, agent in
            try world.configure(try world.bridge("two"), wrong)
            let said = await world.reload(agent)
            #expect(said.contains("error the configuration was not reloaded: nothing has changed why="))
            try world.configure(try world.bridge("one"), try world.bridge("two"))
            #expect(try await world.wait(for: "one", "two"))
        }
    }

    @Test func `A bridge that cannot be opened with its new settings keeps the old ones`() async throws {
        try await with { world, agent in
            try world.configure(try world.bridge("one", ", profile: budget"), try world.bridge("two"))
            #expect(await world.reload(agent).contains("nothing has changed"))
            try world.configure(try world.bridge("one"), try world.bridge("two"))
            #expect(try await world.wait(for: "one", "two"))
        }
    }

    @Test func `A configuration that was deleted changes nothing, and is named`() async throws {
        try await with { world, agent in
            try FileManager.default.removeItem(atPath: world.file)
            let said = await world.reload(agent)
            let why =
                "cannot read the configuration: No such file or directory, \(world.file); restore it, or name "
                + "another with --config"
            #expect(
                said.hasSuffix("the configuration was not reloaded: nothing has changed why=\"\(why)\""),
                "\(said)"
            )
            #expect(world.hasSocket("one") && world.hasSocket("two"))
        }
    }

    @Test func `An agent never takes up another configuration than it began with`() async throws {
        try await withDirectory { root in
            let world = World(root: root)
            try world.configure(try world.bridge("one"))
            let other = "\(root)/.config/widgetbridge"
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: world.file, toPath: "\(other)/widgetbridge.yaml")
            let agent = try Running(
                command: [Binary.path, "agent"],
                in: root,
                environment: ["HOME": root, "XDG_CONFIG_HOME": "\(root)/.config"],
                isMixed: true
            )
            #expect(await agent.line() == "ready")
            try FileManager.default.removeItem(atPath: world.file)
            let said = await world.reload(agent)
            #expect(said.contains("nothing has changed why=\"cannot read the configuration: "), "\(said)")
            agent.send(SIGTERM)
            #expect(await agent.ended().status == 0)
        }
    }

    @Test func `A subscriber of a bridge that is opened with other settings is told so`() async throws {
        try await with { world, agent in
            let one = ["--config", world.file, "--bridge", "one"]
            try Data("{}".utf8).write(to: URL(filePath: "\(world.root)/one/app/a.json"))
            #expect(try await world.wait(for: "one"))
            let subscriber = try Running(["subscribe"] + one)
            #expect(await subscriber.line() != nil)
            try world.configure(try world.bridge("one", ", commit: rename"), try world.bridge("two"))
            #expect(await world.reload(agent).contains("changed=\"one\""))
            let ended = await subscriber.ended()
            #expect(ended.status == 1)
            #expect(ended.errors.contains("opened the bridge again with other settings, "), "\(ended)")
            #expect(ended.errors.hasSuffix("; subscribe again\n"))
        }
    }

    @Test func `A bridge that loses its state directory ends alone`() async throws {
        try await with { world, agent in
            try FileManager.default.removeItem(atPath: world.state("one"))
            try Data("{}".utf8).write(to: URL(filePath: "\(world.root)/one/app/a.json"))
            let end = "a bridge has ended; the others continue"
            var line = ""
            repeat { line = await agent.line() ?? "\(end), and the agent" } while !line.contains(end)
            #expect(line.contains("bridge=\"one\""))
            #expect(try await world.wait(for: "two"))
        }
    }

    @Test func `Two bridges cannot listen on one port`() async throws {
        try await withDirectory { root in
            let world = World(root: root)
            let token = "\(root)/token"
            try Data("s3cret".utf8).write(to: URL(filePath: token))
            #expect(unsafe chmod(token, 0o600) == 0)
            let port = ", listen: '127.0.0.1:8099', token-file: token"
            try world.configure(try world.bridge("one", port), try world.bridge("two", port))
            let ended = try await Binary.run(["agent", "--config", world.file])
            #expect(ended.status == 64)
            #expect(ended.errors.contains("the bridges one and two are to listen on one port"))
        }
    }
}
