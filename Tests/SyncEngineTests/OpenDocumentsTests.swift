import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Testing

/// How long a program that has a document open for writing is waited for; without an engine.
@Suite struct OpenDocumentsTests {
    private let disk = SimulatedDisk()
    private let file = inApp("a.json")

    /// A read found it open for writing.
    private func waiting() -> OpenDocuments {
        disk.world.save(file, Array("half".utf8))
        var open = OpenDocuments()
        open.record(file.path, beingWritten: [.app], isChanging: false, at: .zero, in: BothSides(of: disk))
        return open
    }

    @Test func `an open document is waited for until it has been unchanged for two seconds`() {
        var open = waiting()
        #expect(open.mayWait(for: file) && open.open(of: file.path) == [file])
        open.look(at: file.path, at: .milliseconds(1_500), in: BothSides(of: disk))
        #expect(open.mayWait(for: file))
        disk.world.save(file, Array("more".utf8))
        open.look(at: file.path, at: .seconds(2), in: BothSides(of: disk))
        #expect(open.mayWait(for: file))
        open.look(at: file.path, at: .seconds(4), in: BothSides(of: disk))
        #expect(!open.mayWait(for: file) && open.isOverdue(file))
    }

    @Test func `a program that writes without end is waited for only a limited time`() {
        var open = waiting()
        for look in 1...30 {
            #expect(!open.isOverdue(file))
            disk.world.save(file, Array("\(look)".utf8))
            open.look(at: file.path, at: .milliseconds(400 * look), in: BothSides(of: disk))
        }
        #expect(open.isOverdue(file))
    }

    @Test func `the interval between checks grows with the time without change, within limits`() {
        let open = waiting()
        #expect(open.nextLook(at: file.path, at: .zero) == .milliseconds(20))
        #expect(open.nextLook(at: file.path, at: .milliseconds(100)) == .milliseconds(200))
        #expect(open.nextLook(at: file.path, at: .seconds(1)) == .milliseconds(1_250))
        #expect(open.nextLook(at: file.path, at: .milliseconds(1_900)) == .seconds(2))
    }

    @Test func `a document is forgotten once neither side is open or changing`() {
        var open = waiting()
        open.record(file.path, beingWritten: [], isChanging: true, at: .zero, in: BothSides(of: disk))
        #expect(open.contains(file))
        open.record(file.path, beingWritten: [], isChanging: false, at: .zero, in: BothSides(of: disk))
        #expect(!open.contains(file))
    }

    @Test func `a dry run does not wait`() {
        var open = waiting()
        open.waitsForWriters = false
        #expect(!open.mayWait(for: file))
    }

    @Test func `a program that only has the document open does not prevent a replacement`() {
        var open = waiting()
        let isInTheWay = open.isInTheWay(file, at: .zero, in: BothSides(of: disk))
        #expect(!isInTheWay)
        #expect(open.nextTry(of: file.path, at: .zero) == nil)
    }
}
