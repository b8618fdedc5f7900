import DatabaseStore
import Foundation
import Model
import Replica
import Stores
import TestWorld
import Testing

@Suite struct ReplacedTests {
    @Test(arguments: modes)
    func `A deleted database is absent, and nothing keeps it open`(mode: String) throws {
        let world = try World()
        let app = try world.tinyBase(mode)
        #expect(try world.read() == "1")
        try app.end()
        #expect(world.openNames().contains("x.db"))
        try world.delete("x.db")
        #expect(try world.read() == nil)
        #expect(world.openNames() == [])
        #expect(try world.names() == [])
    }

    @Test(arguments: modes, modes)
    func `A database that replaces another is read, and keeps its own log`(old: String, new: String) throws {
        let world = try World()
        let app = try world.tinyBase(old, "old")
        #expect(try world.read() == "old")
        try app.end()
        try world.delete("x.db")
        let other = try world.tinyBase(new, "new")
        let names = try world.names()
        #expect(try world.read() == "new")
        #expect(try world.names() == names)
        try other.save("newer")
        #expect(try world.swap("newer", to: "2") == ["newer"])
        #expect(try other.value("SELECT store FROM tinybase") == "[('2',)]")
        world.store.close()
        #expect(try other.value("PRAGMA integrity_check") == "[('ok',)]")
    }

    @Test func `A backup that is restored in place does not get the content of the old log`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        try app.run("db.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
        #expect(try world.read() == "1")
        try world.run("cp x.db backup")
        try app.save("2")
        #expect(try world.read() == "2")
        app.kill()
        // The same inode, as a backup program may do it.
        try world.run("cat backup > x.db && rm x.db-wal x.db-shm")
        #expect(try world.read() == "1")
        world.store.close()
        #expect(try world.shell("PRAGMA integrity_check; SELECT store FROM tinybase") == "ok\n1")
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `A commit to a database that was replaced meanwhile does not count`(mode: String) throws {
        let world = try World()
        try world.tinyBase(mode, "new", file: "y.db").end()
        let app = try world.tinyBase(mode)
        #expect(try world.read() == "1")
        try app.end()
        let outcome = try world.store.swap(
            world.tinyBase,
            to: Array("2".utf8),
            over: Digest(of: Array("1".utf8))
        ) { _ in try? world.run("rm -f x.db-wal x.db-shm && mv y.db x.db") }
        #expect(outcome == .raced)
        #expect(try world.read() == "new")
        #expect(try world.shell("PRAGMA integrity_check; SELECT store FROM tinybase") == "ok\nnew")
    }

    /// What other programs do between two looks, and what the row has then.
    private static let changes: [(line: String, row: String?)] = [
        ("rm -f x.db-wal x.db-shm && mv y.db x.db", "new"),
        ("rm -f x.db-wal x.db-shm && cat backup > x.db", "1"),
        ("rm -f x.db-wal x.db-shm", "1"),
        ("rm -f x.db x.db-wal x.db-shm", nil),
    ]

    @Test(arguments: changes)
    func `A database that changes right after its signature is not read as it was`(
        line: String,
        row: String?
    ) throws {
        let world = try World()
        try world.tinyBase("WAL", "new", file: "y.db").end()
        let app = try world.tinyBase("WAL")
        try app.run("db.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
        try world.run("cp x.db backup")
        #expect(try world.read() == "1")
        try app.save("2")
        app.kill()
        #expect(try world.read() == "2")
        let seen = try #require(try world.signature())
        try world.run(line)
        #expect(try world.read(seen: seen) == row)
        // Nor later, by who has not looked since.
        #expect(try world.read(seen: seen) == row)
    }

    @Test func `A checkpoint of another program right after the signature hides nothing`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        #expect(try world.read() == "1")
        try app.save("2")
        let seen = try #require(try world.signature())
        _ = app.attempt("db.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
        #expect(try world.read(seen: seen) == "2")
        let after = try #require(try world.signature())
        try app.save("3")
        #expect(try world.signature() != after)
        #expect(try world.read(seen: after) == "3")
    }

    @Test func `A save after the bridge's commit alters the signature that the commit returned`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        let bytes = [Array("1".utf8), Array("2".utf8)]
        let outcome = try world.store.swap(world.tinyBase, to: bytes[1], over: Digest(of: bytes[0])) { _ in }
        guard case .swapped(let signature?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try world.signature() == signature)
        try app.save("3")
        #expect(try world.signature() != signature)
        // What is not committed yet must not count as seen.
        try app.run("db.execute('BEGIN IMMEDIATE')")
        try app.run("db.execute(\"UPDATE tinybase SET store = '4'\")")
        #expect(throws: DatabaseFault.busy) { try world.swap("3", to: "5") }
        try app.run("db.execute('COMMIT')")
        #expect(try world.read() == "4")
    }

    @Test func `An app may give up its log once the bridge has closed the database`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        #expect(try world.read() == "1")
        // Also shows that looking drops no lock of SQLite's: it is still connected.
        for _ in 0..<3 { _ = try world.signature() }
        #expect(app.attempt("db.execute('PRAGMA journal_mode = DELETE')") == "database is locked")
        world.store.close()
        try app.run("db.execute('PRAGMA journal_mode = DELETE')")
        #expect(try world.read() == "1")
        try app.run("db.execute('PRAGMA journal_mode = WAL')")
        try app.save("2")
        #expect(try world.read() == "2")
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `No save is lost while an app and the bridge write at the same time`(mode: String) async throws {
        let world = try World()
        let app = try world.tinyBase(mode, "0")
        let count = 100
        try app.run("db.execute('PRAGMA busy_timeout = 10000')")
        let increment = "UPDATE tinybase SET store = CAST(store + 1 AS TEXT)"
        async let saved: String? = onThread {
            app.attempt("[db.execute('\(increment)') for _ in range(\(count))]")
        }
        var done = 0
        while done < count {
            do {
                guard let number = try world.read(mayWait: false).flatMap({ Int($0) }) else { break }
                if try world.swap("\(number)", to: "\(number + 1)") != nil { done += 1 }
            } catch DatabaseFault.busy {}
        }
        let failure = await saved
        #expect(failure == nil)
        #expect(try world.read() == "\(2 * count)")
        #expect(try world.shell("PRAGMA integrity_check") == "ok")
    }
}

extension World {
    /// A database, as apps delete it.
    func delete(_ name: String) throws { try run("rm -f \(name) \(name)-wal \(name)-shm \(name)-journal") }

    /// A command of other programs, in the container.
    func run(_ line: String) throws {
        let ended = try Running(command: ["/bin/sh", "-c", line], in: "\(directory)/app").waitForEnd()
        try #require(ended.status == 0, "\(ended.errors)")
    }

    /// The files of this container that this process has open, deleted ones included.
    func openNames() -> Set<String> {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let paths = numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        let prefix = "\(directory)/app/"
        return Set(paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }
}
