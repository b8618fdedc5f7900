import CLinux
import Foundation
import Glibc
import TestWorld
import Testing

/// The state directory contains documents as well, so only its user may access it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StateRightsTests {
    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private func makeDirectory(_ path: String, _ mode: UInt32) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(unsafe chmod(path, mode) == 0)
    }

    private func expectPrivate(_ bridge: RealBridge) throws {
        #expect(mode(bridge.state) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: bridge.state) {
            let found = try #require(mode("\(bridge.state)/\(name)"))
            #expect(found & 0o077 == 0, "\(name) is \(String(found, radix: 8))")
        }
    }

    @Test func `a state directory that was open to all is closed, with its files`() async throws {
        try await RealBridge.with { bridge in
            try makeDirectory(bridge.state, 0o755)
            try write("", to: "\(bridge.state)/journal.sqlite")
            #expect(unsafe chmod("\(bridge.state)/journal.sqlite", 0o644) == 0)
            try bridge.save("{}", as: "a.json", in: bridge.app)
            let agent = try await bridge.startAgent()
            try expectPrivate(bridge)
            try await bridge.end(agent)
            try expectPrivate(bridge)
        }
    }

    @Test func `a new state directory is private from the start`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync").status == 0)
            try expectPrivate(bridge)
        }
    }

    @Test func `a state directory that anybody can replace is refused`() async throws {
        try await RealBridge.with { bridge in
            let open = "\(bridge.root)/open"
            try makeDirectory(open, 0o777)
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state", "\(open)/state"]
            let refused = try await Binary.run(["sync"] + flags)
            #expect(refused.status == 1 && refused.errors.split(separator: "\n").count == 1)
            #expect(refused.errors.contains("any user can replace the state directory"))
            #expect(unsafe chmod(open, 0o1777) == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
        }
    }

    @Test func `it is refused as well if a parent directory can be replaced`() async throws {
        try await RealBridge.with { bridge in
            let open = "\(bridge.root)/open"
            try makeDirectory("\(open)/between", 0o700)
            #expect(unsafe chmod(open, 0o777) == 0)
            let state = "\(open)/between/state"
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state", state]
            let words =
                "any user can replace the state directory, as \(open) is writable by all, \(state); "
            for command in ["sync", "agent", "status"] {
                let refused = try await Binary.run([command] + flags)
                #expect(refused.status == (command == "status" ? 0 : 1))
                #expect(command == "status" || refused.errors.hasPrefix("widgetbridge: \(words)"))
            }
            #expect(unsafe chmod(open, 0o1777) == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            #expect(unsafe chmod(open, 0o777) == 0)
            #expect(try await Binary.run(["status"] + flags).errors.hasPrefix("widgetbridge: \(words)"))
        }
    }

    /// The directory's owner may rename entries, sticky bit or not.
    @Test(.enabled(if: getuid() == 0, "only root can give a directory away"), arguments: [0o755, 0o1777])
    func `it is refused as well if another user owns a parent directory`(mode: UInt32) async throws {
        try await RealBridge.with { bridge in
            let given = "\(bridge.root)/given"
            try makeDirectory("\(given)/between/state", 0o700)
            #expect(unsafe chown(given, 1234, 1234) == 0)
            #expect(unsafe chmod(given, mode) == 0)
            let state = "\(given)/between/state"
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state", state]
            let refused = try await Binary.run(["sync"] + flags)
            let words =
                "user 1234 can replace the state directory, as \(given) belongs to that user, "
                + "\(state); "
            #expect(refused.status == 1 && refused.errors.hasPrefix("widgetbridge: \(words)"))
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a directory away"))
    func `a state directory of another user is refused`() async throws {
        try await RealBridge.with { bridge in
            try makeDirectory(bridge.state, 0o700)
            #expect(unsafe chown(bridge.state, 1234, 1234) == 0)
            let refused = try await bridge.run("sync")
            #expect(refused.status == 1 && refused.errors.split(separator: "\n").count == 1)
            #expect(refused.errors.contains("the state directory belongs to another user, 1234"))
        }
    }

    @Test func `a directory that the bridge creates has the access rights of its counterpart`() async throws {
        try await RealBridge.with { bridge in
            try makeDirectory("\(bridge.app)/d/e", 0o750)
            #expect(unsafe chmod("\(bridge.app)/d", 0o755) == 0)
            try bridge.save("{}", as: "d/e/a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            #expect(mode("\(bridge.group)/d") == 0o755 && mode("\(bridge.group)/d/e") == 0o750)
        }
    }

    @Test func `what another user may not look into is an error, and not taken for empty`() async throws {
        guard getuid() == 0 else { return }
        try await RealBridge.with { bridge in
            try bridge.save(RealBridge.oldBudget, as: "budget.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let file = ["\(bridge.app)/budget.json", "--profile", "budget", "--state", bridge.state]
            let looks =
                [
                    ["status"], ["get", "budget.json"], ["why", "budget.json"], ["history"],
                    ["sync", "--dry-run"],
                ]
                .map { $0 + bridge.flags }
                + ["plan", "history", "rollback", "finish"].map { ["migrate", $0] + file }
            for command in looks {
                let running = try Running(command, through: Wrapper.unprivileged)
                let ended = await running.ended()
                #expect(ended.status == 1, "\(command): \(ended)")
                let what = "widgetbridge: cannot read the directory: Permission denied, \(bridge.state)"
                #expect(ended.errors.hasPrefix(what), "\(command): \(ended)")
                #expect(ended.errors.split(separator: "\n").count == 1)
            }
        }
    }
}
