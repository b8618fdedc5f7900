import DatabaseStore
import Foundation
import Model
import Replica
import Stores
import TestWorld
import Testing

@Suite struct FaultTests {
    private func document(_ table: String = "t") -> DatabaseDocument {
        DatabaseDocument(place("x.db"), table: table, keyColumn: "k", valueColumn: "v", key: "a")
    }

    /// Neither reading nor writing is possible, and the file stays as it is.
    private func expect(_ fault: DatabaseFault, in world: World, _ document: DatabaseDocument) throws {
        let before = try world.bytes("x.db")
        expectFault(fault) { _ = try world.read(document) }
        for old in ["1", nil] {
            expectFault(fault) { try world.swap(old, to: "2", in: document) }
        }
        #expect(try world.bytes("x.db") == before)
    }

    @Test(arguments: [
        ("CREATE VIEW t AS SELECT 'a' AS k, '1' AS v", DatabaseFault.notATable("t", found: .view)),
        ("CREATE VIRTUAL TABLE t USING fts5(k, v)", .notATable("t", found: .virtualTable)),
        ("CREATE TABLE s (k); CREATE INDEX t ON s (k)", .notATable("t", found: .index)),
        ("CREATE TABLE t (k)", .missingColumn(DatabaseColumn("t", "v"))),
        ("CREATE TABLE t (v)", .missingColumn(DatabaseColumn("t", "k"))),
        ("CREATE TABLE t (k, v AS (k || 1))", .generatedColumn(DatabaseColumn("t", "v"))),
        ("CREATE TABLE t (k, v AS (k || 1) STORED)", .generatedColumn(DatabaseColumn("t", "v"))),
        (
            "CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', '1'), ('a', '1')",
            .severalRows(DatabaseColumn("t", "k"), key: "a")
        ),
    ])
    func `Another schema is reported, and nothing is written`(sql: String, fault: DatabaseFault) throws {
        let world = try World()
        try world.shell(sql)
        try expect(fault, in: world, document())
    }

    @Test(arguments: [("NULL", DatabaseType.null), ("1", .integer), ("1.5", .real)])
    func `A value of another type is reported, and stays`(value: String, type: DatabaseType) throws {
        let world = try World()
        try world.shell("CREATE TABLE t (k PRIMARY KEY, v); INSERT INTO t VALUES ('a', \(value))")
        let column = DatabaseColumn("t", "v")
        try expect(.wrongType(column, key: "a", found: type), in: world, document())
        #expect(try world.shell("SELECT typeof(v) FROM t") == type.rawValue)
    }

    @Test func `A value beyond the size limit is reported, however large it is`() throws {
        let world = try World(maxBytes: 100)
        try world.shell(
            "CREATE TABLE t (k PRIMARY KEY, v); INSERT INTO t VALUES ('a', printf('%.101c', 'x'))"
        )
        try expect(.tooLarge(bytes: 101, limit: 100), in: world, document())
        try world.shell("UPDATE t SET v = zeroblob(10000000)")
        try expect(.tooLarge(bytes: nil, limit: 100), in: world, document())
        try world.shell("UPDATE t SET v = printf('%.100c', 'x')")
        #expect(try world.read(document())?.count == 100)
        let long = String(repeating: "y", count: 101)
        expectFault(.tooLarge(bytes: 101, limit: 100)) { try world.swap(nil, to: long, in: document()) }
    }

    @Test func `A value that the platform's code could not read is not written`() throws {
        let world = try World(maxBytes: 100)
        try world.shell("CREATE TABLE t (k PRIMARY KEY, v); INSERT INTO t VALUES ('a', printf('%.60c', 'x'))")
        var limited = document()
        limited.mostBytes = 50
        #expect(try world.read(limited)?.count == 60)
        let long = String(repeating: "y", count: 51)
        expectFault(.tooLarge(bytes: 51, limit: 50)) { try world.swap(nil, to: long, in: limited) }
        #expect(world.store.refusal(of: limited, to: Array(long.utf8)) == .tooLarge(bytes: 51, limit: 50))
        #expect(world.store.refusal(of: limited, to: Array(long.utf8.dropLast())) == nil)
    }

    @Test(arguments: [
        "CREATE TABLE t (k, v INTEGER); INSERT INTO t VALUES ('a', '1x')",
        """
        CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', '1x');
        CREATE TRIGGER n AFTER UPDATE ON t BEGIN UPDATE t SET v = 'n'; END
        """,
        """
        CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', '1x');
        CREATE TRIGGER n BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END
        """,
    ])
    func `A value that the database would store differently is not written`(sql: String) throws {
        let world = try World()
        try world.shell(sql)
        let fault = DatabaseFault.altered(DatabaseColumn("t", "v"), key: "a")
        expectFault(fault) { try world.swap("1x", to: "2", in: document()) }
        #expect(try world.shell("SELECT v FROM t") == "1x")
        // Without another event of its files, until the database has changed.
        let signature = try world.store.signature(of: document(), isKnown: true)
        var kept = 0
        expectFault(fault) { try world.swap("1x", to: "2", in: document()) { kept += 1 } }
        #expect(kept == 0)
        #expect(try world.store.signature(of: document(), isKnown: true) == signature)
        try world.shell("DROP TABLE t; CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', '1x')")
        #expect(try world.swap("1x", to: "2", in: document()) == ["1x"])
    }

    @Test func `What a constraint forbids is not written`() throws {
        let world = try World()
        try world.shell("CREATE TABLE t (k, v, needed NOT NULL)")
        do {
            try world.swap(nil, to: "1", in: document())
            Issue.record("it was written")
        } catch DatabaseFault.failed(_, let message) {
            #expect(message == "NOT NULL constraint failed: t.needed")
        }
        #expect(try world.shell("SELECT count(*) FROM t") == "0")
    }

    @Test func `A file that is no database, or is encrypted, stays as it is`() throws {
        let world = try World()
        for bytes in [Data("{}".utf8), Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 7919 >> 3) })] {
            try bytes.write(to: URL(filePath: world.real("x.db")))
            try expect(.notADatabase, in: world, world.tinyBase)
        }
    }

    @Test func `A truncated database is corrupt, and is not written`() throws {
        let world = try World()
        try world.shell("CREATE TABLE tinybase (_id PRIMARY KEY, store); CREATE TABLE z (a)")
        try world.shell("INSERT INTO z VALUES (zeroblob(100000))")
        try world.shell("INSERT INTO tinybase VALUES ('_', '1')")
        let whole = try world.bytes("x.db")
        try whole.prefix(4096).write(to: URL(filePath: world.real("x.db")))
        try expect(.corrupt, in: world, world.tinyBase)
    }

    @Test func `No symbolic link leads out of the container`() throws {
        let world = try World()
        let outside = "\(world.directory)/group/x.db"
        try world.tinyBase(file: "../group/x.db").end()
        try FileManager.default.createSymbolicLink(atPath: world.real("x.db"), withDestinationPath: outside)
        let link = FileError.notRegular(place("x.db"), .symbolicLink)
        expectFault(.file(link)) { _ = try world.read() }
        expectFault(.file(link)) { try world.swap("1", to: "2") }
        try FileManager.default.createSymbolicLink(
            atPath: world.real("d"),
            withDestinationPath: "\(world.directory)/group"
        )
        let below = DatabaseDocument.tinyBase(place("d/x.db"))
        #expect(throws: DatabaseFault.self) { _ = try world.read(below) }
        #expect(throws: DatabaseFault.self) { try world.swap(nil, to: "2", in: below) }
        #expect(try world.shell("SELECT store FROM tinybase", file: "../group/x.db") == "1")
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `A link or directory in place of SQLite's own files is refused`(suffix: String) throws {
        let world = try World()
        try world.tinyBase().end()
        let name = "x.db\(suffix)"
        try FileManager.default.createSymbolicLink(
            atPath: world.real(name),
            withDestinationPath: "\(world.directory)/group/victim"
        )
        expectFault(.file(.notRegular(place(name), .symbolicLink))) { _ = try world.read() }
        try FileManager.default.removeItem(atPath: world.real(name))
        #expect(try world.read() == "1")
    }

    @Test func `A container reached through a link is no obstacle`() throws {
        let world = try World()
        try world.tinyBase().end()
        let link = "\(world.directory)/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: "\(world.directory)/app"
        )
        let store = DatabaseStore(world.files, container: link, maxBytes: 100, syncs: false)
        let reading = try store.read(world.tinyBase, unless: nil, mayWait: true, isKnown: true)
        guard case .content(let content) = reading else { throw AppFailure(text: "\(reading)") }
        #expect(content.bytes == Array("1".utf8))
    }
}
