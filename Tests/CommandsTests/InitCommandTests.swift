import Documents
import Foundation
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
