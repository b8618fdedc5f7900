import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A paused engine takes hints, and writes to neither container.
@Suite struct PauseTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()

    private func living() throws -> LivingProcess<FaultyJournal> { try LivingProcess(disk, journal) }

    /// `a.json` and `b.json` are in sync.
    private func synced() throws -> LivingProcess<FaultyJournal> {
        let living = try living()
        for name in ["a.json", "b.json", "c.json"] {
            disk.world.save(inApp(name), Array(#"{"x":1,"y":1}"#.utf8))
        }
        living.live()
        try #require(disk.text(inGroup("b.json")) == #"{"x":1,"y":1}"#)
        return living
    }

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    /// All files of both containers, whatever their names.
    private var containers: [String] {
        [Root.app, .group].flatMap { root in
            disk.world.files(root).map { "\(root) \($0.path) \(String(decoding: $0.bytes, as: UTF8.self))" }
        }
    }

    @Test func `nothing is written while paused, and everything once resumed`() throws {
        let living = try synced()
        try living.engine.pause(at: living.now)
        save(#"{"x":2,"y":1}"#, inApp("a.json"))
        save(#"{"x":1,"y":2}"#, inGroup("a.json"))
        save("[1]", inApp("new.json"))
        disk.world.delete(inGroup("b.json"))
        let before = containers
        for name in ["a.json", "b.json", "new.json"] { living.proceed(hearingOf: inApp(name)) }
        living.live()
        living.proceed(beneath: nil, of: .group)
        #expect(containers == before)
        #expect(living.engine.deadline == nil)
        try living.engine.resume()
        living.proceed()
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == #"{"x":2,"y":2}"#) }
        #expect(disk.text(inGroup("new.json")) == "[1]")
        #expect(disk.text(inApp("b.json")) == nil)
    }

    @Test func `a save without a hint is found once resumed`() throws {
        let living = try synced()
        try living.engine.pause(at: living.now)
        save("[2]", inGroup("a.json"))
        try living.engine.resume()
        living.proceed()
        #expect(disk.text(inApp("a.json")) == "[2]")
    }

    @Test func `a dry run of a paused bridge shows what waits`() throws {
        let living = try synced()
        try living.engine.pause(at: living.now)
        save("[2]", inGroup("a.json"))
        let rows = living.engine.rehearsed().rows
        #expect(rows.filter { $0.state == .pending }.map(\.name) == ["a.json"])
    }

    @Test func `the next run is paused as well, and leaves the files of a killed run where they are`() throws
    {
        do {
            let living = try synced()
            save("[2]", inApp("a.json"))
            disk.fail = { call, place in call == .rename && place?.root == .group ? .death() : nil }
            living.live()
            disk.fail = { _, _ in nil }
            try #require(disk.isDead)
        }
        try disk.restart()
        try journal.base.setValue("1700000000123", of: PauseState.key)
        let before = containers
        let next = try living()
        #expect(next.engine.pausedSince == 1_700_000_000_123)
        next.live()
        #expect(containers == before)
        try next.engine.resume()
        next.proceed()
        #expect(disk.text(inGroup("a.json")) == "[2]")
        #expect(try living().engine.pausedSince == nil)
    }

    @Test func `a pause that the journal does not take has no effect, nor has such a resume`() throws {
        let living = try synced()
        journal.failsToWrite = { _ in true }
        #expect(throws: FaultyJournal.full) { try living.engine.pause(at: living.now) }
        #expect(living.engine.pausedSince == nil)
        journal.failsToWrite = { _ in false }
        try living.engine.pause(at: living.now)
        let since = living.engine.pausedSince
        living.miss(.seconds(5))
        try living.engine.pause(at: living.now)
        #expect(living.engine.pausedSince == since)
        journal.failsToWrite = { _ in true }
        #expect(throws: FaultyJournal.full) { try living.engine.resume() }
        #expect(living.engine.pausedSince == since)
    }
}
