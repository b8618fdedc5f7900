import DatabaseStore
import FileSystem
import Foundation
import Model
import Stores
import TestWorld
import Testing

@Suite struct CopierTests {
    private let source = place("x.db")
    private let target = place("y.db", .group)
    private let temporary = place(".widgetbridge-copy", .group)

    private func copy(_ world: World) throws {
        let size = try world.copier.copy(source, to: target, through: temporary)
        let status = try world.files.status(of: target)
        #expect(size == status.signature.size)
    }

    private func names(_ world: World) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(world.directory)/group").sorted()
    }

    @Test(arguments: modes)
    func `A copy has the last commit of a running app, and none of its files change`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        try app.run("db.execute('PRAGMA user_version = 7')")
        try app.run("db.execute('CREATE VIRTUAL TABLE search USING fts5(text)')")
        try app.run("db.execute('INSERT INTO search VALUES (\"water the plants\")')")
        try app.save("2")
        try world.run("chmod 640 x.db")
        let before = try world.files.status(of: source)
        try copy(world)
        #expect(try world.files.status(of: source).signature == before.signature)
        #expect(try names(world) == ["y.db"])
        #expect(try world.files.status(of: target).mode == 0o640)
        let sql = """
            PRAGMA integrity_check; SELECT store FROM tinybase; PRAGMA user_version;
            SELECT count(*) FROM search('plants');
            """
        #expect(try world.shell(sql, file: "../group/y.db") == "ok\n2\n7\n1")
        try world.copier.compare(source, with: target)
        try app.save("3")
        #expect(throws: DatabaseCopier.Fault.differs(table: "tinybase")) {
            try world.copier.compare(source, with: target)
        }
        try app.run("db.execute('CREATE TABLE more (a)')")
        #expect(throws: DatabaseCopier.Fault.differs(table: "sqlite_master")) {
            try world.copier.compare(source, with: target)
        }
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `What a killed program did not commit is not copied`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        try app.spill("2")
        app.kill()
        try copy(world)
        #expect(try world.shell("SELECT store FROM tinybase", file: "../group/y.db") == "1")
        #expect(try world.shell("SELECT store FROM tinybase") == "1")
    }

    @Test(arguments: ["y.db", "y.db-wal", "y.db-journal", "y.db-shm"])
    func `Nothing is overwritten, and no file that would become a part of the copy`(name: String) throws {
        let world = try World()
        try world.tinyBase().end()
        try world.run("echo mine > ../group/\(name)")
        #expect(throws: DatabaseCopier.Fault.exists(place(name, .group))) { try copy(world) }
        #expect(try names(world) == [name])
    }

    @Test func `What a killed copy left is replaced`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        let name = "../group/\(temporary.path)"
        try world.run("cp x.db \(name); cp x.db-wal \(name)-wal; echo torn > \(name)-journal")
        try app.save("2")
        try copy(world)
        #expect(try names(world) == ["y.db"])
        #expect(try world.shell("SELECT store FROM tinybase", file: "../group/y.db") == "2")
    }

    @Test func `A failed copy leaves nothing`() throws {
        let world = try World()
        #expect(throws: DatabaseCopier.Fault.missing(source)) { try copy(world) }
        let app = try world.tinyBase()
        try app.run("db.execute('BEGIN EXCLUSIVE')")
        #expect(throws: DatabaseCopier.Fault.source(.busy)) { try copy(world) }
        try app.end()
        try world.run("echo '{}' > x.db")
        #expect(throws: DatabaseCopier.Fault.source(.notADatabase)) { try copy(world) }
        #expect(try names(world) == [])
    }

    @Test func `A corrupt database is not copied`() throws {
        let world = try World()
        let app = try world.tinyBase()
        try app.run("db.execute('CREATE INDEX i ON tinybase (store)')")
        try app.run("db.execute('PRAGMA writable_schema = ON')")
        // The index of another table: readable, and wrong.
        try app.run("db.execute('CREATE TABLE z (a)')")
        try app.run("db.execute('CREATE INDEX j ON z (a)')")
        let swapped =
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = \"j\")"
        try app.run("db.execute('\(swapped) WHERE name = \"i\"')")
        try app.end()
        do {
            try copy(world)
            Issue.record("it was copied")
        } catch DatabaseCopier.Fault.broken(let what) {
            #expect(!what.isEmpty)
        }
        #expect(try names(world) == [])
    }
}

extension World {
    var copier: DatabaseCopier {
        DatabaseCopier(files, containers: [.app: "\(directory)/app", .group: "\(directory)/group"])
    }
}
