import Foundation
import TestWorld
import Testing

@testable import Commands

@Suite struct StoreReadTests {
    @Test(arguments: [("FMT_BINARY", "binary"), ("FMT_XML", "XML")])
    func `The keys of a property list are listed with types and values`(format: String, words: String)
        async throws
    {
        try await StoreWorld.with { world in
            try await world.python(
                StoreWorld.plist + "plistlib.dump(values, open('a', 'wb'), fmt=plistlib.\(format))"
            )
            let rows = """
                \(words) plist, 8 keys
                KEY      TYPE     VALUE
                array    array    [1,"x",{"a":2.0,"b":"eno="}]
                big      integer  9223372036854775813
                bool     bool     true
                data     data     4 bytes
                date     date     2026-01-18T14:30:00.000Z
                integer  integer  -3
                real     real     450.5
                text     string   {"spent":450.5}

                """
            #expect(await world.run("list", "a") == Ran(status: .done, output: rows))
        }
    }

    @Test func `Preferences of Android are read as they are, or as home_widget encodes them`() async throws {
        try await StoreWorld.with { world in
            try write(StoreWorld.preferences, to: world.path("a.xml"))
            let raw = await world.run("list", "a.xml")
            #expect(raw.output.hasPrefix("shared-preferences, 6 keys\n"))
            #expect(raw.output.contains("spent                     integer  4646632896004620288\n"))
            let rows = """
                shared-preferences, 5 keys
                KEY           TYPE     VALUE
                month         string   Gennaio 2026
                spent         real     450.5
                expenseCount  integer  23
                groupName     null
                tags          array    ["a"]

                """
            let plugin = await world.run("list", "a.xml", "--as", "home-widget")
            #expect(plugin == Ran(status: .done, output: rows))
            let value = await world.run("get", "a.xml", "spent", "--as", "home-widget")
            #expect(value == Ran(status: .done, output: "450.5\n"))
        }
    }

    @Test func `The keys of Flutter's plugin are those with its prefix, and named without it`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                "plistlib.dump({'flutter.spent': 450.5, 'NSOther': 1}, open('a', 'wb'))"
            )
            let listed = await world.run("list", "a", "--as", "flutter", "--json")
            #expect(listed.output.contains(#""keys":[{"key":"spent","type":"real","value":450.5,"#))
            #expect(!listed.output.contains("NSOther"))
            #expect(await world.run("get", "a", "spent", "--as", "flutter").output == "450.5\n")
        }
    }

    @Test func `A backup of preferences counts while it exists`() async throws {
        try await StoreWorld.with { world in
            try write(StoreWorld.preferences, to: world.path("a.xml.bak"))
            for start in [nil, 30, 200] {
                if let start {
                    try write(String(StoreWorld.preferences.prefix(start)), to: world.path("a.xml"))
                }
                #expect(await world.run("get", "a.xml", "expenseCount").output == "23\n")
                let note = """
                    these are the values of D/a.xml.bak: a program is writing D/a.xml, or was ended \
                    meanwhile
                    """
                #expect(await world.run("list", "a.xml").output.split(separator: "\n")[1] == note)
                #expect(await world.run("list", "a.xml", "--json").output.contains(#""isBackup":true"#))
            }
            // A file of that name beside another store means nothing.
            try await world.python("plistlib.dump({'k': 1}, open('b', 'wb')); open('b.bak', 'w').write('x')")
            #expect(await world.run("get", "b", "k").output == "1\n")
        }
    }

    @Test func `A value of AsyncStorage is in the manifest or in a file of its own`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                json.dump({'short': 'x', 'long': None, 'lost': None}, open('manifest.json', 'w'))
                open(hashlib.md5(b'long').hexdigest(), 'w').write('L' * 2000)
                """
            )
            let rows = """
                async-storage, 3 keys
                KEY    TYPE    VALUE
                short  string  x
                long   string  \(String(repeating: "L", count: 59))…
                lost   null    in the file \(lostName), which cannot be read

                """
            #expect(await world.run("list", "manifest.json") == Ran(status: .done, output: rows))
            let long = await world.run("get", "manifest.json", "long")
            #expect(long.output == String(repeating: "L", count: 2000))
            let lost = await world.run("get", "manifest.json", "lost")
            let what = "the value is in a file of its own, \(lostName): no such file"
            #expect(lost.status == .failed)
            #expect(lost.errors.hasPrefix("widgetbridge: \(what), `lost` in D/manifest.json; "))
        }
    }

    private let lostName = "1c9a44eb2e8eaf3da1eb551da310cce7"

    @Test func `A database shows the table of its app's library, or the named one`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                db = sqlite3.connect('a.db')
                db.execute('create table kv (k primary key, v)')
                db.executemany('insert into kv values (?, ?)',
                    [('blob', b'ab'), ('integer', 5), ('null', None), ('real', 2.5), ('text', 'x')])
                db.execute('create table Storage (key text not null primary key, value text)')
                db.execute("insert into Storage values ('penny', '{}')")
                db.commit()
                """
            )
            let storage = "SQLite database, table Storage, 1 key\nKEY    TYPE    VALUE\npenny  string  {}\n"
            #expect(await world.run("list", "a.db").output == storage)
            let flags = ["--table", "kv", "--key-column", "k", "--value-column", "v"]
            let rows = """
                SQLite database, table kv, 5 keys
                KEY      TYPE     VALUE
                blob     data     2 bytes
                integer  integer  5
                null     null
                real     real     2.5
                text     string   x

                """
            let listed = await CommandsTests.run(["store", "list", world.path("a.db")] + flags)
            #expect(listed == Ran(status: .done, output: rows))
            #expect(try world.names() == ["a.db"])
        }
    }

    @Test func `On 80 columns one long row leaves the table 80 columns wide`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                "plistlib.dump({'k' * 70: 'v' * 200, 'short': 'x', 'data': b'1'}, open('a', 'wb'))"
            )
            let listed = await CommandsTests.run(["store", "list", world.path("a")], columns: 80)
            let lines = listed.output.split(separator: "\n")
            #expect(lines.map(\.count).max() ?? 0 <= 80, "\(listed)")
            #expect(lines.count == 5)
            #expect(lines.contains { $0.hasPrefix("kkkk") && $0.contains("…") && $0.hasSuffix("v…") })
            #expect(lines.contains { $0.hasPrefix("short ") && $0.hasSuffix(" x") })
        }
    }

    @Test func `A key of a database that is no text is named`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                db = sqlite3.connect('a.db')
                db.execute('create table tinybase (_id primary key, store)')
                db.executemany('insert into tinybase values (?, ?)', [(5, 'x'), (b'b', 'y')])
                db.commit()
                """
            )
            for (key, type) in [("5", "integer"), ("b", "blob")] {
                let what = #"the key "\#(key)" of "tinybase"."_id" is \#(type); expected is text"#
                let ran = [
                    await world.run("get", "a.db", key),
                    await world.run("put", "a.db", key, "z", "--type", "string"),
                ]
                for ran in ran {
                    #expect(ran.status == .failed && ran.errors.hasPrefix("widgetbridge: \(what), D/a.db; "))
                }
            }
            #expect(await world.run("get", "a.db", "6").errors.contains("no such key"))
        }
    }

    @Test func `The keys of a store complete a command line`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'flutter.spent': 1, 'other': 2}, open('a', 'wb'))")
            for (flags, key) in [([], "flutter.spent"), (["--as", "flutter"], "spent")] {
                let words = ["widgetbridge", "store", "get", world.path("a")] + flags + [""]
                let asked = [
                    "---completion", "store", "get", "--", "positional@1", "\(words.count - 1)", "0",
                ]
                let ended = try await Binary.run(asked + words)
                #expect(ended.output.split(separator: "\n").contains(Substring(key)), "\(ended)")
            }
        }
    }

    @Test func `Text and data are printed byte by byte, and as JSON with their type and hash`() async throws {
        try await StoreWorld.with { world in
            try await world.python(StoreWorld.plist + "plistlib.dump(values, open('a', 'wb'))")
            #expect(await world.run("get", "a", "text").output == #"{"spent":450.5}"#)
            #expect(await world.run("get", "a", "data").output == "\0\u{1}ab")
            #expect(await world.run("get", "a", "bool").output == "true\n")
            let expected = #"{"file":"D/a","key":"data","type":"data","value":"AAFhYg==","hash":"HASH"}"#
            let json = await world.run("get", "a", "data", "--json").output
            #expect(json.replacing(/sha256:[0-9a-f]{64}/, with: "HASH") == expected + "\n")
            // The hash is that of the bytes.
            let text = try await world.python("print(hashlib.sha256(b'-3').hexdigest())")
            let integer = await world.run("get", "a", "integer", "--json").output
            #expect(integer.contains(text.trimmingCharacters(in: .newlines)))
        }
    }
}
