import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Changes within one tick share a time stamp, and time stamps or the clock may be wrong.
@Suite struct WrongClockTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func process() throws -> LivingEngine {
        disk.now = 1_768_746_600_120_000_000
        disk.timestampGrain = .milliseconds(10)
        disk.world.save(inApp("a.json"), Array(#"{"n":1}"#.utf8))
        let process = try LivingEngine(disk, journal)
        process.live()
        return process
    }

    /// The process is idle, and reads nothing.
    private func expectRest(of process: LivingEngine) {
        #expect(process.engine.isSettled)
        var reads = 0
        disk.meanwhile = { call, _ in if call == .read { reads += 1 } }
        process.proceed(for: .seconds(10))
        process.live()
        #expect(process.engine.isSettled && reads == 0)
        disk.meanwhile = { _, _ in }
    }

    @Test func `a modification time in the future is trusted after a tick`() throws {
        let process = try process()
        disk.world.save(inApp("a.json"), Array(#"{"n":2}"#.utf8))
        disk.world.setModified(inApp("a.json"), to: disk.now + 3_600_000_000_000)
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(200))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2}"#)
        expectRest(of: process)
    }

    @Test func `a clock that is set back changes no trusted time`() throws {
        let process = try process()
        process.setClock(by: .seconds(-3_600))
        process.live()
        expectRest(of: process)
    }

    @Test func `files from before the clock was set back are trusted after a tick`() throws {
        let process = try process()
        disk.world.save(inApp("a.json"), Array(#"{"n":2}"#.utf8))
        disk.world.save(inGroup("b.json"), Array(#"{"n":3}"#.utf8))
        process.setClock(by: .seconds(-3_600))
        process.live()
        #expect(disk.text(inGroup("a.json")) == #"{"n":2}"#)
        #expect(disk.text(inApp("b.json")) == #"{"n":3}"#)
        expectRest(of: process)
    }

    @Test func `a second save within the tick is found`() throws {
        let process = try process()
        for lead in [0, 3_600_000_000_000] as [Int64] {
            for n in 2...6 {
                disk.world.overwrite(inApp("a.json"), Array(#"{"n":\#(n)}"#.utf8))
                if lead > 0 { disk.world.setModified(inApp("a.json"), to: disk.now + lead) }
                process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(n))
            }
            process.proceed(for: .milliseconds(100))
            #expect(disk.text(inGroup("a.json")) == #"{"n":6}"#)
            #expect(process.engine.isSettled)
        }
    }
}
