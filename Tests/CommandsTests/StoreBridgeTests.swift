import Documents
import Foundation
import TestDocuments
import TestWorld
import Testing

/// A bridge between the containers of the five apps as they are on a device. The stores are written and read
/// by Python.
@Suite(.timeLimit(.minutes(5))) struct StoreBridgeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var profile: String
        var platform: String
        var app: Store
        var group: Store
        var testDescription: String { "\(profile) on \(platform)" }
    }

    /// A store for `store.py`: its kind, path and key.
    struct Store: Sendable {
        var kind: String
        var path: String
        var key: String
    }

    static let cases = [
        Case(
            profile: "budget",
            platform: "ios",
            app: Store(
                kind: "plist",
                path: "Library/Preferences/com.ecologicaleaving.fin.plist",
                key: "flutter.widget_data"
            ),
            group: Store(
                kind: "plist",
                path: "Library/Preferences/group.com.family.financetracker.plist",
                key: "flutter.widget_data"
            )
        ),
        Case(
            profile: "budget",
            platform: "android",
            app: Store(
                kind: "xml",
                path: "shared_prefs/FlutterSharedPreferences.xml",
                key: "flutter.widget_data"
            ),
            group: Store(kind: "xml", path: "shared_prefs/HomeWidgetPreferences.xml", key: "widgetDataJson")
        ),
        Case(
            profile: "habits",
            platform: "ios",
            app: Store(kind: "tinybase", path: "Documents/SQLite/beebloom.db", key: "_"),
            group: Store(kind: "tinybase", path: "beebloom.db", key: "_")
        ),
        Case(
            profile: "todo",
            platform: "ios",
            app: Store(kind: "file", path: "todo.json", key: ""),
            group: Store(
                kind: "plist",
                path: "Library/Preferences/group.com.example.todoapp.plist",
                key: "widget_data"
            )
        ),
        Case(
            profile: "todo",
            platform: "android",
            app: Store(kind: "file", path: "todo.json", key: ""),
            group: Store(kind: "xml", path: "shared_prefs/HomeWidgetPreferences.xml", key: "widget_data")
        ),
        Case(
            profile: "finance",
            platform: "ios",
            app: Store(kind: "file", path: "finance.json", key: ""),
            group: Store(
                kind: "plist-data",
                path: "Library/Preferences/group.com.yourteam.finpessoal.plist",
                key: "widgetData"
            )
        ),
        Case(
            profile: "balances",
            platform: "ios",
            app: Store(
                kind: "manifest",
                path:
                    "Library/Application Support/com.heywood8.monkeep/RCTAsyncLocalStorage_V1/manifest.json",
                key: "penny_widget_data"
            ),
            group: Store(
                kind: "plist-data",
                path: "Library/Preferences/group.com.heywood8.monkeep.plist",
                key: "penny_widget_data"
            )
        ),
        Case(
            profile: "balances",
            platform: "android",
            app: Store(kind: "room", path: "databases/AsyncStorage", key: "penny_widget_data"),
            group: Store(kind: "file", path: "penny.json", key: "")
        ),
    ]

    /// `put` writes the text as the app does, beside another value; `get` prints it and checks that the other
    /// value is as it was.
    private static let script = #"""
        import json, os, plistlib, sqlite3, sys
        import xml.etree.ElementTree as tree
        action, kind, path, key = sys.argv[1:5]
        text = sys.stdin.read() if action == "put" else ""
        if action == "put":
            os.makedirs(os.path.dirname(path), exist_ok=True)
        def load():
            if not os.path.exists(path): return {"other": 7}
            with open(path, "rb") as file: return plistlib.load(file)
        def replace(data):
            with open(path + ".new", "wb") as file: file.write(data)
            os.rename(path + ".new", path)
        table = {"tinybase": ("tinybase", "_id", "store"), "room": ("Storage", "key", "value")}.get(kind)
        if action == "other":
            if kind.startswith("plist"): assert load()["other"] == 7
            if kind == "xml": assert tree.parse(path).getroot().find("int").get("value") == "7"
            if kind == "manifest": assert json.load(open(path)) == {"other": "7"}
        elif kind == "file":
            if action == "put": replace(text.encode())
            else: sys.stdout.write(open(path, encoding="utf-8").read())
        elif kind.startswith("plist"):
            values = load()
            if action == "put":
                values[key] = text.encode() if kind == "plist-data" else text
                replace(plistlib.dumps(values, fmt=plistlib.FMT_BINARY))
            else:
                value = values[key]
                sys.stdout.write(value.decode() if isinstance(value, bytes) else value)
        elif kind == "xml":
            if action == "put":
                root = tree.parse(path).getroot() if os.path.exists(path) else tree.fromstring(
                    '<map><int name="other" value="7" /></map>')
                for item in list(root):
                    if item.get("name") == key: root.remove(item)
                item = tree.SubElement(root, "string", name=key)
                item.text = text
                replace(tree.tostring(root, encoding="utf-8", xml_declaration=True))
            else:
                found = [x for x in tree.parse(path).getroot() if x.get("name") == key]
                sys.stdout.write(found[0].text)
        elif kind == "manifest":
            if action == "put":
                values = json.load(open(path)) if os.path.exists(path) else {"other": "7"}
                values[key] = text
                replace(json.dumps(values).encode())
            else:
                sys.stdout.write(json.load(open(path))[key])
        else:
            name, column, value = table
            database = sqlite3.connect(path)
            if action == "put":
                database.execute(f'CREATE TABLE IF NOT EXISTS "{name}"("{column}" PRIMARY KEY,"{value}")')
                database.execute(f'INSERT OR REPLACE INTO "{name}" VALUES(?, ?)', (key, text))
                database.commit()
            else:
                row = database.execute(f'SELECT "{value}" FROM "{name}" WHERE "{column}" = ?', (key,)).fetchone()
                sys.stdout.write(row[0])
            database.close()
        """#

    private func put(_ text: String, in store: Store, of container: String) async throws {
        let ended = try await python(["put", store.kind, "\(container)/\(store.path)", store.key], text)
        #expect(ended.status == 0, "\(ended.errors)")
    }

    private func get(_ store: Store, of container: String) async throws -> String {
        let ended = try await python(["get", store.kind, "\(container)/\(store.path)", store.key], "")
        #expect(ended.status == 0, "\(ended.errors)")
        return ended.output
    }

    private func python(_ arguments: [String], _ input: String) async throws -> Binary.Ended {
        try await withDirectory { directory in
            try write(input, to: "\(directory)/in")
            let line = #"exec python3 -c "$0" "$@" < "#
            let command = ["/bin/sh", "-c", "\(line)'\(directory)/in'", Self.script] + arguments
            return try await Running(command: command).ended()
        }
    }

    @Test(arguments: cases)
    func `A save of the app arrives in the widget's store, in its version, and back`(one: Case) async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == one.profile })
        try await RealBridge.with { bridge in
            let flags = [
                "--profile", one.profile, "--stores", one.platform, "--app-version", "1",
                "--group-version", "2",
            ]
            func sync() async throws {
                let ended = try await Binary.run(["sync"] + bridge.flags + flags)
                #expect(ended.status == 0, "\(ended)")
            }
            try await put(fixture.v1, in: one.app, of: bridge.app)
            try await sync()
            let arrived = try JSON(parsing: Array(try await get(one.group, of: bridge.group).utf8))
            #expect(arrived.isEqual(to: try JSON(parsing: Array(fixture.v2.utf8))), "\(arrived)")
            // Back: the widget's program saves version 2.
            let edited = fixture.v2.replacing("\n", with: " ")
            try await put(edited, in: one.group, of: bridge.group)
            try await sync()
            let back = try JSON(parsing: Array(try await get(one.app, of: bridge.app).utf8))
            #expect(back.isEqual(to: try JSON(parsing: Array(fixture.v1.utf8))))
        }
    }

    @Test(arguments: cases)
    func `A document that the app deletes is deleted for the widget, and other values stay`(one: Case)
        async throws
    {
        let fixture = try #require(Fixture.all.first { $0.profile == one.profile })
        try await RealBridge.with { bridge in
            let flags = ["--profile", one.profile, "--stores", one.platform]
            try await put(fixture.v2, in: one.app, of: bridge.app)
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let name = "\(one.profile).json"
            let deleted = try await Binary.run(["delete", name, "--side", "app"] + bridge.flags + flags)
            #expect(deleted.status == 0, "\(deleted)")
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let gone = try await Binary.run(["get", name, "--side", "group"] + bridge.flags + flags)
            #expect(gone.status == 1 && gone.errors.contains(name), "\(gone)")
            let other = try await python(["other", one.app.kind, "\(bridge.app)/\(one.app.path)", ""], "")
            #expect(other.status == 0, "\(other.errors)")
        }
    }

    @Test func `A watched store's change crosses at once, beside a racing change of another key`()
        async throws
    {
        let (one, fixture) = (Self.cases[0], try #require(Fixture.all.first { $0.profile == "budget" }))
        try await RealBridge.withAgent("--profile", "budget", "--stores", "ios") { bridge in
            try await put(fixture.v2, in: one.app, of: bridge.app)
            #expect(try await bridge.wait().status == 0)
            for spent in 1...20 {
                let text = fixture.v2.replacing("450.50", with: "\(spent).5")
                try await put(text, in: one.app, of: bridge.app)
                try await put(
                    "\(spent)",
                    in: Store(kind: "plist", path: one.group.path, key: "theirs"),
                    of: bridge.group
                )
            }
            #expect(try await bridge.wait().status == 0)
            #expect(try await get(one.group, of: bridge.group).contains("20.5"))
            let theirs = Store(kind: "plist", path: one.group.path, key: "theirs")
            #expect(try await get(theirs, of: bridge.group) == "20")
        }
    }

    @Test func `A document whose store is another one than before is deleted nowhere`() async throws {
        let fixture = try #require(Fixture.all.first { $0.profile == "budget" })
        try await RealBridge.with { bridge in
            func sync(_ stores: String..., status: Int32 = 0) async throws {
                let flags = ["--profile", "budget", "--app-version", "1", "--group-version", "1"]
                let ended = try await Binary.run(["sync"] + bridge.flags + flags + stores)
                #expect(ended.status == status, "\(ended)")
            }
            let file = Store(kind: "file", path: "budget.json", key: "")
            let ios = Self.cases[0]
            try await put(fixture.v1, in: file, of: bridge.app)
            try await sync()
            let looked = try await Binary.run(
                ["sync", "--dry-run", "--profile", "budget", "--group-stores", "ios"] + bridge.flags
            )
            #expect(looked.output.contains("create") && !looked.output.contains("delete"), "\(looked)")
            try await sync("--group-stores", "ios")
            #expect(try await get(file, of: bridge.app) == fixture.v1)
            #expect(try await get(ios.group, of: bridge.group) == fixture.v1)
            // What was synced long ago is no edit: the app's wins, and it is kept.
            let edited = fixture.v1.replacingOccurrences(of: "Famiglia", with: "Casa")
            try await put(edited, in: file, of: bridge.app)
            try await sync("--group-stores", "ios")
            try await sync(status: 7)
            #expect(try await get(file, of: bridge.app) == edited)
            #expect(try await get(file, of: bridge.group) == edited)
        }
    }

    @Test func `A store that the platform does not have, or without a profile, is refused`() async throws {
        try await RealBridge.with { bridge in
            let none = try await bridge.run("sync", "--profile", "finance", "--stores", "android")
            #expect(none.status == 64 && none.errors.contains("finance names no store on android"), "\(none)")
            let plain = try await bridge.run("sync", "--app-stores", "ios")
            #expect(plain.status == 64 && plain.errors.contains("give --profile with --stores"), "\(plain)")
        }
    }

    @Test func `A value of another type, and a file that is no store, are held by name`() async throws {
        try await RealBridge.with { bridge in
            let finance = Self.cases[5]
            let flags = ["--profile", "finance", "--stores", "ios"]
            let wrong = Store(kind: "plist", path: finance.group.path, key: finance.group.key)
            try await put("{}", in: wrong, of: bridge.group)
            let held = try await Binary.run(["sync"] + bridge.flags + flags)
            #expect(held.status != 0)
            let why = try await Binary.run(["why", "finance.json"] + bridge.flags + flags)
            #expect(why.output.contains("`widgetData` is of the type string, expected data"), "\(why)")
            let path = "\(bridge.group)/\(finance.group.path)"
            try write("no plist", to: path)
            let broken = try await Binary.run(["why", "finance.json"] + bridge.flags + flags)
            #expect(broken.output.contains("its store cannot be read"), "\(broken)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "no plist")
        }
    }
}
