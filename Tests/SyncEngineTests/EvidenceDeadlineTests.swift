import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A helper that does not report access events.
@Suite struct EvidenceDeadlineTests {
    @Test func `without an answer a publication counts as read`() throws {
        let disk = SimulatedDisk()
        disk.world.save(inApp("a.json"), Array(#"{"n":1}"#.utf8))
        let process = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        process.engine.tracksAccess = true
        process.live()
        disk.world.save(inApp("a.json"), Array(#"{"n":2}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"))
        disk.world.save(inGroup("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"), for: .seconds(1))
        #expect(process.engine.hasQuestions && !process.engine.isSettled)
        process.engine.asked(1, at: process.now)
        process.proceed(for: .milliseconds(4_500))
        #expect(disk.text(inApp("a.json")) == #"{"n":2,"m":1}"#)
        #expect(process.engine.isSettled && !process.engine.hasQuestions)
    }
}
