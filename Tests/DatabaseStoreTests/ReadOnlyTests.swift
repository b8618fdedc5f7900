import DatabaseStore
import Foundation
import Model
import Stores
import TestWorld
import Testing

/// The bridge has no right to write: its store runs in a process of another user, or of a user who is not
/// root.
@Suite struct ReadOnlyTests {
    private func outcome(_ world: World, _ arguments: [String]) throws -> String? {
        try world.run("chmod a-w . && chmod a-w,a+r x.db*; chmod a+x .")
        defer { try? world.run("chmod u+w .") }
        return try world.bridge(arguments, through: Wrapper.unprivileged).waitForLine()
    }

    @Test func `A database is read where nothing can be written`() throws {
        let world = try World()
        try world.tinyBase().end()
        #expect(try outcome(world, ["read", "x.db"]) == "1")
        #expect(try outcome(world, ["swap", "x.db", "1", "2"]) == "readOnly(needsRecovery: false)")
        #expect(try world.read() == "1")
    }

    @Test func `The log of a running app is read where nothing can be written`() throws {
        let world = try World()
        let app = try world.tinyBase("WAL")
        #expect(try outcome(world, ["read", "x.db"]) == "1")
        #expect(try outcome(world, ["swap", "x.db", "1", "2"]) == "readOnly(needsRecovery: false)")
        #expect(try app.value("SELECT store FROM tinybase") == "[('1',)]")
    }

    @Test func `What a killed program did not commit cannot be undone there, and is reported`() throws {
        let world = try World()
        let app = try world.tinyBase()
        try app.spill("2")
        app.kill()
        #expect(try outcome(world, ["read", "x.db"]) == "readOnly(needsRecovery: true)")
        #expect(world.exists("x.db-journal"))
    }

    @Test func `A database is written once that is allowed, although it was opened before`() throws {
        let world = try World()
        try world.tinyBase().end()
        try world.run("chmod a-w,a+r x.db && chmod a+rwx .")
        let bridge = try world.bridge(["read-and-swap", "x.db", "1", "2"], through: Wrapper.unprivileged)
        #expect(bridge.waitForLine() == "read")
        try world.run("chmod a+w x.db")
        bridge.say("")
        #expect(bridge.waitForLine() == "kept")
        bridge.say("")
        #expect(bridge.waitForLine() == "swapped")
        #expect(try world.read() == "2")
    }

    @Test func `A file that may not be read is reported`() throws {
        let world = try World()
        try world.tinyBase().end()
        try world.run("chmod 0 x.db")
        let line = try world.bridge(["read", "x.db"], through: Wrapper.unprivileged).waitForLine()
        let fault = DatabaseFault.file(.system(errno: EACCES, .open, place("x.db")))
        #expect(line == "\(fault)")
    }
}
