import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Programs that keep a document open for writing.
@Suite struct OpenFileTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func process(_ settings: EngineSettings = EngineSettings(durability: .none)) throws
        -> LivingEngine
    {
        disk.world.save(inApp("a.json"), Array(#"{"n":1,"m":1}"#.utf8))
        let process = try LivingEngine(disk, journal, settings: settings)
        process.live()
        #expect(disk.text(inGroup("a.json")) == #"{"n":1,"m":1}"#)
        return process
    }

    private func path() throws -> RelativePath { try #require(RelativePath("a.json")) }

    // MARK: Displaced files

    @Test func `a displaced file that is open delays nothing for longer than the grace period`() throws {
        let process = try process()
        let pen = try #require(disk.world.open(inGroup("a.json")))
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .seconds(1))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":1}"#)
        #expect(process.engine.counters.races == 0)
        #expect(!process.engine.isSettled)
        process.proceed()
        #expect(process.engine.isSettled && process.engine.isAtRest)
        #expect(process.engine.filesHeldOpen(of: try path()).count == 1)
        // It is checked less and less often, and at once for a waiting caller.
        let calls = disk.calls
        process.proceed(for: .seconds(120))
        #expect(disk.calls - calls < 40)
        process.engine.retryHolds()
        #expect(!process.engine.isSettled)
        process.proceed(for: .zero)
        #expect(process.engine.isSettled)

        #expect(process.engine.row(try path())?.state == .synced)
        pen.write(Array(#"{"n":1,"m":3}"#.utf8))
        let row = try #require(process.engine.known().rows.first)
        #expect(row.state == .pending && row.reason == .keptOpen && row.side == .group)
        pen.close()
        process.proceed(hearingOf: inGroup("a.json"), for: .milliseconds(200))
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":2,"m":3}"#)
        }
        #expect(process.engine.filesHeldOpen(of: try path()).isEmpty)
        #expect(disk.world.files(.group).count == 1)
    }

    @Test(arguments: [CommitMode.exchange, .rename])
    func `a file that an ended run left open is examined by the next one`(_ commit: CommitMode) throws {
        let settings = EngineSettings(durability: .none, commit: commit)
        let first = try process(settings)
        let pen = try #require(disk.world.open(inGroup("a.json")))
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        first.proceed(hearingOf: inApp("a.json"), for: .seconds(5))
        #expect(first.engine.isSettled && disk.world.files(.group).count == 2)
        pen.write(Array(#"{"n":1,"m":3}"#.utf8))
        let second = try LivingEngine(disk, journal, settings: settings)
        for reason in [DocumentRow.Reason.keptOpen, .savedLate] {
            let row = try #require(second.engine.rehearsed().rows.first)
            #expect(row.state == .pending && row.reason == reason && row.side == .group)
            if reason == .keptOpen { pen.close() }
        }
        second.live()
        #expect(disk.world.files(in: Trash.conflicts, of: .state).isEmpty)
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":2,"m":3}"#)
        }
        #expect(disk.world.files(.group).count == 1)
    }

    @Test func `a save in a file that an ended run deleted is an edit over the deletion`() throws {
        let first = try process()
        let pen = try #require(disk.world.open(inGroup("a.json")))
        #expect(disk.world.delete(inApp("a.json")))
        first.proceed(hearingOf: inApp("a.json"), for: .seconds(5))
        #expect(first.engine.isSettled && disk.text(inGroup("a.json")) == nil)
        pen.write(Array(#"{"n":1,"m":3}"#.utf8))
        let second = try LivingEngine(disk, journal, settings: EngineSettings(durability: .none))
        let row = try #require(second.engine.rehearsed().rows.first)
        #expect(row.name == "a.json" && row.state == .pending && row.reason == .keptOpen)
        second.live()
        pen.close()
        second.proceed(hearingOf: inGroup("a.json"), for: .seconds(1))
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":1,"m":3}"#)
        }
        #expect(disk.world.files(in: Trash.conflicts, of: .state).isEmpty)
    }

    @Test func `a save in a deleted file is merged with the other side's new document`() throws {
        let first = try process()
        let pen = try #require(disk.world.open(inGroup("a.json")))
        #expect(disk.world.delete(inApp("a.json")))
        first.proceed(hearingOf: inApp("a.json"), for: .seconds(5))
        pen.write(Array(#"{"n":1,"m":3}"#.utf8))
        pen.close()
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"k":1}"#.utf8))
        let second = try LivingEngine(disk, journal, settings: EngineSettings(durability: .none))
        second.live()
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":2,"m":3,"k":1}"#)
        }
        #expect(disk.world.files(in: Trash.conflicts, of: .state).isEmpty)
    }

    @Test func `without an exchange an open file may be finished, and is then replaced`() throws {
        let process = try process(EngineSettings(durability: .none, commit: .rename))
        let pen = try #require(disk.world.open(inGroup("a.json")))
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        let calls = disk.calls
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(1_900))
        #expect(disk.text(inGroup("a.json")) == #"{"n":1,"m":1}"#)
        #expect(process.engine.filesHeldOpen(of: try path()) == [inGroup("a.json")])
        process.proceed(for: .seconds(3))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":1}"#)
        #expect(process.engine.isSettled && process.engine.counters.races == 0)
        #expect(disk.calls - calls < 500)
        pen.write(Array(#"{"n":1,"m":3}"#.utf8))
        pen.close()
        process.proceed(hearingOf: inGroup("a.json"), for: .milliseconds(200))
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":2,"m":3}"#)
        }
        #expect(disk.world.files(.group).count == 1)
    }

    // MARK: Writes in place

    @Test func `half of a save is not synced, even if it is valid`() throws {
        let process = try process()
        let pen = try #require(disk.world.open(inApp("a.json")))
        pen.write(Array(#"{"n":2,"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(500))
        #expect(disk.text(inGroup("a.json")) == #"{"n":1,"m":1}"#)
        let row = try #require(process.engine.row(try path()))
        #expect(row.state == .pending && row.reason == .held(.beingWritten))
        #expect(process.engine.filesHeldOpen(of: try path()) == [inApp("a.json")])
        pen.write(Array(#""m":2}"#.utf8))
        pen.close()
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(50))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":2}"#)
        #expect(process.engine.isSettled)
        #expect(process.engine.filesHeldOpen(of: try path()).isEmpty)
    }

    @Test func `what is no JSON is held while a program keeps it open, and read after each change`() throws {
        let process = try process()
        let pen = try #require(disk.world.open(inApp("a.json")))
        pen.write(Array(#"{"n":2,x"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .seconds(5))
        #expect(process.engine.row(try path())?.state == .held && process.engine.isSettled)
        let calls = disk.calls
        process.proceed(for: .seconds(60))
        #expect(disk.calls - calls < 100)
        pen.write(Array(#"":1}"#.utf8))
        pen.close()
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":2}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(200))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":2}"#)
    }

    @Test func `an open file is read after the grace period, and after each change again`() throws {
        let process = try process()
        let pen = try #require(disk.world.open(inApp("a.json")))
        pen.write(Array(#"{"n":2,"m":2}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(1_900))
        #expect(disk.text(inGroup("a.json")) == #"{"n":1,"m":1}"#)
        process.proceed(for: .milliseconds(200))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":2}"#)
        #expect(process.engine.isSettled)
        pen.truncate()
        pen.write(Array(#"{"n":3,"m":2}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(1_900))
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":2}"#)
        process.proceed(for: .milliseconds(200))
        #expect(disk.text(inGroup("a.json")) == #"{"n":3,"m":2}"#)
    }

    @Test func `both sides may be kept open`() throws {
        let process = try process()
        let pens = try [inApp("a.json"), inGroup("a.json")].map { try #require(disk.world.open($0)) }
        pens[0].write(Array(#"{"n":2,"m":1}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .seconds(1))
        pens[1].write(Array(#"{"n":1,"m":2}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"), for: .seconds(10))
        #expect(disk.text(inApp("a.json")) == #"{"n":2,"m":2}"#)
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":2}"#)
        #expect(process.engine.isSettled)
    }

    // MARK: Saves above the size limit

    @Test func `a racing save above the size limit stays complete, and is held`() throws {
        let process = try process(EngineSettings(durability: .none, maxDocument: 32))
        let large = #"{"n":1,"m":"\#(String(repeating: "x", count: 64))"}"#
        disk.meanwhile = { [disk] call, place in
            guard call == .rename, place?.root == .group else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(inGroup("a.json"), Array(large.utf8))
        }
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"))
        #expect(disk.text(inGroup("a.json")) == large)
        #expect(disk.text(inApp("a.json")) == #"{"n":2,"m":1}"#)
        #expect(try #require(process.engine.row(try path())).state == .held)
        #expect(process.engine.isSettled)
        #expect(disk.world.files(.group).count == 1)
        #expect(disk.world.files(in: Trash.conflicts, of: .state).isEmpty)
        disk.world.save(inGroup("a.json"), Array(#"{"n":1,"m":4}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect(disk.text(inApp("a.json")) == #"{"n":2,"m":4}"#)
        #expect(disk.text(inGroup("a.json")) == #"{"n":2,"m":4}"#)
    }

    private static let large = #"{"n":1,"m":"\#(String(repeating: "x", count: 64))"}"#

    /// The group's program saves too much when the app's save arrives, and keeps that open for some time.
    private func racedByTooMuch() throws -> (process: LivingEngine, pen: SimulatedDisk.World.Pen) {
        let process = try process(EngineSettings(durability: .none, maxDocument: 32))
        var pen: SimulatedDisk.World.Pen?
        disk.meanwhile = { [disk] call, place in
            guard call == .rename, place?.root == .group else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(inGroup("a.json"), Array(Self.large.utf8))
            pen = disk.world.open(inGroup("a.json"))
        }
        disk.world.save(inApp("a.json"), Array(#"{"n":2,"m":1}"#.utf8))
        process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(100))
        return (process, try #require(pen))
    }

    @Test(arguments: [2, 3])
    func `a file that its writer closes late does not undo a publication`(last: Int) throws {
        let (process, pen) = try racedByTooMuch()
        if last == 3 {
            disk.world.save(inApp("a.json"), Array(#"{"n":3,"m":1}"#.utf8))
            process.proceed(hearingOf: inApp("a.json"), for: .milliseconds(100))
        }
        pen.close()
        process.proceed()
        #expect(disk.text(inGroup("a.json")) == #"{"n":\#(last),"m":1}"#)
        #expect(process.engine.isSettled && process.engine.isAtRest)
        #expect(disk.world.files(.group).count == 1)
        let kept = try #require(try process.engine.conflicts().first)
        #expect(disk.text(Location(.state, try #require(RelativePath(kept.file)))) == Self.large)
        #expect(kept.hash == Digest(of: Array(Self.large.utf8)).description && kept.side == .group)
        #expect(process.done.last?.action == .conflict)
        // The copy is not complete.
        #expect(throws: DecisionFailure.self) { try process.resolve(kept.id, taking: .side(.group)) }
        #expect(disk.text(inGroup("a.json")) == #"{"n":\#(last),"m":1}"#)
        _ = try process.resolve(kept.id, taking: .side(.app))
        let trash = disk.world.files(in: Trash.directory, of: .state).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(trash.contains(Self.large))
        let id = try #require(try process.engine.history().first { $0.hash == kept.hash }?.id)
        #expect(throws: DecisionFailure.self) { try process.undo(id) }
    }

    @Test func `a file that a killed run left is kept and reported`() throws {
        let (process, pen) = try racedByTooMuch()
        pen.close()
        #expect(disk.world.files(.group).count == 2 && !process.engine.isSettled)
        let second = try LivingEngine(disk, journal, settings: EngineSettings(maxDocument: 32))
        second.live()
        #expect(disk.world.files(.group).count == 1 && second.engine.isSettled)
        #expect(disk.world.files(in: Trash.conflicts, of: .state) == [Array(Self.large.utf8)])
        #expect(try second.engine.conflicts().map(\.document) == ["a.json"])
    }
}
