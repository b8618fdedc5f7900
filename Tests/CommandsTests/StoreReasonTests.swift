import Foundation
import Glibc
import TestWorld
import Testing

/// Why a document is not in sync: which file and which key.
@Suite(.timeLimit(.minutes(5))) struct StoreReasonTests {
    private static let profile = """
        profile: reasons
        documents:
          d.json:
            stores:
              ios:
                group:
                  format: plist
                  file: Library/Preferences/group.plist
                  text: whole
                  fields: {n: {integer: /n}, at: {date: /at, from: seconds2001}}

        """

    private func flags(_ bridge: RealBridge) throws -> [String] {
        let file = "\(bridge.root)/reasons.yaml"
        try write(Self.profile, to: file)
        return ["--profile", file, "--stores", "ios"]
    }

    private func makeStore(_ bridge: RealBridge) throws -> String {
        let directory = "\(bridge.group)/Library/Preferences"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return "\(directory)/group.plist"
    }

    @Test func `A put that a key cannot hold names the key`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            let put = try await Binary.run(["put", "d.json"] + bridge.flags + flags, input: #"{"n": "x"}"#)
            #expect(put.status == 7, "\(put)")
            #expect(put.errors.contains("Library/Preferences/group.plist: `n` cannot be written"), "\(put)")
        }
    }

    @Test func `A date that only a binary property list can have is held with the reason`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            try write(
                #"<plist version="1.0"><dict><key>other</key><integer>1</integer></dict></plist>"#,
                to: try makeStore(bridge)
            )
            try bridge.save(#"{"at": 1.5}"#, as: "d.json", in: bridge.app)
            let sync = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(sync.status == 7, "\(sync)")
            #expect(sync.output.contains("group.plist: an XML plist cannot hold this date"), "\(sync)")
            #expect(sync.output.contains("`at`"), "\(sync)")
        }
    }

    @Test func `A store that is too large, or no file, is held by its name`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            let store = try makeStore(bridge)
            try bridge.save(#"{"n": 1}"#, as: "d.json", in: bridge.app)
            try write("", to: store)
            let handle = try #require(FileHandle(forWritingAtPath: store))
            try handle.truncate(atOffset: 70 << 20)
            try handle.close()
            let large = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(large.status == 7, "\(large)")
            #expect(large.output.contains("group.plist: 73400320 bytes are more than the limit"), "\(large)")
            try FileManager.default.removeItem(atPath: store)
            try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
            let directory = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(directory.status == 7, "\(directory)")
            #expect(directory.output.contains("group.plist: a directory, not a file"), "\(directory)")
        }
    }

    @Test(arguments: [("[1,]", "not JSON: 1:4: "), ("", "empty")])
    func `Content that no document can have is held by its file and its key`(text: String, reason: String)
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            try write(
                #"<plist version="1.0"><dict><key>whole</key><string>\#(text)</string></dict></plist>"#,
                to: try makeStore(bridge)
            )
            let sync = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(sync.status == 7, "\(sync)")
            let held = "Library/Preferences/group.plist, key `whole`: \(reason)"
            #expect(sync.output.contains(held), "\(sync)")
            let status = try await Binary.run(["status"] + bridge.flags + flags)
            #expect(status.status == 7 && status.output.contains("key `whole`: \(reason)"), "\(status)")
        }
    }

    @Test func `A store that a program keeps open delays no sync for ever`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            let store = try makeStore(bridge)
            try bridge.save(#"{"n": 1}"#, as: "d.json", in: bridge.app)
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let held = try #require(FileHandle(forUpdatingAtPath: store))
            try bridge.save(#"{"n": 2}"#, as: "d.json", in: bridge.app)
            let sync = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(sync.status == 0 && sync.output.contains("update"), "\(sync)")
            try held.close()
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let get = try await Binary.run(["get", "d.json", "--side", "group"] + bridge.flags + flags)
            #expect(get.output.contains("2"), "\(get)")
        }
    }

    @Test func `A store whose save its app has not finished is held by its name`() async throws {
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget", "--stores", "android"]
            let directories = [bridge.app, bridge.group].map { "\($0)/shared_prefs" }
            for directory in directories {
                try FileManager.default.createDirectory(
                    atPath: directory,
                    withIntermediateDirectories: true
                )
            }
            func saveInApp(_ spent: String) throws {
                let text = RealBridge.oldBudget.replacing("\"", with: "&quot;")
                let budget = text.replacing(#/spent&quot;: ?[0-9.]+/#, with: "spent&quot;:\(spent)")
                try write(
                    #"<map><string name="flutter.widget_data">\#(budget)</string></map>"#,
                    to: "\(directories[0])/FlutterSharedPreferences.xml"
                )
            }
            try saveInApp("1")
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let store = "\(directories[1])/HomeWidgetPreferences.xml"
            try FileManager.default.copyItem(atPath: store, toPath: "\(store).bak")
            try saveInApp("2")
            let sync = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(sync.status == 7, "\(sync)")
            #expect(sync.output.contains("HomeWidgetPreferences.xml: its .bak is there"), "\(sync)")
            try FileManager.default.removeItem(atPath: "\(store).bak")
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
        }
    }

    @Test func `A new database has the rights of the document, and a locked one is named`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/d.yaml"
            let store = "{format: tinybase, file: d.db}"
            try write("profile: d\ndocuments: {d.json: {stores: {ios: {group: \(store)}}}}\n", to: file)
            let flags = ["--profile", file, "--stores", "ios"]
            try bridge.save("[{},{}]", as: "d.json", in: bridge.app)
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(bridge.app)/d.json")
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let rights = try files.attributesOfItem(atPath: "\(bridge.group)/d.db")[.posixPermissions]
            #expect((rights as? NSNumber)?.intValue == 0o640)
            let program = """
                import signal, sqlite3
                d = sqlite3.connect("\(bridge.group)/d.db", isolation_level=None)
                d.execute("begin immediate"); print("locked", flush=True); signal.pause()
                """
            let other = try Running(command: ["/usr/bin/python3", "-c", program])
            #expect(await other.line() == "locked")
            try bridge.save(#"[{"a":{}},{}]"#, as: "d.json", in: bridge.app)
            let held = try await Binary.run(["sync"] + bridge.flags + flags)
            other.send(SIGTERM)
            _ = await other.ended()
            #expect(held.status == 7, "\(held)")
            #expect(held.output.contains("cannot be written: another program has locked d.db"), "\(held)")
        }
    }

    @Test func `A document in a locked database is held for every command, and none waits for ever`()
        async throws
    {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/d.yaml"
            let stores = "{app: {format: tinybase, file: a.db}, group: {format: tinybase, file: g.db}}"
            try write("profile: d\ndocuments: {d.json: {stores: {ios: \(stores)}}}\n", to: file)
            let flags =
                ["--state", bridge.state, "--app", bridge.app, "--group", bridge.group]
                + ["--profile", file, "--stores", "ios"]
            let put = try await Binary.run(["put", "d.json", "--side", "app"] + flags, input: "[{},{}]")
            #expect(put.status == 0, "\(put)")
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            for (side, name) in [("app", "a.db"), ("group", "g.db")] {
                let path = side == "app" ? "\(bridge.app)/a.db" : "\(bridge.group)/g.db"
                let program = """
                    import signal, sqlite3
                    d = sqlite3.connect("\(path)", isolation_level=None)
                    d.execute("update tinybase set store = ?", ['[{"\(side)":{}},{}]'])
                    d.execute("begin exclusive"); print("locked", flush=True); signal.pause()
                    """
                let other = try Running(command: ["/usr/bin/python3", "-c", program])
                #expect(await other.line() == "locked")
                let sync = try await Binary.run(["sync"] + flags)
                #expect(sync.status == 7 && sync.output.contains(name), "\(sync)")
                for command in [["get"], ["put"], ["delete"]] {
                    let ran = try await Binary.run(
                        command + ["d.json", "--side", side] + flags,
                        input: #"[{"a":{}},{}]"#
                    )
                    #expect(ran.status == 7 && ran.errors.contains(name), "\(ran)")
                    #expect(ran.errors.contains("another program has locked"), "\(ran)")
                }
                other.send(SIGTERM)
                _ = await other.ended()
                #expect(try await Binary.run(["sync"] + flags).status == 0)
            }
        }
    }

    @Test func `A document whose database is locked for a moment is not missing`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/d.yaml"
            let store = "{format: tinybase, file: d.db}"
            try write("profile: d\ndocuments: {d.json: {stores: {ios: {group: \(store)}}}}\n", to: file)
            let flags = bridge.flags + ["--profile", file, "--stores", "ios"]
            try bridge.save("[{},{}]", as: "d.json", in: bridge.app)
            #expect(try await Binary.run(["sync"] + flags).status == 0)
            // Longer than one read waits for the lock, and shorter than two.
            let program = """
                import sqlite3, threading
                d = sqlite3.connect("\(bridge.group)/d.db", isolation_level=None, timeout=9)
                held = threading.Event()
                print("begins", flush=True)
                while True:
                    d.execute("begin exclusive"); held.wait(0.008); d.execute("commit"); held.wait(0.001)
                """
            let other = try Running(command: ["/usr/bin/python3", "-c", program])
            #expect(await other.line() == "begins")
            for _ in 0..<60 {
                let get = try await Binary.run(["get", "d.json", "--side", "group"] + flags)
                #expect(get.status == 0 || get.status == 7, "\(get)")
            }
            other.send(SIGKILL)
            _ = await other.ended()
        }
    }

    @Test func `A document in a store that cannot be parsed is not missing`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags(bridge)
            try write("bplist00 and no more", to: try makeStore(bridge))
            let get = try await Binary.run(["get", "d.json", "--side", "group"] + bridge.flags + flags)
            #expect(get.status == 7 && get.errors.contains("group.plist"), "\(get)")
            let diff = try await Binary.run(["diff", "d.json"] + bridge.flags + flags)
            #expect(diff.status == 7 && diff.errors.contains("group.plist"), "\(diff)")
        }
    }
}
