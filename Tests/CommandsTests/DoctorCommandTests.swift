import Documents
import Foundation
import GRDB
import Glibc
import TestWorld
import Testing

@testable import Commands

/// `doctor` with real bridges.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorCommandTests {
    private func findings(
        _ bridge: RealBridge,
        _ flags: String...,
        through wrapper: [String] = []
    ) async throws -> [DoctorLine] {
        try await bridge.doctor(flags, through: wrapper)
    }

    @Test func `Nothing is wrong with a new bridge, and nothing is changed`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            let before = try bridge.allFiles()
            #expect(try await findings(bridge) == [])
            #expect(try bridge.allFiles() == before)
            #expect(try await bridge.run("sync").status == 0)
            let synced = try bridge.allFiles()
            #expect(try await findings(bridge) == [])
            #expect(try bridge.allFiles() == synced)
        }
    }

    @Test func `Without an error the status is 0, and the text begins with the counts`() async throws {
        try await RealBridge.with { bridge in
            let sound = await run(["doctor"] + bridge.places)
            #expect(sound.status == .done && sound.errors.isEmpty)
            try write("{}", to: "\(bridge.app)/a.json")
            let path = "\(bridge.app)/b.json"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "a.json")
            let profile = "\(bridge.root)/mine.yaml"
            try write(try #require(Profile.builtInText("budget")), to: profile)
            let flags = ["--app", bridge.app, "--group", "/nonexistent", "--profile", profile]
            let wrong = await run(["doctor"] + flags, columns: 80)
            #expect(wrong.status == .failed && wrong.errors.isEmpty)
            #expect(wrong.output.hasPrefix("2 errors, "))
            let errors = """


                error     /nonexistent
                          no such directory
                        → create it, or name another

                error     app:b.json
                          a symbolic link, not a file
                        → replace it by the document: no link is followed

                """
            #expect(wrong.output.contains(errors))
            // On no terminal, so that a long path wraps nothing.
            let whole = await run(["doctor"] + flags).output
            let note = """

                note      \(profile)
                          it has changes that may break programs of another version: 
                """
            #expect(whole.contains(note), "\(whole)")
            #expect(whole.contains("\n        → `widgetbridge profile lint \(profile)` shows them\n"))
        }
    }

    @Test func `Containers that are missing, overlap or hold the state are errors`() async throws {
        try await RealBridge.with { bridge in
            let inner = "\(bridge.app)/inner"
            func rules(_ app: String, _ group: String, _ state: String) async throws -> [String] {
                let flags = ["--app", app, "--group", group, "--state", state, "--format", "json"]
                let ended = try await Binary.run(["doctor"] + flags)
                return try DoctorLine.all(ended.output).filter { $0.severity == "error" }.map(\.rule)
            }
            #expect(try await rules(inner, bridge.group, bridge.state) == ["missing-directory"])
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            #expect(try await rules(bridge.app, inner, bridge.state) == ["containers-overlap"])
            #expect(try await rules(bridge.app, bridge.app, bridge.state) == ["containers-overlap"])
            #expect(try await rules(bridge.app, bridge.group, inner) == ["state-inside-container"])
            try write("", to: "\(bridge.root)/file")
            let file = "\(bridge.root)/file"
            #expect(try await rules(file, bridge.group, bridge.state) == ["unreadable-directory"])
            #expect(try await rules(bridge.app, bridge.group, file) == ["state-unusable"])
            let long = bridge.root + "/" + String(repeating: "s", count: 120)
            #expect(try await rules(bridge.app, bridge.group, long) == ["socket-path-too-long"])
            #expect(!FileManager.default.fileExists(atPath: bridge.state))
        }
    }

    @Test func `Directories and documents that this user may not use are errors`() async throws {
        guard getuid() == 0 else { return }
        try await RealBridge.with { bridge in
            let closed = "\(bridge.group)/closed"
            try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: false)
            try write("{}", to: "\(bridge.group)/own.json")
            #expect(unsafe chmod(closed, 0o700) == 0 && chmod("\(bridge.group)/own.json", 0o600) == 0)
            let found = try await findings(bridge, through: Wrapper.unprivileged)
            let errors = found.filter { $0.severity == "error" }.map { "\($0.rule) \($0.place)" }
            #expect(
                errors == [
                    "state-unusable \(bridge.state)", "unwritable \(bridge.app)",
                    "unwritable \(bridge.group)", "unreadable-directory group:closed",
                    "unreadable group:own.json",
                ]
            )
        }
    }

    @Test func `More directories than may be watched are a warning`() async throws {
        let wrapper = Wrapper.limited("max_inotify_watches", to: 3)
        guard (try? await Running(command: wrapper + ["/bin/true"]).ended().status) == 0 else { return }
        try await RealBridge.with { bridge in
            for number in 0..<5 {
                try FileManager.default.createDirectory(
                    atPath: "\(bridge.app)/\(number)",
                    withIntermediateDirectories: false
                )
            }
            let found = try await findings(bridge, through: wrapper)
            #expect(found.map(\.rule) == ["polling"] && found.first?.severity == "warning")
            #expect(found.first?.what.hasPrefix("4 directories cannot be watched, so") == true, "\(found)")
        }
    }

    @Test func `A container that is mounted read-only, and a mount in a container, are errors`() async throws
    {
        guard (try? await Running(command: Wrapper.withMounts + ["/bin/true"]).ended().status) == 0 else {
            return
        }
        try await RealBridge.with { bridge in
            let inner = "\(bridge.group)/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            let script = """
                mount -t tmpfs none '\(bridge.app)' && mount -o remount,ro '\(bridge.app)' &&
                mount -t tmpfs none '\(inner)' && echo 1 > '\(inner)/a.json' && exec "$@"
                """
            let wrapper = Wrapper.withMounts + ["/bin/sh", "-c", script, "sh"]
            let found = try await findings(bridge, through: wrapper)
            #expect(
                found.map { "\($0.rule) \($0.place)" } == [
                    "read-only \(bridge.app)", "mounted group:inner/a.json",
                ]
            )
        }
    }

    // MARK: The state

    @Test func `A journal of a later release, or a damaged one, is found without opening it`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync").status == 0)
            let journal = "\(bridge.state)/journal.sqlite"
            let queue = try DatabaseQueue(path: journal)
            try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try queue.close()
            let before = try bridge.allFiles()
            let later = try await findings(bridge)
            #expect(later.map(\.rule) == ["journal"] && later.first?.place == journal)
            #expect(later.first?.what.contains("a later release wrote it (schema 99;") == true)
            #expect(try bridge.allFiles() == before)
            try write(
                "no database, but long enough to be one" + String(repeating: ".", count: 100),
                to: journal
            )
            #expect(try await findings(bridge).map(\.severity) == ["error"])
            try FileManager.default.removeItem(atPath: journal)
            #expect(try await findings(bridge) == [])
            try write("", to: "\(bridge.state)/journal.damaged")
            let marked = try await findings(bridge)
            #expect(marked.map(\.rule) == ["journal"] && marked.first?.severity == "warning")
        }
    }

    @Test func `A journal of another profile, and one with a damaged page, are found in a copy of it`()
        async throws
    {
        try await RealBridge.with { bridge in
            for number in 0..<200 { try bridge.save("[\(number)]", as: "\(number).json", in: bridge.app) }
            #expect(try await bridge.run("sync", "--profile", "todo").status == 0)
            let before = try bridge.allFiles()
            #expect(try await findings(bridge, "--profile", "todo") == [])
            let other = try await findings(bridge, "--profile", "budget")
            #expect(other.map(\.rule) == ["other-profile"])
            #expect(other.first?.what.hasPrefix("the bridge uses the profile `todo`, not") == true)
            #expect(try bridge.allFiles() == before)
            let journal = URL(filePath: "\(bridge.state)/journal.sqlite")
            var bytes = try Data(contentsOf: journal)
            for place in 8_192..<bytes.count { bytes[place] = 0xA5 }
            try bytes.write(to: journal)
            #expect(try await findings(bridge, "--profile", "todo").map(\.rule) == ["journal"])
        }
    }

    @Test func `A state directory that others may read is a note, and one that they can replace an error`()
        async throws
    {
        try await RealBridge.with { bridge in
            let synced = try await bridge.run("sync")
            #expect(unsafe synced.status == 0 && chmod(bridge.state, 0o755) == 0)
            let text = await run(["doctor"] + bridge.places)
            #expect(text.status == .done)
            #expect(text.output.contains("other users may access the state directory (55 of its mode)"))
            #expect(unsafe chmod(bridge.root, 0o777) == 0)
            #expect(try await findings(bridge).map(\.rule) == ["state-unusable"])
        }
    }

    // MARK: The agent

    @Test func `An agent is asked for its troubles, and a stopped one is not waited for`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "todo"])
            #expect(try await findings(bridge) == [])
            try write("{", to: "\(bridge.app)/broken.json")
            #expect(try await bridge.wait().status == 7)
            let held = try await findings(bridge)
            #expect(held.map(\.rule) == ["held"] && held.first?.place == "app:broken.json")
            #expect(held.first?.what.hasPrefix("the bridge holds it: not JSON: ") == true, "\(held)")
            #expect(try await findings(bridge, "--profile", "budget").map(\.rule) == ["other-bridge"])
            let elsewhere = ["--app", bridge.app, "--group", bridge.group, "--state", "\(bridge.root)/other"]
            let other = try await Binary.run(["doctor", "--format", "json"] + elsewhere)
            #expect(other.status == 1)
            #expect(try DoctorLine.all(other.output).map(\.rule).contains("containers-taken"))
            agent.send(SIGSTOP)
            #expect(try await findings(bridge).map(\.rule).contains("silent-agent"))
            agent.send(SIGCONT)
            try await bridge.end(agent)
        }
    }

    // MARK: The configuration and the profile

    @Test func `An invalid profile is an error with its line, and an unknown one is wrong usage`()
        async throws
    {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/mine.yaml"
            try write("about: mine\ngroup: x\ngruop: x\n", to: file)
            let found = try await findings(bridge, "--profile", file, "--stores", "ios")
            #expect(found.map(\.rule) == ["profile-invalid"] && found.first?.place == "\(file):3")
            let unknown = try await bridge.run("doctor", "--profile", "mine")
            #expect(unknown.status == 64 && unknown.output.isEmpty)
        }
    }

    @Test func `All bridges of a configuration are examined, each under its name`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/widgetbridge.yaml"
            let text = """
                bridges:
                  one: {app: app, group: group, state: one}
                  two: {app: none, group: group, state: two, polling: true}

                """
            try write(text, to: file)
            let json = try await Binary.run(["doctor", "--config", file, "--format", "json"])
            let errors = try DoctorLine.all(json.output).filter { $0.severity == "error" }
            #expect(errors.map(\.bridge) == ["two"] && errors.map(\.rule) == ["missing-directory"])
            let shown = await run(["doctor", "--config", file])
            #expect(shown.output.hasPrefix("one\n") && shown.output.contains("\n\ntwo\n1 error"))
            #expect(await run(["doctor", "--config", file, "--bridge", "one"]).status == .done)
        }
    }
}
