import DatabaseStore
import Foundation
import Model
import Replica
import Stores
import TestWorld
import Testing

@Suite struct LockTests {
    @Test(arguments: modes)
    func `A database locked by another program is busy until it is free, and nobody waits`(mode: String)
        throws
    {
        let world = try World()
        let app = try world.tinyBase(mode)
        #expect(try world.read() == "1")
        try app.run("db.execute('BEGIN IMMEDIATE')")
        let start = ContinuousClock.now
        expectFault(.busy) { try world.swap("1", to: "2") }
        #expect(ContinuousClock.now - start < .seconds(1))
        // It has written nothing yet.
        #expect(try world.read() == "1")
        try app.run("db.execute('UPDATE tinybase SET store = 9')")
        try app.run("db.execute('ROLLBACK')")
        #expect(try world.swap("1", to: "2") == ["1"])
        #expect(try world.read() == "2")
    }

    @Test func `A database that is locked exclusively is being written, or busy`() throws {
        let world = try World()
        let app = try world.tinyBase()
        #expect(try world.read() == "1")
        let signature = try world.signature()
        try app.run("db.execute('BEGIN EXCLUSIVE')")
        expectFault(.beingWritten) { _ = try world.read() }
        expectFault(.busy) { _ = try world.read(mayWait: false) }
        #expect(try world.signature() == signature)
        try app.run("db.execute('COMMIT')")
        #expect(try world.read() == "1")
    }

    @Test func `What a program has written to the log, but not committed, is waited for`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        #expect(try world.read() == "1")
        try app.spill("2")
        expectFault(.beingWritten) { _ = try world.read() }
        let overdue = try #require(try world.content(mayWait: false))
        #expect(overdue.bytes == Array("1".utf8))
        // Nothing happens to the files when the change becomes visible.
        #expect(try world.signature() != overdue.signature)
        try app.run("db.execute('COMMIT')")
        #expect(try world.read() == "2")
        #expect(try world.content()?.signature == world.signature())
    }

    @Test func `A program that reads keeps the database as it is`() throws {
        let world = try World()
        let app = try world.tinyBase()
        #expect(try world.read() == "1")
        try app.run("db.execute('BEGIN')")
        #expect(try app.value("SELECT store FROM tinybase") == "[('1',)]")
        var kept = 0
        for _ in 0..<3 { expectFault(.busy) { try world.swap("1", to: "2") { kept += 1 } } }
        // Further attempts begin nothing that would change a file.
        #expect(kept == 1)
        #expect(try app.value("SELECT store FROM tinybase") == "[('1',)]")
        try app.run("db.execute('COMMIT')")
        #expect(try world.swap("1", to: "2") == ["1"])
    }

    @Test(arguments: modes)
    func `Between calls the bridge hinders nobody`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        for number in 1..<5 {
            #expect(try world.read() == "\(number)")
            try app.run("db.execute('BEGIN')")
            _ = try app.value("SELECT * FROM tinybase")
            try app.run("db.execute('UPDATE tinybase SET store = \"\(number)x\"')")
            try app.run("db.execute('COMMIT')")
            #expect(try world.swap("\(number)x", to: "\(number + 1)") == ["\(number)x"])
        }
        try app.run("db.execute('VACUUM')")
        #expect(try world.read() == "5")
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `What a killed program did not commit is undone`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        #expect(try world.read() == "1")
        try app.spill("2")
        if mode == "DELETE" { #expect(world.exists("x.db-journal")) }
        app.kill()
        #expect(try world.read() == "1")
        #expect(!world.exists("x.db-journal"))
        #expect(try world.content()?.signature == world.signature())
        #expect(try world.swap("1", to: "3") == ["1"])
        #expect(try world.shell("PRAGMA integrity_check; SELECT store FROM tinybase") == "ok\n3")
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `A bridge killed before its commit has changed nothing`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        let bridge = try world.bridge(["swap", "x.db", "1", "2"])
        #expect(bridge.waitForLine() == "kept")
        #expect(app.attempt("db.execute('BEGIN IMMEDIATE')") == "database is locked")
        bridge.send(SIGKILL)
        #expect(bridge.waitForEnd().status == 128 + SIGKILL)
        #expect(try app.value("SELECT store FROM tinybase") == "[('1',)]")
        try app.save("3")
        #expect(try world.read() == "3")
    }

    @Test func `A save that waits for the bridge's commit follows it`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        let bridge = try world.bridge(["swap", "x.db", "1", "2"])
        #expect(bridge.waitForLine() == "kept")
        expectFault(.busy) { try world.swap("1", to: "3") }
        bridge.say("")
        #expect(bridge.waitForLine() == "swapped")
        #expect(try world.swap("1", to: "3") == nil)
        #expect(try world.swap("2", to: "3") == ["2"])
        #expect(try app.value("SELECT store FROM tinybase") == "[('3',)]")
    }
}

extension App {
    /// Writes more than its cache holds, so that it writes to the files before it commits.
    func spill(_ text: String) throws {
        try run("db.execute('PRAGMA cache_size = 2')")
        try run("db.execute('BEGIN IMMEDIATE')")
        try run("db.execute('CREATE TABLE IF NOT EXISTS filler (x)')")
        try run("db.execute('UPDATE tinybase SET store = ?', ('\(text)',))")
        try run("db.executemany('INSERT INTO filler VALUES (?)', [('x' * 3000,)] * 100)")
    }
}

extension World {
    /// The bridge's store in another process.
    func bridge(_ arguments: [String], through wrapper: [String] = []) throws -> Running {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "DatabaseProgram").path
        let container = "\(directory)/app"
        return try Running(
            command: wrapper + [program, arguments[0], container] + arguments.dropFirst()
        )
    }
}
