import Foundation
import Model
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(5))) struct StorePutTests {
    private func hash(_ text: String) -> String { "\(Digest(of: Array(text.utf8)))" }

    @Test(arguments: ["FMT_BINARY", "FMT_XML"])
    func `A value is replaced, and the rest of the file stays as it is`(format: String) async throws {
        try await StoreWorld.with { world in
            try await world.python(
                StoreWorld.plist + "plistlib.dump(values, open('a', 'wb'), fmt=plistlib.\(format))\n"
                    + "os.chmod('a', 0o640)"
            )
            #expect(await world.run("put", "a", "real", "12.5").output == hash("12.5") + "\n")
            #expect(await world.run("put", "a", "integer", "-7").status == .done)
            #expect(await world.run("put", "a", "date", "2026-02-01T00:00:00Z").status == .done)
            #expect(
                await world.run("put", "a", "array", #"[1,{"x":2.5,"y":null}]"#, "--type", "array").status
                    == .done
            )
            let read = try await world.python(
                StoreWorld.plist
                    + """
                    found = plistlib.load(open('a', 'rb'), fmt=plistlib.\(format))
                    values |= {'real': 12.5, 'integer': -7, 'date': datetime.datetime(2026, 2, 1),
                        'array': [1, {'x': 2.5}]}
                    print(found == values, oct(os.stat('a').st_mode & 0o777), os.listdir('.'))
                    """
            )
            #expect(read == "True 0o640 ['a']\n")
        }
    }

    @Test(arguments: ["FMT_BINARY", "FMT_XML"])
    func `A key that only looks like the given one stays, and is not found`(format: String) async throws {
        try await StoreWorld.with { world in
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            try await world.python(
                "plistlib.dump({'caf\\u00e9': 'a'}, open('a', 'wb'), fmt=plistlib.\(format))"
            )
            #expect(await world.run("get", "a", decomposed).status == .failed)
            #expect(await world.run("put", "a", decomposed, "b", "--type", "string").status == .done)
            #expect(await world.run("get", "a", composed).output == "a")
            #expect(await world.run("get", "a", decomposed).output == "b")
            let read = try await world.python("print(ascii(plistlib.load(open('a', 'rb'))))")
            #expect(read == "{'caf\\xe9': 'a', 'cafe\\u0301': 'b'}\n")
        }
    }

    @Test func `Without a type a value keeps that of its key, and a new key needs one`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'n': 1}, open('a', 'wb'))")
            let unfit = await world.run("put", "a", "n", "abc")
            let what = "the given value is not an integer, `n` in D/a"
            #expect(
                unfit
                    == Ran(
                        status: .failed,
                        errors: "widgetbridge: \(what); give another, or another --type\n"
                    )
            )
            #expect(await world.run("put", "a", "n", "abc", "--type", "string").status == .done)
            let new = await world.run("put", "a", "m", "1")
            #expect(new.status == .usage)
            #expect(new.errors.hasPrefix("widgetbridge: the key is new, and has no type, `m` in D/a; "))
            #expect(await world.run("put", "a", "m", "1", "--type", "real").status == .done)
            let read = try await world.python("print(plistlib.load(open('a', 'rb')))")
            #expect(read == "{'n': 'abc', 'm': 1.0}\n")
        }
    }

    @Test func `A value that is not the expected one is not replaced`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                plistlib.dump({'k': 'one'}, open('a', 'wb'))
                db = sqlite3.connect('a.db')
                db.execute('create table tinybase (_id primary key, store)')
                db.execute("insert into tinybase values ('k', 'one')")
                db.commit()
                """
            )
            for file in ["a", "a.db"] {
                let before = try world.bytes(file)
                for wrong in [hash("two"), "none"] {
                    let ran = await world.run("put", file, "k", "two", "--expect", wrong)
                    let what = "the value is not the expected one, `k` in D/\(file)"
                    #expect(ran.status == .needsDecision && ran.output.isEmpty)
                    #expect(ran.errors.hasPrefix("widgetbridge: \(what); "))
                    #expect(try world.bytes(file) == before)
                }
                let fits = await world.run("put", file, "k", "two", "--expect", hash("one"))
                #expect(fits == Ran(status: .done, output: hash("two") + "\n"))
                let new = ["new", "x", "--type", "string", "--expect"]
                #expect(
                    await world.run("put", file, new[0], new[1], new[2], new[3], new[4], "none").status
                        == .done
                )
                #expect(await world.run("get", file, "k").output == "two")
            }
        }
    }

    @Test func `A new file is made only in a format that is named, and a database never`() async throws {
        try await StoreWorld.with { world in
            let without = await world.run("put", "a", "k", "v", "--type", "string")
            let what = "no such file, D/a; for a new one give --as plist or --as shared-preferences"
            #expect(without == Ran(status: .failed, errors: "widgetbridge: \(what)\n"))
            for format in ["sqlite", "tinybase", "async-storage"] {
                let ran = await world.run("put", "a", "k", "v", "--type", "string", "--as", format)
                #expect(ran.status == .failed && ran.errors.hasPrefix("widgetbridge: no such file, D/a; "))
            }
            #expect(try world.names() == [])
            #expect(
                await world.run("put", "a", "k", "v", "--type", "string", "--as", "plist").status == .done
            )
            let flags = ["--type", "real", "--as", "home-widget"]
            #expect(
                await world.run("put", "b.xml", "spent", "450.5", flags[0], flags[1], flags[2], flags[3])
                    .status
                    == .done
            )
            let read = try await world.python(
                "print(plistlib.load(open('a', 'rb'), fmt=plistlib.FMT_BINARY))"
            )
            let modes =
                "open('c', 'w'); print(*(os.stat(f).st_mode == os.stat('c').st_mode for f in ['a', 'b.xml']))"
            #expect(try await world.python(modes) == "True True\n")
            #expect(read == "{'k': 'v'}\n")
            let text = String(decoding: try world.bytes("b.xml"), as: UTF8.self)
            #expect(text.contains(#"<long name="spent" value="4646632896004620288" />"#))
            #expect(text.contains(#"<boolean name="home_widget.double.spent" value="true" />"#))
        }
    }

    @Test func `A set with a string twice, and a character that XML does not allow, are refused`()
        async throws
    {
        try await StoreWorld.with { world in
            try write("<map><set name=\"k\"><string>a</string></set></map>", to: world.path("a.xml"))
            let set = await world.run("put", "a.xml", "k", #"["a","b","a"]"#)
            let twice = "the set of `k` has `a` twice, D/a.xml; give each string once; nothing was written"
            #expect(set == Ran(status: .failed, errors: "widgetbridge: \(twice)\n"))
            let text = await world.run("put", "a.xml", "t", "a\u{1}", "--type", "string")
            let what =
                "`t` has the character U+1, which a shared-preferences file cannot hold: XML does not allow it"
            #expect(text.status == .failed && text.errors.hasPrefix("widgetbridge: \(what), D/a.xml; "))
        }
    }

    @Test func `A long value of AsyncStorage goes to a file of its own, and a short one back`() async throws {
        try await StoreWorld.with { world in
            try write(#"{ "other" : "x" }"#, to: world.path("manifest.json"))
            let long = String(repeating: "é", count: 1_025)
            #expect(await world.run("put", "manifest.json", "k", long).status == .done)
            let check = """
                name = hashlib.md5(b'k').hexdigest()
                print(open('manifest.json').read(), os.path.exists(name) and len(open(name).read()))
                """
            #expect(try await world.python(check) == #"{ "other" : "x","k":null } 1025"# + "\n")
            let wrong = await world.run("put", "manifest.json", "k", "short", "--expect", hash("x"))
            #expect(wrong.status == .needsDecision)
            #expect(
                await world.run("put", "manifest.json", "k", long + "é", "--expect", hash(long)).status
                    == .done
            )
            #expect(try await world.python(check) == #"{ "other" : "x","k":null } 1026"# + "\n")
            #expect(await world.run("put", "manifest.json", "k", "short").status == .done)
            #expect(try await world.python(check) == #"{ "other" : "x","k":"short" } False"# + "\n")
            let typed = await world.run("put", "manifest.json", "k", "1", "--type", "integer")
            #expect(typed.status == .failed && typed.errors.contains("cannot hold an integer (key `k`)"))
        }
    }

    @Test func `A row of a database is replaced with its type, or with the named one`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                db = sqlite3.connect('a.db')
                db.execute('pragma journal_mode=wal')
                db.execute('create table tinybase (_id primary key, store)')
                db.execute('create table typed (_id primary key, store text)')
                db.executemany('insert into tinybase values (?, ?)', [('n', 1), ('b', b'x'), ('t', 't')])
                db.commit()
                """
            )
            for (key, value) in [("n", "2"), ("b", "yy"), ("t", "3")] {
                #expect(await world.run("put", "a.db", key, value).status == .done)
            }
            #expect(await world.run("put", "a.db", "r", "2.5", "--type", "real").status == .done)
            let bool = await world.run("put", "a.db", "n", "true", "--type", "bool")
            #expect(bool.status == .failed && bool.errors.contains("a database has no bool; "))
            // The column makes a text of it.
            let altered = await world.run("put", "a.db", "n", "5", "--type", "integer", "--table", "typed")
            #expect(altered.status == .failed)
            #expect(altered.errors.contains(#"does not store the value of "typed"."store" for the key "n""#))
            let read = try await world.python(
                """
                db = sqlite3.connect('a.db')
                print(db.execute('select * from tinybase order by _id').fetchall())
                print(db.execute('select * from typed').fetchall())
                """
            )
            #expect(read == "[('b', b'yy'), ('n', 2), ('r', 2.5), ('t', '3')]\n[]\n")
        }
    }

    @Test func `The value is an argument, a file, or standard input`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                "plistlib.dump({'d': b'', 'n': 1}, open('a', 'wb')); open('f', 'wb').write(b'\\0\\n')"
            )
            #expect(try await world.binary("put", "a", "d", "--from-file", world.path("f")).status == 0)
            #expect(try await world.python("print(plistlib.load(open('a', 'rb'))['d'])") == "b'\\x00\\n'\n")
            #expect(try await world.binary("put", "a", "d", input: "x\n").status == 0)
            #expect(try await world.binary("put", "a", "n", input: "5\n").status == 0)
            #expect(try await world.binary("put", "a", "n", "--", "-5").status == 0)
            #expect(
                try await world.python("print(plistlib.load(open('a', 'rb')))") == "{'d': b'x\\n', 'n': -5}\n"
            )
            let both = await world.run("put", "a", "n", "5", "--from-file", world.path("f"))
            #expect(both.status == .usage && both.errors.contains("give VALUE or --from-file, not both"))
        }
    }
}
