import Foundation
import TestWorld
import Testing

/// Stores that have only single values of a document, written and read by Python.
@Suite(.timeLimit(.minutes(5))) struct StoreFieldsTests {
    private static let profile = """
        profile: fields
        documents:
          day.json:
            stores:
              ios:
                group:
                  format: plist
                  file: g.plist
                  fields: {spent: {real: /spent}, month: {string: /month}, dark: {bool: /ui/dark}}
              android:
                group:
                  format: home-widget
                  file: shared_prefs/HomeWidgetPreferences.xml
                  fields: {spent: {real: /spent}, month: {string: /month}, dark: {bool: /ui/dark}}
          clock.json:
            stores:
              ios:
                group:
                  format: expo-widgets
                  file: g.plist
                  widget: Clock
                  fields: {layout: {string: /layout}, initial_props: {dictionary: /props}, timeline: {array: /t}}

        """
    private static let day =
        #"{"spent": 450.50, "month": "Gennaio", "ui": {"dark": true, "size": 3}, "rest": [1]}"#
    private static let clock =
        #"{"layout": "<T/>", "props": {"a": 1}, "t": [{"timestamp": 1768746600000, "props": {}}], "note": 1}"#

    private func flags(_ platform: String, in bridge: RealBridge) throws -> [String] {
        let file = "\(bridge.root)/fields.yaml"
        try write(Self.profile, to: file)
        return ["--profile", file, "--group-stores", platform]
    }

    private func sync(_ bridge: RealBridge, _ flags: [String]) async throws {
        let ended = try await Binary.run(["sync"] + bridge.flags + flags)
        #expect(ended.status == 0, "\(ended)")
    }

    /// Python code, which has the plist as `d` and saves it afterwards.
    private func python(_ code: String, in bridge: RealBridge) async throws {
        let program = """
            import plistlib
            path = "\(bridge.group)/g.plist"
            d = plistlib.load(open(path, "rb"))
            \(code)
            plistlib.dump(d, open(path, "wb"), fmt=plistlib.FMT_BINARY)
            """
        let ended = try await Running(command: ["/usr/bin/python3", "-c", program]).ended()
        #expect(ended.status == 0, "\(ended.errors)")
    }

    @Test func `A document is written as single values, and an edit of one changes nothing else`()
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = try flags("ios", in: bridge)
            try bridge.save(Self.day, as: "day.json", in: bridge.app)
            try await sync(bridge, flags)
            try await python(
                """
                assert d == {"spent": 450.5, "month": "Gennaio", "dark": True}, d
                d["spent"] = 12.25; d["other"] = 7
                """,
                in: bridge
            )
            try await sync(bridge, flags)
            let edited = Self.day.replacing("450.50", with: "12.25")
            #expect(bridge.read("day.json", in: bridge.app) == edited)
            // What has no key is changed by the app, and kept.
            try bridge.save(edited.replacing("[1]", with: "[2]"), as: "day.json", in: bridge.app)
            try await sync(bridge, flags)
            let got = try await Binary.run(["get", "day.json"] + bridge.flags + flags)
            #expect(got.output == edited.replacing("[1]", with: "[2]"))
            try await python("assert d['other'] == 7; del d['month']", in: bridge)
            try await sync(bridge, flags)
            #expect(bridge.read("day.json", in: bridge.app)?.contains("month") == false)
            #expect(bridge.read("day.json", in: bridge.app)?.contains(#""size": 3"#) == true)
        }
    }

    @Test func `A lost state loses nothing that has no key`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags("ios", in: bridge)
            try bridge.save(Self.day, as: "day.json", in: bridge.app)
            try await sync(bridge, flags)
            try FileManager.default.removeItem(atPath: bridge.state)
            try await python("d['spent'] = 1.5", in: bridge)
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).output.contains("/spent: app's"))
            let text = try #require(bridge.read("day.json", in: bridge.app))
            #expect(text.contains(#""rest": [1]"#) && text.contains(#""size": 3"#), "\(text)")
        }
    }

    @Test func `A widget of expo-widgets has layout, properties and timeline, and adds an entry`()
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = try flags("ios", in: bridge)
            try bridge.save(Self.clock, as: "clock.json", in: bridge.app)
            try await sync(bridge, flags)
            try await python(
                """
                k = "__expo_widgets_Clock_"
                assert d[k + "layout"] == "<T/>" and d[k + "initial_props"] == {"a": 1}, d
                assert d[k + "timeline"] == [{"timestamp": 1768746600000, "props": {}}], d
                d[k + "timeline"].append({"timestamp": 1768746700000, "props": {"n": 1}})
                """,
                in: bridge
            )
            try await sync(bridge, flags)
            let text = try #require(bridge.read("clock.json", in: bridge.app))
            #expect(text.contains("1768746700000") && text.contains(#""note": 1"#), "\(text)")
        }
    }

    @Test func `An agent carries a change of a value of home_widget, and a deletion`() async throws {
        try await RealBridge.with { bridge in
            let flags = try flags("android", in: bridge)
            let agent = try await bridge.startAgent(flags)
            try bridge.save(Self.day, as: "day.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let file = "\(bridge.group)/shared_prefs/HomeWidgetPreferences.xml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains(#"<long name="spent" value="4646632896004620288" />"#), "\(text)")
            try write(text.replacing("Gennaio", with: "Marzo"), to: file)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("day.json", in: bridge.app) == Self.day.replacing("Gennaio", with: "Marzo"))
            try FileManager.default.removeItem(atPath: "\(bridge.app)/day.json")
            #expect(try await bridge.wait().status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("spent") == false)
            try await bridge.end(agent)
        }
    }

    @Test func `A new store has the rights of the document, and a new directory those of the one above it`()
        async throws
    {
        try await RealBridge.with { bridge in
            let text = "profile: m\ndocuments: {a.json: {stores: {ios: {group: "
            let store = "{format: plist, file: Library/g.plist, text: k}}}}}\n"
            try write(text + store, to: "\(bridge.root)/m.yaml")
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(bridge.app)/a.json")
            try files.setAttributes([.posixPermissions: 0o750], ofItemAtPath: bridge.group)
            try await sync(bridge, ["--profile", "\(bridge.root)/m.yaml", "--group-stores", "ios"])
            func mode(_ name: String) throws -> Int? {
                let attributes = try files.attributesOfItem(atPath: "\(bridge.group)/\(name)")
                return (attributes[.posixPermissions] as? NSNumber)?.intValue
            }
            #expect(try mode("Library") == 0o750)
            #expect(try mode("Library/g.plist") == 0o640)
        }
    }

    @Test func `A missing database, and one with a trigger, are named`() async throws {
        try await RealBridge.with { bridge in
            let text = "profile: d\ndocuments: {a.json: {stores: {ios: {group: "
            let store = "{format: sqlite, file: a.db, table: t, columns: {key: k, value: v}, text: one}}}}}\n"
            try write(text + store, to: "\(bridge.root)/d.yaml")
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            let flags = ["--profile", "\(bridge.root)/d.yaml", "--group-stores", "ios"]
            func held() async throws -> Binary.Ended { try await Binary.run(["sync"] + bridge.flags + flags) }
            let missing = try await held()
            #expect(missing.status == 7 && missing.output.contains("a.db: no such file"), "\(missing)")
            let doctor = try await Binary.run(["doctor"] + bridge.flags + flags)
            #expect(doctor.status == 1 && doctor.output.contains("there is no such database"), "\(doctor)")
            let program = """
                import sqlite3
                d = sqlite3.connect("\(bridge.group)/a.db")
                d.executescript("create table t(k primary key, v);"
                    "create trigger r after insert on t begin update t set v = 'x'; end;")
                """
            let made = try await Running(command: ["/usr/bin/python3", "-c", program]).ended()
            #expect(made.status == 0, "\(made.errors)")
            let altered = try await held()
            #expect(altered.status == 7 && altered.output.contains("because of a trigger"), "\(altered)")
        }
    }

    @Test func `A document whose key is renamed is synced anew`() async throws {
        try await RealBridge.with { bridge in
            func profile(_ key: String) throws {
                let text = "profile: k\ndocuments: {a.json: {stores: {ios: {group: "
                try write(
                    text + "{format: plist, file: g.plist, text: \(key)}}}}}\n",
                    to: "\(bridge.root)/k.yaml"
                )
            }
            let flags = ["--profile", "\(bridge.root)/k.yaml", "--group-stores", "ios"]
            try profile("one")
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            try await sync(bridge, flags)
            try profile("two")
            try await sync(bridge, flags)
            #expect(bridge.read("a.json", in: bridge.app) == "[1]")
            try await python("assert d['two'] == '[1]', d", in: bridge)
        }
    }
}
