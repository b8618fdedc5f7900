import DatabaseStore
import FileSystemSimulation
import Model
import Replica
import Stores
import Testing

@Suite struct DatabaseFaultTests {
    @Test func `What another mount hides is not absent`() throws {
        let disk = SimulatedDisk()
        let store = DatabaseStore(disk, container: "/", maxBytes: 100, syncs: false)
        let document = DatabaseDocument.tinyBase(place("d/x.db"))
        disk.world.makeDirectory(place("d"))
        #expect(try store.signature(of: document, isKnown: true) == nil)
        disk.world.mount(over: place("d"))
        #expect(try store.signature(of: document, isKnown: false) == nil)
        expectFault(.mountPoint) { _ = try store.signature(of: document, isKnown: true) }
        expectFault(.mountPoint) {
            _ = try store.read(document, unless: nil, mayWait: true, isKnown: true)
        }
    }

    @Test func `Faults that a replica can express become its obstacles`() {
        let file = place("x.db")
        #expect(DatabaseFault.mountPoint.obstacle(of: file) == .mountPoint)
        #expect(DatabaseFault.beingWritten.obstacle(of: file) == .beingWritten)
        #expect(DatabaseFault.changing.obstacle(of: file) == .changing)
        #expect(DatabaseFault.tooLarge(bytes: 9, limit: 8).obstacle(of: file) == .tooLarge(9))
        #expect(DatabaseFault.tooLarge(bytes: nil, limit: 8).obstacle(of: file) == .tooLarge(9))
        let link = FileError.notRegular(file, .symbolicLink)
        #expect(DatabaseFault.file(link).obstacle(of: file) == .notRegular(.symbolicLink))
        let other = FileError.notRegular(place("x.db-wal"), .symbolicLink)
        #expect(DatabaseFault.file(other).obstacle(of: file) == .unreadable(other))
        let busy = FileError.system(errno: 16, .lock, file)
        #expect(DatabaseFault.busy.obstacle(of: file) == .unreadable(busy))
        #expect(DatabaseFault.busy.fileError(of: file) == busy)
        #expect(DatabaseFault.notADatabase.obstacle(of: file) == nil)
    }

    @Test func `Texts name the table, the column, the key and both types`() {
        let fault = DatabaseFault.wrongType(DatabaseColumn("t\"\n", "v"), key: "a\u{1b}", found: .integer)
        #expect(
            fault.text == #"""
                the value of "t"\x0a"."v" for the key "a\x1b" is integer; expected is text or blob
                """#
        )
        let view = DatabaseFault.notATable("t", found: .view)
        #expect(view.text == #""t" is a view, not a table"#)
    }
}
