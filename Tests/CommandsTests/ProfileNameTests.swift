import AgentClient
import BridgeRuntime
import Foundation
import TestWorld
import Testing

/// Commands with another profile than before, or with none.
@Suite(.timeLimit(.minutes(5))) struct ProfileNameTests {
    private let app = LiveApp.first

    /// The app has version 1 and the group version 2, by the profile.
    private func withBudget(_ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            try bridge.save(app.v2, as: "budget.json", in: bridge.group)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            try await body(bridge)
        }
    }

    private func both(_ bridge: RealBridge) -> [String?] {
        [bridge.app, bridge.group].map { bridge.read("budget.json", in: $0) }
    }

    private static let commands = [
        ["sync"], ["sync", "--dry-run"], ["status"], ["why", "budget.json"], ["get", "budget.json"],
        ["put", "budget.json"], ["history"], ["undo", "12345678"], ["conflicts"], ["allow", "12345678"],
        ["agent"],
    ]

    @Test(arguments: commands)
    func `Every command refuses another profile, or none`(_ command: [String]) async throws {
        try await withBudget { bridge in
            try bridge.save(app.v2(with: app.byWidget), as: "budget.json", in: bridge.group)
            let before = both(bridge)
            for (flags, named) in [
                ([], "and none is named"), (["--profile", "todo"], "not the profile `todo`"),
            ] {
                let ended = try await Binary.run(command + bridge.flags + flags, input: "{}")
                #expect(ended.status == 64 && ended.output.isEmpty, "\(ended)")
                #expect(
                    ended.errors
                        == """
                        widgetbridge: the bridge uses the profile `budget`, \(named), \(bridge.state); \
                        name that one with --profile, or give --change-profile to change to the other

                        """
                )
            }
            #expect(both(bridge) == before)
            let synced = try await bridge.run("sync", "--profile", "budget")
            #expect(synced.status == 0, "\(synced)")
            #expect(both(bridge) == [app.v1(with: app.byWidget), app.v2(with: app.byWidget)])
        }
    }

    @Test func `A migration by another profile is refused`() async throws {
        try await withBudget { bridge in
            for action in ["status", "plan", "verify", "apply", "rollback"] {
                let ended = try await bridge.run("migrate", action, "--profile", "todo")
                #expect(ended.status == 64, "\(action): \(ended)")
            }
            #expect(both(bridge) == [app.v1, app.v2])
        }
    }

    @Test func `That a bridge has no profile is remembered, even without documents`() async throws {
        for text in [nil, app.v1] {
            try await RealBridge.with { bridge in
                if let text { try bridge.save(text, as: "budget.json", in: bridge.app) }
                #expect(try await bridge.run("sync").status == 0)
                let refused = try await bridge.run("sync", "--profile", "budget")
                #expect(refused.status == 64)
                #expect(
                    refused.errors.contains("the bridge uses no profile, not the profile `budget`")
                )
                #expect(refused.errors.contains("; leave out --profile, or give --change-profile"))
                let looked = try await bridge.run("status", "--profile", "budget", "--change-profile")
                #expect(looked.status != 64)
                #expect(try await bridge.run("sync").status == 0, "to look changes nothing")
                let changed = try await bridge.run("sync", "--profile", "budget", "--change-profile")
                #expect(changed.status == 0, "\(changed)")
                #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
                #expect(try await bridge.run("sync").status == 64)
                #expect(both(bridge) == [text, text])
            }
        }
    }

    @Test func `A document in the group's version is translated for the app after a change of profile`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try bridge.save(app.v2(with: app.byWidget), as: "budget.json", in: bridge.group)
            let changed = try await bridge.run("sync", "--profile", "budget", "--change-profile")
            #expect(changed.status == 0, "\(changed)")
            #expect(both(bridge) == [app.v1(with: app.byWidget), app.v2(with: app.byWidget)])
        }
    }

    private static let besideAgent = [
        ["sync"], ["sync", "--dry-run"], ["get", "a.json"], ["put", "a.json"], ["status"],
        ["wait", "--timeout", "60s"], ["history"], ["subscribe", "--count", "1"], ["migrate", "plan"],
    ]

    @Test func `With an agent the profile must be the agent's`() async throws {
        try await RealBridge.with { bridge in
            let own = "\(bridge.root)/own.yaml"
            let text = """
                profile: notes
                documents: {a.json: {version: {field: version, missing: 1}, versions: {1: {}}}}

                """
            try write(text, to: own)
            try bridge.save("{}", as: "a.json", in: bridge.app)
            let agent = try await bridge.startAgent(["--profile", own])
            for command in Self.besideAgent {
                let agreed = try await Binary.run(command + bridge.flags + ["--profile", own], input: "{}")
                #expect([0, 2].contains(agreed.status), "\(command): \(agreed)")
                guard command.first != "migrate" else { continue }
                let unsaid = try await Binary.run(command + bridge.flags, input: "{}")
                #expect(unsaid.status == 0, "\(command): \(unsaid)")
            }
            let other = "the agent on this socket uses another"
            let wrong = [
                (["--profile", "budget"], "\(other) profile, notes, not budget; "),
                (["--profile", own], "\(other) edition of the profile, sha256:"),
                (["--profile", own, "--change-profile"], "a running agent keeps its profile; "),
            ]
            try write(text + "# edited\n", to: own)
            for (flags, line) in wrong {
                for command in Self.besideAgent {
                    let refused = try await Binary.run(command + bridge.flags + flags, input: "[]")
                    #expect(refused.status == 64 && refused.output.isEmpty, "\(command): \(refused)")
                    #expect(refused.errors.hasPrefix("widgetbridge: \(line)"), "\(refused)")
                    #expect(refused.errors.split(separator: "\n").count == 1)
                }
            }
            #expect(bridge.read("a.json", in: bridge.group) == "{}")
            try await bridge.end(agent)
            let again = try await bridge.startAgent(["--profile", own])
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            try await bridge.end(again)
        }
    }

    @Test func `The same name with other content is an upgrade`() async throws {
        try await RealBridge.with { bridge in
            let own = "\(bridge.root)/own.yaml"
            func profile(_ versions: String) -> String {
                """
                profile: notes
                documents:
                  a.json:
                    version: {field: version, missing: 1}
                    versions: \(versions)

                """
            }
            try write(profile("{1: {}}"), to: own)
            try bridge.save(#"{"name":"a","n":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            try write(profile("{1: {}, 2: {lenses: [{rename: {from: name, to: title}}]}}"), to: own)
            try bridge.save(#"{"version":2,"title":"b","n":1}"#, as: "a.json", in: bridge.group)
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            #expect(bridge.read("a.json", in: bridge.app) == #"{"name":"b","n":1}"#)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"version":2,"title":"b","n":1}"#)
            let status = try await bridge.run("status", "--profile", own)
            #expect(status.status == 0 && status.output.contains("1 | 2"), "\(status)")
        }
    }
}
