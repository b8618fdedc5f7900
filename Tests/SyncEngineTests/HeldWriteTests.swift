import FileSystem
import FileSystemSimulation
import Glibc
import Model
import StateStore
import SyncEngine
import Testing

/// A document that cannot be written, since the disk is full.
@Suite struct HeldWriteTests {
    private let disk = SimulatedDisk()
    private let living: LivingEngine
    private let attempts = Attempts()

    private final class Attempts {
        var count = 0
        var areRefused = true
    }

    init() throws {
        disk.world.save(inApp("a.json"), Array("1".utf8))
        living = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        living.live()
        disk.fail = { [attempts] call, place in
            guard call == .create, place?.root == .group, attempts.areRefused else { return nil }
            attempts.count += 1
            return .error(ENOSPC)
        }
        disk.world.save(inApp("a.json"), Array("2".utf8))
        living.proceed(hearingOf: inApp("a.json"), for: .seconds(60))
    }

    @Test func `is tried again at growing intervals, and reported once`() throws {
        #expect((3...12).contains(attempts.count))
        let held = living.done.filter { if case .held = $0.reason { true } else { false } }
        #expect(held.count == 1)
        let row = try #require(living.engine.rows().first)
        #expect(row.state == .held)
        let place = inGroup("a.json")
        #expect(row.reason == .held(.unwritable(.system(errno: ENOSPC, .create, place))))
    }

    @Test func `is written once there is room`() {
        attempts.areRefused = false
        living.proceed(for: .seconds(60))
        #expect(disk.text(inGroup("a.json")) == "2")
        #expect(living.engine.isSettled)
    }
}
