import FileSystem
import FileSystemSimulation
import Glibc
import Model
import StateStore
import SyncEngine
import Testing

/// A container is recognized by a mark on its root; without file attributes by its device and inode.
@Suite struct IdentityTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func text(_ place: Location) -> String? { disk.text(place) }

    private func mark(_ root: Root) -> String? {
        (try? disk.attribute("widgetbridge.container", at: root)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whatever identifies the directory, it is another one.
    private func expectAnother(_ halt: Halt?) {
        guard halt?.side == .app, case .replaced = halt?.reason else {
            Issue.record("\(String(describing: halt))")
            return
        }
    }

    /// Three documents in sync.
    private func settled() throws -> LivingEngine {
        for name in ["a", "b", "c"] { disk.world.save(inApp("\(name).json"), Array("1".utf8)) }
        let process = try LivingEngine(disk, journal)
        #expect(process.live() == nil)
        #expect(text(inGroup("c.json")) == "1")
        return process
    }

    @Test func `the first turn marks both containers, each with its own mark, and changes nothing else`()
        throws
    {
        let process = try settled()
        let changes = process.done.count
        let marks = [mark(.app), mark(.group)].compactMap(\.self)
        #expect(Set(marks).count == 2 && marks.allSatisfy { $0.hasPrefix("bridge-") })
        #expect(process.live() == nil)
        #expect(process.done.count == changes)
        #expect([mark(.app), mark(.group)] == marks)
        #expect(mark(.state) == nil)
    }

    @Test func `a dry run marks nothing`() throws {
        #expect(try LivingEngine(disk, journal).engine.rehearsed().halt == nil)
        #expect(mark(.app) == nil)
    }

    @Test func `an existing mark is accepted`() throws {
        try disk.addAttribute("widgetbridge.container", to: .app, Array("another's".utf8))
        #expect(try settled().live() == nil)
        #expect(mark(.app) == "another's")
        #expect(try LivingEngine(disk, journal).live() == nil)
    }

    @Test func `a container restored from a copy is synced, with the changes since`()
        throws
    {
        let process = try settled()
        disk.world.restoreRoot(.app)
        disk.world.removeOpenRoot(.app)
        disk.world.save(inApp("a.json"), Array("2".utf8))
        disk.world.delete(inApp("b.json"))
        #expect(process.live() == nil)
        #expect(text(inGroup("a.json")) == "2" && text(inGroup("b.json")) == nil)
        disk.world.save(inGroup("c.json"), Array("3".utf8))
        #expect(process.live() == nil)
        #expect(text(inApp("c.json")) == "3")
    }

    @Test func `a copy of a container that still exists is not the container`() throws {
        let process = try settled()
        disk.world.restoreRoot(.app)
        disk.world.delete(inApp("b.json"))
        expectAnother(process.live())
        #expect(text(inGroup("b.json")) == "1")
        disk.world.removeOpenRoot(.app)
        #expect(process.live() == nil)
        #expect(text(inGroup("b.json")) == nil)
    }

    @Test(arguments: [true, false])
    func `another directory halts the bridge, and the old one continues it`(_ canMark: Bool) throws {
        disk.canMarkRoots = canMark
        let process = try settled()
        disk.world.replaceRoot(.app)
        disk.world.save(inApp("new.json"), Array("9".utf8))
        expectAnother(process.live())
        #expect(text(inGroup("a.json")) == "1" && text(inGroup("new.json")) == nil)
        disk.world.putBackRoot(.app)
        disk.world.save(inApp("a.json"), Array("2".utf8))
        #expect(process.live() == nil)
        #expect(text(inGroup("a.json")) == "2" && text(inGroup("new.json")) == nil)
    }

    @Test(arguments: [true, false])
    func `another directory that a person allows is the container, and no document is lost`(
        _ canMark: Bool
    ) throws {
        disk.canMarkRoots = canMark
        let process = try settled()
        disk.world.replaceRoot(.app)
        disk.world.save(inApp("a.json"), Array("2".utf8))
        process.live()
        let allowed = try process.allow()
        #expect(allowed == Allowed(side: .app, documents: [], takesContainer: true))
        #expect(process.live() == nil)
        for root in [Root.app, .group] {
            #expect(
                disk.world.files(root).map { String(decoding: $0.bytes, as: UTF8.self) } == ["2", "1", "1"]
            )
        }
        disk.world.delete(inApp("b.json"))
        #expect(process.live() == nil)
        #expect(text(inGroup("b.json")) == nil)
        #expect((mark(.app) != nil) == canMark)
        #expect(try LivingEngine(disk, journal).live() == nil)
    }

    @Test func `only the allowed directory is accepted`() throws {
        let process = try settled()
        disk.world.replaceRoot(.app)
        process.live()
        disk.world.replaceRoot(.app)
        #expect(throws: DecisionFailure.unknown) { try process.allow() }
        process.live()
        #expect(try process.allow().takesContainer)
    }

    @Test func `a directory that replaced a container between two runs halts the bridge as well`() throws {
        _ = try settled()
        disk.world.removeRoot(.app)
        disk.world.replaceRoot(.app)
        disk.world.save(inApp("a.json"), Array("2".utf8))
        let process = try LivingEngine(disk, journal)
        let foreseen = process.engine.rehearsed().halt
        guard foreseen?.side == .app, case .unmarked = foreseen?.reason else {
            Issue.record("\(String(describing: foreseen))")
            return
        }
        #expect(process.live() == foreseen)
        #expect(text(inGroup("a.json")) == "1" && text(inGroup("b.json")) == "1")
        #expect(try process.allow().takesContainer)
        #expect(process.live() == nil)
        #expect(text(inGroup("a.json")) == "2" && text(inApp("b.json")) == "1")
    }

    @Test func `a container that was moved between two runs is synced`() throws {
        _ = try settled()
        disk.world.restoreRoot(.app)
        disk.world.save(inApp("a.json"), Array("2".utf8))
        #expect(try LivingEngine(disk, journal).live() == nil)
        #expect(text(inGroup("a.json")) == "2")
    }

    @Test func `a directory cannot be both containers, even with both marks`() throws {
        for root in [Root.app, .group] {
            try disk.addAttribute("widgetbridge.container", to: root, Array("copied".utf8))
        }
        let process = try settled()
        disk.world.removeRoot(.app)
        disk.world.bind(.group, at: .app)
        #expect(process.live() == Halt(side: .app, reason: .isOther))
        #expect(process.engine.permit == nil)
        #expect(text(inGroup("a.json")) == "1")
    }

    @Test func `an unreadable mark is not another mark`() throws {
        let process = try settled()
        disk.fail = { call, place in call == .stat && place == nil ? .error(EIO) : nil }
        let error = FileError.directory(errno: EIO, .stat, Directory(.group))
        #expect(process.live() == Halt(side: .group, reason: .unreachable(error)))
        disk.fail = { _, _ in nil }
        #expect(process.live() == nil)
    }
}
