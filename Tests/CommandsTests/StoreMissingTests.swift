import Foundation
import TestDocuments
import TestWorld
import Testing

/// A store that is not where it was, and the app's other files beside it.
@Suite(.timeLimit(.minutes(5))) struct StoreMissingTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        var profile: String
        var platform: String
        /// What is moved away: the store itself, or a directory above it.
        var moved: String
        var testDescription: String { "\(profile) on \(platform): \(moved)" }
    }

    private static let cases = [
        Case(profile: "balances", platform: "ios", moved: "Library/Application Support"),
        Case(profile: "balances", platform: "android", moved: "databases/AsyncStorage"),
        Case(profile: "budget", platform: "ios", moved: "Library/Preferences/com.ecologicaleaving.fin.plist"),
        Case(profile: "budget", platform: "android", moved: "shared_prefs"),
        Case(profile: "habits", platform: "ios", moved: "Documents"),
    ]

    @Test(arguments: cases)
    private func `A store that moved is no deletion, and the widget keeps what it shows`(one: Case)
        async throws
    {
        let fixture = try #require(Fixture.all.first { $0.profile == one.profile })
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", one.profile, "--stores", one.platform]
            let name = "\(one.profile).json"
            if one.profile == "balances", one.platform == "android" {
                try await makeAnew("\(bridge.app)/databases/AsyncStorage")
            }
            let put = ["put", name, "--side", "app"]
            let saved = try await Binary.run(put + flags, input: fixture.v2)
            #expect(saved.status == 0, "\(saved)")
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            let shown = try await Binary.run(["get", name] + flags)
            #expect(shown.status == 0)
            let place = "\(bridge.app)/\(one.moved)"
            try FileManager.default.moveItem(atPath: place, toPath: "\(bridge.root)/away")
            let held = try await Binary.run(["sync"] + flags)
            #expect(held.status == 7 && held.output.contains("it is missing"), "\(held)")
            #expect(try await Binary.run(["get", name] + flags) == shown)
            // Back where it was, nothing has happened. The bridge may have removed the empty directory above.
            let above = place.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "/\(above)", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: "\(bridge.root)/away", toPath: place)
            let again = try await Binary.run(["sync"] + flags)
            #expect(again.status == 0, "\(again)")
            #expect(try await Binary.run(["get", name] + flags) == shown)
        }
    }

    @Test(arguments: ["Library", "Library/Preferences"])
    func `An agent sees at once that a directory with a store was moved away, and back`(moved: String)
        async throws
    {
        let fixture = try #require(Fixture.all.first { $0.profile == "budget" })
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget", "--stores", "ios"]
            let put = ["put", "budget.json", "--side", "app"] + bridge.flags + flags
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            let agent = try await bridge.startAgent(flags + ["--rescan", "1h"])
            let wait = ["wait", "--timeout", "60s"] + bridge.flags + flags
            #expect(try await Binary.run(wait).status == 0)
            let (place, away) = ("\(bridge.app)/\(moved)", "\(bridge.root)/away")
            try FileManager.default.moveItem(atPath: place, toPath: away)
            let held = try await Binary.run(wait)
            #expect(held.status == 7 && held.errors.contains("it is missing"), "\(held)")
            try FileManager.default.moveItem(atPath: away, toPath: place)
            let back = try await Binary.run(wait)
            #expect(back.status == 0, "\(back)")
            try await bridge.end(agent)
        }
    }

    /// What a program does to a lost store when it starts: it makes one without documents.
    private func makeAnew(_ store: String) async throws {
        let script = """
            import plistlib, sqlite3, sys
            if sys.argv[1].endswith(".plist"):
                plistlib.dump({"other": 1}, open(sys.argv[1], "wb"), fmt=plistlib.FMT_BINARY)
            elif sys.argv[1].endswith(".xml"):
                open(sys.argv[1], "w").write("<map><int name='other' value='1' /></map>")
            else:
                database = sqlite3.connect(sys.argv[1])
                database.execute("CREATE TABLE Storage (key TEXT NOT NULL PRIMARY KEY, value TEXT)")
                database.commit()
            """
        let directory = store.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/\(directory)", withIntermediateDirectories: true)
        let made = try await Running(command: ["/usr/bin/python3", "-c", script, store]).ended()
        #expect(made.status == 0, "\(made)")
    }

    private static let lost = [
        Case(profile: "budget", platform: "ios", moved: "Library/Preferences/com.ecologicaleaving.fin.plist"),
        Case(profile: "budget", platform: "android", moved: "shared_prefs/FlutterSharedPreferences.xml"),
        Case(profile: "balances", platform: "android", moved: "databases/AsyncStorage"),
    ]

    @Test(arguments: lost)
    private func `A store that is made anew after it was missing deletes nothing`(one: Case) async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == one.profile })
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", one.profile, "--stores", one.platform]
            let (name, store) = ("\(one.profile).json", "\(bridge.app)/\(one.moved)")
            if store.hasSuffix("AsyncStorage") { try await makeAnew(store) }
            let put = ["put", name, "--side", "app"] + flags
            let saved = try await Binary.run(put, input: fixture.v2)
            #expect(saved.status == 0, "\(saved)")
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            let shown = try await Binary.run(["get", name] + flags)
            for file in [store, "\(store)-wal", "\(store)-shm", "\(store)-journal"] {
                try? FileManager.default.removeItem(atPath: file)
            }
            #expect(try await Binary.run(["sync"] + flags).output.contains("it is missing"))
            try await makeAnew(store)
            for _ in 0..<2 {
                let held = try await Binary.run(["sync"] + flags)
                #expect(held.status == 7 && held.output.contains("was made anew without"), "\(held)")
                #expect(try await Binary.run(["get", name] + flags) == shown)
            }
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            // Now the document is in it: without it, a person or the program has deleted the document.
            #expect(try await Binary.run(["delete", name, "--side", "app"] + flags).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            #expect(try await Binary.run(["get", name] + flags).status == 1)
        }
    }

    @Test(arguments: ["removed", "replaced"])
    func `A database that is made anew while nobody looks deletes nothing`(how: String) async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == "balances" })
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "balances", "--stores", "android"]
            let store = "\(bridge.app)/databases/AsyncStorage"
            try await makeAnew(store)
            let put = ["put", "balances.json", "--side", "app"] + flags
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            let shown = try await Binary.run(["get", "balances.json"] + flags)
            if how == "removed" {
                for file in [store, "\(store)-wal", "\(store)-shm", "\(store)-journal"] {
                    try? FileManager.default.removeItem(atPath: file)
                }
                try await makeAnew(store)
            } else {
                try await makeAnew("\(bridge.root)/new")
                try #require(unsafe rename("\(bridge.root)/new", store) == 0)
            }
            for _ in 0..<2 {
                let held = try await Binary.run(["sync"] + flags)
                #expect(held.status == 7 && held.output.contains("was made anew without"), "\(held)")
                #expect(try await Binary.run(["get", "balances.json"] + flags) == shown)
            }
        }
    }

    @Test func `A person deletes on the other side what a store made anew does not have`() async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == "budget" })
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "budget", "--stores", "ios"]
            let store = "\(bridge.app)/Library/Preferences/com.ecologicaleaving.fin.plist"
            let put = ["put", "budget.json", "--side", "app"] + flags
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            try write("broken", to: store)
            #expect(try await Binary.run(["sync"] + flags).status == 7)
            try await makeAnew(store)
            #expect(try await Binary.run(["sync"] + flags).status == 7)
            let deleted = try await Binary.run(["delete", "budget.json"] + flags)
            #expect(deleted.status == 0, "\(deleted)")
            let synced = try await Binary.run(["sync"] + flags)
            #expect(synced.status == 0, "\(synced)")
            #expect(try await Binary.run(["get", "budget.json"] + flags).status == 1)
        }
    }

    @Test func `A person writes a missing store again with put`() async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == "budget" })
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "budget", "--stores", "ios"]
            let put = ["put", "budget.json", "--side", "app"] + flags
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            try FileManager.default.removeItem(atPath: "\(bridge.app)/Library")
            #expect(try await Binary.run(["sync"] + flags).status == 7)
            #expect(try await Binary.run(put, input: fixture.v2).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            #expect(try await Binary.run(["delete", "budget.json", "--side", "app"] + flags).status == 0)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            #expect(try await Binary.run(["get", "budget.json"] + flags).status == 1)
        }
    }

    @Test func `With stores, an app's other JSON files stay where they are`() async throws {
        try await RealBridge.with { bridge in
            let flags = bridge.flags + ["--profile", "balances", "--stores", "ios"]
            let old = "\(bridge.app)/Documents/RCTAsyncLocalStorage_V1"
            try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
            try write(#"{"session":"secret"}"#, to: "\(old)/manifest.json")
            try write("{}", to: "\(bridge.app)/session.json")
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: bridge.group).isEmpty)
            let why = try await Binary.run(["why", "session.json"] + flags)
            #expect(why.status == 1 && why.errors.contains("only what the profile names is synced"), "\(why)")
            // Without stores a profile's documents are those files.
            let json = bridge.flags + ["--profile", "balances"]
            #expect(try await Binary.run(["sync", "--dry-run"] + json).output.contains("session.json"))
        }
    }

    @Test func `Without a profile, init and agent say that every file crosses`() async throws {
        try await withDirectory { root in
            let made = await (try Running(command: [Binary.path, "init"], in: root)).ended()
            #expect(made.output.contains("every *.json file of each container is copied"), "\(made)")
            let named = [Binary.path, "init", "--profile", "todo", "--config", "b.yaml"]
            #expect(!(await (try Running(command: named, in: root)).ended()).output.contains("*.json"))
        }
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--log-level", "info"])
            agent.send(SIGTERM)
            #expect(await agent.ended().errors.contains("private ones included"))
        }
    }
}
