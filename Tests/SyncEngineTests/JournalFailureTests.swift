import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A journal that fails for a while, or for one call.
@Suite struct JournalFailureTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()

    private func save(_ text: String, _ place: Location) {
        disk.world.save(place, Array(text.utf8))
    }

    private func settled(_ names: [String] = ["a"], _ profile: Profile? = nil) throws
        -> LivingProcess<FaultyJournal>
    {
        for name in names { save(#"{"n":1}"#, inGroup("\(name).json")) }
        let process = try LivingProcess(disk, journal, profile: profile)
        #expect(process.live() == nil)
        return process
    }

    private func conflicts() -> Int {
        disk.world.files(.state).count { $0.path.description.hasPrefix("conflicts/") }
    }

    // MARK: Writing

    @Test func `the saves of a single program stay while the journal cannot be written`() throws {
        let process = try settled()
        journal.failsToWrite = { _ in true }
        for number in 2...3 {
            save("{\"n\":\(number)}", inGroup("a.json"))
            process.proceed(hearingOf: inGroup("a.json"))
            #expect(disk.text(inApp("a.json")) == "{\"n\":\(number)}")
        }
        #expect(process.engine.journal.failure == FaultyJournal.full)
        journal.failsToWrite = { _ in false }
        process.proceed()
        #expect(disk.text(inGroup("a.json")) == #"{"n":3}"#)
        #expect(conflicts() == 0 && process.engine.counters.merges == 0)
        let record = try #require(try journal.documents().first?.1)
        #expect(record == DocumentRecord(generation: 3, sides: record.sides))
        #expect(try LivingProcess(disk, journal).live() == nil)
        #expect(disk.text(inApp("a.json")) == #"{"n":3}"#)
    }

    @Test func `notices wait until the journal has them, and none is omitted`() throws {
        let process = try settled()
        let before = process.notices.count
        journal.failsToWrite = { _ in true }
        save(#"{"n":2}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        save(#"{"n":3}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect(process.notices.count == before)
        journal.failsToWrite = { _ in false }
        process.proceed()
        save(#"{"n":4}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect(process.notices.map(\.sequence) == Array(1...4))
        #expect(process.notices.map(\.generation) == Array(1...4))
        #expect(try journal.lastNotice() == 4)
    }

    @Test func `one failed transaction leaves no gap`() throws {
        let process = try settled()
        var isFirst = true
        journal.failsToWrite = { _ in
            defer { isFirst = false }
            return isFirst
        }
        for number in 2...5 {
            save("{\"n\":\(number)}", inGroup("a.json"))
            process.proceed(hearingOf: inGroup("a.json"))
        }
        #expect(process.notices.map(\.sequence) == Array(1...5))
    }

    @Test func `a write is tried again, less and less often, and a decision does not wait`() throws {
        let process = try settled()
        journal.failsToWrite = { _ in true }
        let before = journal.attempts
        save(#"{"n":2}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect((3...10).contains(journal.attempts - before))
        #expect(!process.engine.isSettled)
        #expect(process.engine.journal.trouble(at: process.now.uptime) == nil)
        for _ in 0..<2 { process.proceed() }
        #expect(process.engine.journal.trouble(at: process.now.uptime) == FaultyJournal.full)
        journal.failure = .broken(DatabaseFailure(code: 11, message: "malformed"))
        for _ in 0..<4 { process.proceed() }
        #expect(process.engine.journal.damage == journal.failure)
    }

    @Test func `no more is synced before it is recorded than fits in memory`() throws {
        let process = try settled()
        journal.failsToWrite = { _ in true }
        let padding = String(repeating: "x", count: 7 << 20)
        let names = (0..<8).map { "\($0).json" }
        for name in names {
            save("{\"p\":\"\(padding)\"}", inGroup(name))
            process.proceed(hearingOf: inGroup(name))
        }
        let carried = names.filter { disk.text(inApp($0)) != nil }
        #expect(carried == Array(names.prefix(5)))
        #expect(process.engine.journal.isFull)
        journal.failsToWrite = { _ in false }
        for _ in 0..<3 { process.proceed() }
        #expect(names.allSatisfy { disk.text(inApp($0)) != nil })
        #expect(try journal.documents().count == 9)
        #expect(conflicts() == 0)
    }

    @Test func `details of a conflict are shown before the journal has them`() throws {
        let process = try settled()
        journal.failsToWrite = { _ in true }
        save(#"{"n":2}"#, inApp("a.json"))
        save(#"{"n":3}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        let conflict = try #require(try process.engine.conflicts().first)
        #expect(conflict.document == "a.json" && conflict.fields.map(\.pointer) == ["/n"])
        journal.failsToWrite = { _ in false }
        process.proceed()
        #expect(try journal.conflicts().map(\.id) == [conflict.id])
    }

    // MARK: Reading

    @Test func `a document with an unreadable base is held until it can be read`() throws {
        let process = try settled()
        journal.failsToRead = true
        save(#"{"n":2}"#, inGroup("a.json"))
        for _ in 0..<2 { process.proceed(hearingOf: inGroup("a.json")) }
        #expect(disk.text(inApp("a.json")) == #"{"n":1}"#)
        let row = try #require(process.engine.heldDocuments.first)
        #expect(row.problem == .unreadableBase)
        #expect(process.engine.isSettled)
        journal.failsToRead = false
        for _ in 0..<3 { process.proceed() }
        #expect(disk.text(inApp("a.json")) == #"{"n":2}"#)
        #expect(process.notices.map(\.generation) == [1, 2])
    }

    @Test func `generations do not start again if they could not be read`() throws {
        let process = try settled(["a", "b"])
        disk.world.delete(inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect(disk.text(inApp("a.json")) == nil)
        journal.failsToRead = true
        save(#"{"n":2}"#, inGroup("a.json"))
        process.proceed(hearingOf: inGroup("a.json"))
        journal.failsToRead = false
        for _ in 0..<3 { process.proceed() }
        #expect(
            process.notices.filter { $0.document.description == "a.json" }.map(\.generation) == [1, 2, 3]
        )
    }

    // MARK: Decisions

    @Test func `another directory is not accepted if that cannot be recorded`() throws {
        let process = try settled(["a", "b"])
        disk.world.replaceRoot(.app)
        #expect(process.live() != nil)
        journal.failsToWrite = { _ in true }
        #expect(throws: DecisionFailure.self) { try process.allow() }
        #expect(process.live() != nil)
        #expect(process.engine.row(inApp("a.json").path)?.generation == 1)
        journal.failsToWrite = { _ in false }
        #expect(try process.allow().takesContainer)
        #expect(process.live() == nil)
        #expect(disk.text(inApp("a.json")) == #"{"n":1}"#)
    }

    @Test func `a side keeps its version if a migration cannot be recorded`() throws {
        let world = try MigrationWorld()
        for name in MigrationWorld.names {
            disk.world.save(inApp(name), Array(MigrationWorld.old.utf8))
            disk.world.save(inGroup(name), Array(MigrationWorld.old.utf8))
        }
        let process = try LivingProcess(disk, journal, profile: world.profile)
        #expect(process.live() == nil)
        journal.failsToWrite = { _ in true }
        let items = process.engine.migrationPlan(to: 2, sides: [.app], documents: nil)
        #expect(items.contains { $0.isPending })
        #expect(throws: MigrationFailure.self) {
            try process.engine.beginMigration(items, at: process.now)
        }
        process.live()
        #expect(disk.text(inApp("a.json")) == MigrationWorld.old)
        journal.failsToWrite = { _ in false }
        _ = try process.engine.beginMigration(items, at: process.now)
        process.live()
        #expect(disk.text(inApp("a.json")) == MigrationWorld.new)
    }
}
