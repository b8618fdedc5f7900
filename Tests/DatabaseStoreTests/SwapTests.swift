import DatabaseStore
import Foundation
import Model
import Replica
import Stores
import Testing

@Suite struct SwapTests {
    @Test(arguments: modes)
    func `An expected value is replaced, and kept before that is visible`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        let before = try world.content()?.signature
        var seen: String?
        // Without a log, nobody can read while a transaction ends, but until then.
        let displaced = try world.swap("1", to: "2") { seen = try app.value("SELECT store FROM tinybase") }
        #expect(displaced == ["1"])
        #expect(seen == "[('1',)]")
        #expect(try app.value("SELECT * FROM tinybase") == "[('_', '2')]")
        #expect(try world.read() == "2")
        #expect(try world.signature() != before)
        try app.save("3")
        #expect(try world.read() == "3")
    }

    @Test(arguments: modes)
    func `The signature of a swap is that of the new content`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        _ = try world.read()
        let digest = Digest(of: Array("1".utf8))
        let outcome = try world.store.swap(world.tinyBase, to: Array("2".utf8), over: digest) { _ in }
        #expect(outcome == .swapped(signature: try world.signature()))
        #expect(try world.content()?.signature == world.signature())
        try app.save("3")
        #expect(outcome != .swapped(signature: try world.signature()))
    }

    @Test(arguments: modes)
    func `A save between reading and swapping wins`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        #expect(try world.read() == "1")
        try app.save("app")
        #expect(try world.swap("1", to: "2") == nil)
        #expect(try world.swap(nil, to: "2") == nil)
        #expect(try app.value("SELECT store FROM tinybase") == "[('app',)]")
        #expect(try world.swap("app", to: "2") == ["app"])
        try app.run("db.execute('DELETE FROM tinybase')")
        #expect(try world.swap("2", to: "3") == nil)
        #expect(try app.value("SELECT store FROM tinybase") == "[]")
    }

    @Test func `A new value is added, and a deleted one removed with nothing else`() throws {
        let world = try World()
        let document = DatabaseDocument.asyncStorage(place("x.db"), key: "a")
        try world.shell("CREATE TABLE Storage (key TEXT NOT NULL PRIMARY KEY, value TEXT)")
        try world.shell("INSERT INTO Storage VALUES ('b', '0')")
        #expect(try world.swap(nil, to: "1", in: document) == [])
        #expect(try world.shell("SELECT * FROM Storage ORDER BY key") == "a|1\nb|0")
        #expect(try world.swap("1", to: nil, in: document) == ["1"])
        #expect(try world.swap(nil, to: nil, in: document) == [])
        #expect(try world.shell("SELECT * FROM Storage") == "b|0")
    }

    @Test func `A replaced value keeps its type, and a new one is text`() throws {
        let world = try World()
        let app = try world.tinyBase()
        try app.run(#"db.execute("UPDATE tinybase SET store = x'31'")"#)
        try world.swap("1", to: "2")
        #expect(try app.value("SELECT store FROM tinybase") == "[(b'2',)]")
        try world.swap("2", to: "")
        #expect(try app.value("SELECT store FROM tinybase") == "[(b'',)]")
        try app.run("db.execute('DELETE FROM tinybase')")
        try world.swap(nil, to: "")
        #expect(try app.value("SELECT store FROM tinybase") == "[('',)]")
    }

    @Test func `A missing database of TinyBase is created as that library does`() throws {
        let world = try World()
        #expect(try world.swap("1", to: "2") == nil)
        #expect(try world.swap(nil, to: nil) == [])
        #expect(!world.exists("x.db"))
        #expect(try world.swap(nil, to: "2") == [])
        let app = try world.app()
        #expect(
            try app.value("SELECT name, pk FROM pragma_table_info('tinybase')")
                == "[('_id', 1), ('store', 0)]"
        )
        try app.save("3")
        #expect(try world.read() == "3")
        let rights = try FileManager.default.attributesOfItem(atPath: world.real("x.db"))
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test func `A new database takes over the rights of the other side's`() throws {
        let world = try World()
        _ = FileManager.default.createFile(atPath: "\(world.directory)/group/x.db", contents: nil)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: "\(world.directory)/group/x.db"
        )
        let outcome = try world.store.swap(
            world.tinyBase,
            to: Array("1".utf8),
            over: nil,
            like: place("x.db", .group)
        ) { _ in }
        #expect(outcome == .swapped(signature: try world.signature()))
        let rights = try FileManager.default.attributesOfItem(atPath: world.real("x.db"))
        #expect(rights[.posixPermissions] as? Int == 0o640)
    }

    @Test func `In another format, neither a database nor a table is created`() throws {
        let world = try World()
        let document = DatabaseDocument.asyncStorage(place("x.db"), key: "a")
        expectFault(.missingTable("Storage")) { try world.swap(nil, to: "1", in: document) }
        #expect(!world.exists("x.db"))
        try world.shell("CREATE TABLE other (a)")
        expectFault(.missingTable("Storage")) { try world.swap(nil, to: "1", in: document) }
        #expect(try world.shell("SELECT name FROM sqlite_master") == "other")
    }

    @Test(arguments: modes)
    func `Where the displaced value cannot be kept, it is not replaced`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        let failure = FileError.system(errno: ENOSPC, .write, place("aside"))
        expectFault(.file(failure)) {
            let digest = Digest(of: Array("1".utf8))
            _ = try world.store.swap(world.tinyBase, to: [], over: digest) { _ throws(FileError) in
                throw failure
            }
        }
        #expect(try app.value("SELECT store FROM tinybase") == "[('1',)]")
        try app.save("2")
    }
}
