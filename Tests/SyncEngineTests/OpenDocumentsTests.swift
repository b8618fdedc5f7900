import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Testing

/// For how long a program that has a document open for writing is waited for, without an engine.
@Suite struct OpenDocumentsTests {
    private let disk = SimulatedDisk()
    private let file = inApp("a.json")

    /// A look found it open for writing.
    private func waiting() -> OpenDocuments {
        disk.world.save(file, Array("half".utf8))
        var open = OpenDocuments()
        open.note(file.path, beingWritten: [.app], isChanging: false, at: .zero, in: BothSides(of: disk))
        return open
    }

    @Test func `it is waited for until it has been unchanged for two seconds`() {
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

    @Test func `who writes without end is not waited for without end`() {
        var open = waiting()
        for look in 1...30 {
            #expect(!open.isOverdue(file))
            disk.world.save(file, Array("\(look)".utf8))
            open.look(at: file.path, at: .milliseconds(400 * look), in: BothSides(of: disk))
        }
        #expect(open.isOverdue(file))
    }

    @Test func `looks are as far apart as it has been unchanged, within bounds`() {
        let open = waiting()
        #expect(open.nextLook(at: file.path, at: .zero) == .milliseconds(20))
        #expect(open.nextLook(at: file.path, at: .milliseconds(100)) == .milliseconds(200))
        #expect(open.nextLook(at: file.path, at: .seconds(1)) == .milliseconds(1_250))
        #expect(open.nextLook(at: file.path, at: .milliseconds(1_900)) == .seconds(2))
    }

    @Test func `it is forgotten once a look finds neither side open or changing`() {
        var open = waiting()
        open.note(file.path, beingWritten: [], isChanging: true, at: .zero, in: BothSides(of: disk))
        #expect(open.contains(file))
        open.note(file.path, beingWritten: [], isChanging: false, at: .zero, in: BothSides(of: disk))
        #expect(!open.contains(file))
    }

    @Test func `a look that only takes a look waits for nobody`() {
        var open = waiting()
        open.waitsForWriters = false
        #expect(!open.mayWait(for: file))
    }

    @Test func `who only has it open is not in the way of a replacement`() {
        var open = waiting()
        let isInTheWay = open.isInTheWay(file, at: .zero, in: BothSides(of: disk))
        #expect(!isInTheWay)
        #expect(open.nextTry(of: file.path, at: .zero) == nil)
    }
}
