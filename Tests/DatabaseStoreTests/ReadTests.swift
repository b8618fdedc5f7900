import DatabaseStore
import Foundation
import Model
import Replica
import Stores
import Testing

@Suite struct ReadTests {
    @Test(arguments: modes)
    func `The saves of an app are read while it runs and after its end`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode, #"[{"habits":{"h1":{"title":"Wässer"}}},{}]"#)
        #expect(try world.read() == #"[{"habits":{"h1":{"title":"Wässer"}}},{}]"#)
        try app.save("2")
        #expect(try world.read() == "2")
        try app.end()
        #expect(try world.read() == "2")
        try world.shell("UPDATE tinybase SET store = '3'")
        #expect(try world.read() == "3")
    }

    @Test func `A missing database, directory, table or row is absent`() throws {
        let world = try World()
        let nested = DatabaseDocument.tinyBase(place("files/SQLite/x.db"))
        #expect(try world.store.read(nested, unless: nil, mayWait: true, isKnown: false) == .absent)
        #expect(try world.store.signature(of: nested, isKnown: false) == nil)
        #expect(try world.read() == nil)
        #expect(try world.names() == [])
        _ = FileManager.default.createFile(atPath: world.real("x.db"), contents: nil)
        #expect(try world.read() == nil)
        try world.shell("CREATE TABLE other (a)")
        #expect(try world.read() == nil)
        try world.shell("CREATE TABLE tinybase (_id PRIMARY KEY, store)")
        #expect(try world.read() == nil)
        #expect(try world.signature() != nil)
    }

    @Test(arguments: ["1", "x'31'"])
    func `A key that is no text is named, and no missing row`(key: String) throws {
        let world = try World()
        try world.shell("CREATE TABLE tinybase (_id PRIMARY KEY, store)")
        try world.shell("INSERT INTO tinybase VALUES (\(key), '[]')")
        let document = DatabaseDocument(
            place("x.db"),
            table: "tinybase",
            keyColumn: "_id",
            valueColumn: "store",
            key: "1"
        )
        let fault = DatabaseFault.wrongKeyType(
            DatabaseColumn("tinybase", "_id"),
            key: "1",
            found: key == "1" ? .integer : .blob
        )
        #expect(throws: fault) {
            try world.store.read(document, unless: nil, mayWait: true, isKnown: false)
        }
        // A text that looks like a number is one more key.
        try world.shell("INSERT INTO tinybase VALUES ('1', '2')")
        let reading = try world.store.read(document, unless: nil, mayWait: true, isKnown: false)
        #expect(reading != .absent)
    }

    @Test func `A table that is gone, or renamed, is no deletion of the document that it had`() throws {
        let world = try World()
        _ = try world.tinyBase()
        #expect(try world.read() != nil)
        for change in ["ALTER TABLE tinybase RENAME TO old", "DROP TABLE old"] {
            try world.shell(change)
            #expect(throws: DatabaseFault.missingTable("tinybase")) {
                _ = try world.store.read(world.tinyBase, unless: nil, mayWait: true, isKnown: true)
            }
        }
        try world.shell("CREATE TABLE tinybase (_id PRIMARY KEY, store)")
        let reading = try world.store.read(world.tinyBase, unless: nil, mayWait: true, isKnown: true)
        #expect(reading == .absent)
    }

    @Test func `A database without the table that the bridge cannot make is of another schema`() throws {
        let world = try World()
        _ = try world.tinyBase()
        var document = world.tinyBase
        (document.table, document.creation) = ("Storage", nil)
        #expect(throws: DatabaseFault.missingTable("Storage")) {
            _ = try world.store.read(document, unless: nil, mayWait: true, isKnown: false)
        }
    }

    @Test func `The value is returned as it is stored, and only if it is not the known one`() throws {
        let world = try World()
        let app = try world.tinyBase()
        try app.run(#"db.execute("UPDATE tinybase SET store = CAST('a' || char(0) || 'ü' AS TEXT)")"#)
        #expect(try world.content()?.bytes == [97, 0, 0xc3, 0xbc])
        try app.run(#"db.execute("UPDATE tinybase SET store = x'00ff'")"#)
        let content = try #require(try world.content())
        #expect(content.bytes == [0, 255])
        let digest = Digest(of: [0, 255])
        let again = try world.store.read(world.tinyBase, unless: digest, mayWait: true, isKnown: true)
        #expect(again == .same(content.signature))
        try app.run(#"db.execute("UPDATE tinybase SET store = ''")"#)
        #expect(try world.content()?.bytes == [])
    }

    @Test(arguments: modes)
    func `The signature changes with every save, and with nothing else`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        var seen: Set<Signature> = []
        for text in ["1", "2", "3", "2"] {
            try app.save(text)
            let content = try #require(try world.content())
            #expect(String(decoding: content.bytes, as: UTF8.self) == text)
            #expect(try world.signature() == content.signature)
            #expect(seen.insert(content.signature).inserted)
        }
    }

    @Test(arguments: modes)
    func `Reading changes no file, so that a look does not cause the next`(mode: String) throws {
        let world = try World()
        try world.tinyBase(mode).end()
        _ = try world.read()
        let (names, signature) = (try world.names(), try world.signature())
        for _ in 0..<3 { _ = try world.read() }
        #expect(try world.names() == names)
        #expect(try world.signature() == signature)
    }

    @Test func `Closing leaves a complete database, without a log`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        _ = try world.read()
        try app.save("2")
        try app.end()
        #expect(try world.read() == "2")
        world.store.close()
        #expect(try world.names() == ["x.db"])
        #expect(try world.read() == "2")
    }

    @Test func `The keys of AsyncStorage are read from both of its formats`() throws {
        let world = try World()
        try world.shell(
            """
            CREATE TABLE Storage (key TEXT NOT NULL PRIMARY KEY, value TEXT);
            INSERT INTO Storage VALUES ('penny_widget_data', 'new'), ('other', '0');
            CREATE TABLE catalystLocalStorage (key TEXT PRIMARY KEY, value TEXT NOT NULL);
            INSERT INTO catalystLocalStorage VALUES ('penny_widget_data', 'old');
            """
        )
        #expect(try world.read(.asyncStorage(place("x.db"), key: "penny_widget_data")) == "new")
        #expect(try world.read(.oldAsyncStorage(place("x.db"), key: "penny_widget_data")) == "old")
        #expect(try world.read(.asyncStorage(place("x.db"), key: "none")) == nil)
    }

    @Test func `Any names, encodings and kinds of tables can be read`() throws {
        let world = try World()
        try world.shell(
            """
            PRAGMA encoding = 'UTF-16';
            CREATE TABLE "a ""b'" ("k ""1" TEXT PRIMARY KEY, "v; DROP" TEXT) WITHOUT ROWID;
            INSERT INTO "a ""b'" VALUES ('it''s "x"', 'ü');
            CREATE TABLE numbered (id INTEGER PRIMARY KEY, value);
            INSERT INTO numbered VALUES (7, 'seven');
            """
        )
        var document = DatabaseDocument(
            place("x.db"),
            table: "A \"B'",
            keyColumn: "k \"1",
            valueColumn: "V; DROP",
            key: "it's \"x\""
        )
        #expect(try world.read(document) == "ü")
        #expect(try world.swap("ü", to: "é", in: document) == ["ü"])
        #expect(try world.shell(#"SELECT "v; DROP" FROM "a ""b'""#) == "é")
        document = DatabaseDocument(
            place("x.db"),
            table: "numbered",
            keyColumn: "id",
            valueColumn: "value",
            key: "7"
        )
        #expect(try world.read(document) == "seven")
    }
}
