import BridgeRuntime
import Documents
import Foundation
import SyncEngine
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(2))) struct InitCommandTests {
    private func initialize(_ root: String, _ flags: String...) async throws -> Running.Ended {
        await (try Running(command: [Binary.path, "init"] + flags, in: root)).ended()
    }

    @Test func `An agent accepts the written configuration`() async throws {
        try await withDirectory { root in
            let ended = try await initialize(root, "--profile", "budget")
            #expect(ended.status == 0 && ended.output.hasPrefix("created app\ncreated group\n"))
            let file = "\(root)/widgetbridge.yaml"
            let entries = try Configuration(file: NamedFile(file)).entries
            #expect(entries.map(\.settings.profile) == ["budget"])
            #expect(entries.map(\.settings.app) == ["\(root)/app"])
            #expect(try await Binary.run(["sync", "--config", file, "--state", "\(root)/state"]).status == 0)
        }
    }

    @Test func `An existing configuration stays`() async throws {
        try await withDirectory { root in
            #expect(try await initialize(root).status == 0)
            let again = try await initialize(root, "--app", "other")
            #expect(again.status == 1 && again.errors.contains("the configuration exists already"))
            #expect(!FileManager.default.fileExists(atPath: "\(root)/other"))
        }
    }

    @Test func `Directories are created with their parents`() async throws {
        try await withDirectory { root in
            let flags = ["--app", "deep/er/app", "--group", "\(root)/x/y/group", "--config", "etc/w.yaml"]
            let ended = await (try Running(command: [Binary.path, "init"] + flags, in: root)).ended()
            #expect(ended.status == 0, "\(ended)")
            for made in ["etc/deep/er/app", "x/y/group"] {
                #expect(FileManager.default.fileExists(atPath: "\(root)/\(made)/."), "\(made)")
            }
        }
    }

    @Test func `A second bridge is added, and what is there stays`() async throws {
        try await withDirectory { root in
            #expect(try await initialize(root).status == 0)
            let file = "\(root)/widgetbridge.yaml"
            let before = try String(contentsOfFile: file, encoding: .utf8)
            for (name, profile) in [("work", "budget"), ("play", "todo")] {
                let ended = try await initialize(root, "--bridge", name, "--profile", profile)
                #expect(ended.status == 0, "\(ended)")
                #expect(ended.output.contains("changed widgetbridge.yaml\n"))
            }
            let after = try String(contentsOfFile: file, encoding: .utf8)
            #expect(after.hasPrefix(before))
            let entries = try Configuration(file: NamedFile(file)).entries
            #expect(entries.map(\.name) == ["main", "work", "play"])
            #expect(entries.map(\.settings.profile) == [nil, "budget", "todo"])
            #expect(entries.map(\.settings.app) == ["app", "work/app", "play/app"].map { "\(root)/\($0)" })
            #expect(FileManager.default.fileExists(atPath: "\(root)/play/group"))
            let again = try await initialize(root, "--bridge", "work")
            #expect(
                again.status == 64 && again.errors.contains("two bridges have one name, work"),
                "\(again)"
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8) == after)
        }
    }

    @Test func `A new configuration can begin with a named bridge`() async throws {
        try await withDirectory { root in
            #expect(try await initialize(root, "--bridge", "one", "--profile", "budget").status == 0)
            let entries = try Configuration(file: NamedFile("\(root)/widgetbridge.yaml")).entries
            #expect(entries.map(\.name) == ["one"] && entries.map(\.settings.profile) == ["budget"])
            #expect(entries.map(\.settings.app) == ["\(root)/one/app"])
        }
    }

    @Test(
        arguments: [
            ("bridges:\n- name: a\n  app: x\n  group: y\n", "cannot add the bridge `b` to a list"),
            (#"{"app": "x", "group": "y"}"#, "cannot add the bridge `b` to a list"),
            ("bridges: {a: {app: x, group: y}}\n", "cannot add the bridge `b` to a list"),
            ("app: x\ngroup: y\nstate: z\n", "the bridges main and b have one state directory"),
        ]
    )
    func `A bridge that cannot be added is refused with the reason`(text: String, why: String) async throws {
        try await withDirectory { root in
            try write(text, to: "\(root)/widgetbridge.yaml")
            let ended = try await initialize(root, "--bridge", "b")
            #expect(ended.status != 0 && ended.errors.contains(why), "\(ended)")
            #expect(try String(contentsOfFile: "\(root)/widgetbridge.yaml", encoding: .utf8) == text)
        }
    }

    @Test func `A linked configuration stays a link, and its file keeps its rights`() async throws {
        try await withDirectory { root in
            let file = "\(root)/real.yaml"
            try write("app: x\ngroup: y\n", to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let link = "\(root)/widgetbridge.yaml"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.yaml")
            #expect(try await initialize(root, "--bridge", "b").status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.yaml")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("  b:"))
            let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
    }

    @Test func `What the comments call a default is one`() throws {
        let defaults = ConfigurationTemplate.defaults.split(separator: "\n").filter { !$0.hasPrefix("# ") }
        let start = "app: /a\ngroup: /g\nprofile: budget\nstate: /s\n"
        let bare = try Configuration(yaml: start, file: "w.yaml").entries
        let standard = try bare[0].settings.complete(besideAgent: true)
        for line in defaults {
            let yaml = start + line.dropFirst() + "\n"
            let entry = try Configuration(yaml: yaml, file: "w.yaml").entries[0]
            let settings = try entry.settings.complete(besideAgent: true)
            #expect(settings.engine == standard.engine && settings.stores == standard.stores, "\(line)")
            #expect(settings.rescan == standard.rescan && settings.polling == standard.polling, "\(line)")
        }
    }

    @Test func `An agent without a configuration says how to get one`() async throws {
        try await withDirectory { root in
            let ended = await (try Running(command: [Binary.path, "agent"], in: root)).ended()
            #expect(ended.status == 64 && ended.errors.contains("`widgetbridge init` writes one"), "\(ended)")
        }
    }

    @Test(arguments: [("a", "a"), ("a", "./a/b"), ("a/../b/c", "b")])
    func `Containers inside one another are refused`(_ app: String, _ group: String) async throws {
        try await withDirectory { root async throws in
            #expect(try await initialize(root, "--app", app, "--group", group).status == 64)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
        }
    }

    @Test(arguments: ["true", "1.5", "with space", "quo\"te", "-dash", "# no comment", "ünï"])
    func `Any directory name is written so that it is read back`(_ name: String) throws {
        let text = ConfigurationTemplate(app: name, group: "g", profile: nil).text
        let entries = try Configuration(yaml: text, file: "widgetbridge.yaml").entries
        #expect(entries.map(\.settings.app) == [name])
    }

    @Test func `It has every key of a configuration`() {
        let text = ConfigurationTemplate(app: "app", group: "group", profile: nil).text
        // Keys that few bridges need, and keys that only programs set.
        for key in PartialSettings.keys where !["state", "app-version", "group-version"].contains(key) {
            #expect(text.contains("\(key): "), "\(key)")
        }
    }

    @Test func `A profile's file is relative to the configuration, like the containers`() async throws {
        try await withDirectory { root async throws in
            let directory = root + "/sub"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let profile = try #require(Profile.builtInText("budget"))
            try profile.write(toFile: directory + "/mine.yaml", atomically: true, encoding: .utf8)
            let ended = try await initialize(root, "--profile", "./mine.yaml", "--config", "sub/c.yaml")
            #expect(ended.status == 0, "\(ended)")
            let missing = try await initialize(root, "--profile", "./sub/mine.yaml", "--config", "sub/d.yaml")
            #expect(missing.status == 64, "\(missing)")
            #expect(!FileManager.default.fileExists(atPath: directory + "/d.yaml"))
        }
    }

    @Test func `An unknown profile is refused`() async throws {
        try await withDirectory { root async throws in
            #expect(try await initialize(root, "--profile", "bugdet").status == 64)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
        }
    }
}
