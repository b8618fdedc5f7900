import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Replaced files that the trash cannot take for some time.
@Suite struct DiscardTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")

    private func replaced() throws -> LivingEngine {
        disk.world.save(inApp("a.json"), Array(#"{"n":1}"#.utf8))
        let process = try LivingEngine(disk, journal)
        process.live()
        disk.fail = { [disk] call, place in
            guard call == .rename, let place, disk.text(place) == #"{"n":1}"# else { return nil }
            return place.path.name.hasPrefix(TemporaryName.prefix) ? .error(ENOSPC) : nil
        }
        disk.world.save(inApp("a.json"), Array(#"{"n":2}"#.utf8))
        #expect(process.proceed(hearingOf: inApp("a.json")) == nil)
        return process
    }

    private func leftovers() -> [Location] {
        disk.world.files(.group).filter { $0.path.name.hasPrefix(TemporaryName.prefix) }
            .map { Location(Side.group, $0.path) }
    }

    private func trash() -> [String] {
        disk.world.files(in: Trash.directory, of: .state).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `discards are reported, delay nothing, and go to the trash once it can take them`() throws {
        let process = try replaced()
        #expect(disk.text(inGroup("a.json")) == #"{"n":2}"#)
        #expect(leftovers().count == 1)
        let problem =
            "1 replaced file cannot be moved to the trash: cannot rename it: No space left on device"
        #expect(process.engine.trashProblem?.text == problem)
        #expect(process.engine.isSettled)
        disk.fail = { _, _ in nil }
        for _ in 0..<16 { process.proceed() }
        #expect(process.engine.trashProblem == nil)
        #expect(leftovers().isEmpty && trash() == [#"{"n":1}"#])
        #expect(process.engine.counters.rescans == 1)
    }

    @Test func `a discarded file that a program wrote to since is a save`() throws {
        let process = try replaced()
        let leftover = try #require(leftovers().first)
        disk.fail = { _, _ in nil }
        disk.world.overwrite(leftover, Array(#"{"n":1,"m":3}"#.utf8))
        for _ in 0..<16 { process.proceed() }
        #expect(leftovers().isEmpty)
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"n":2,"m":3}"#)
        }
    }

    /// The trash is on another disk, which is full: a racing save was merged, and its file stays beside the
    /// document.
    @Test(arguments: [false, true])
    func `a merged save is not merged again over later saves`(scans: Bool) throws {
        let disk = SimulatedDisk(separate: [.state])
        disk.world.save(inApp("a.json"), Array(#"{"a":1,"g":1}"#.utf8))
        let process = try LivingEngine(disk, journal)
        process.live()
        disk.fail = { call, place in call == .create && place?.root == .state ? .error(ENOSPC) : nil }
        var racer: String? = #"{"a":2,"g":1}"#
        disk.meanwhile = { call, place in
            guard call == .rename, place?.root == .app, let save = racer else { return }
            racer = nil
            disk.world.save(inApp("a.json"), Array(save.utf8))
        }
        disk.world.save(inGroup("a.json"), Array(#"{"a":1,"g":2}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"))
        #expect(racer == nil && disk.text(inApp("a.json")) == #"{"a":2,"g":2}"#)
        for place in [inGroup("a.json"), inApp("a.json")] {
            let text = place == inApp("a.json") ? #"{"a":3,"g":3}"# : #"{"a":2,"g":3}"#
            disk.world.save(place, Array(text.utf8))
            process.proceed(hearingOf: place)
        }
        #expect(process.engine.trashProblem != nil)
        if scans { process.live() }
        disk.fail = { _, _ in nil }
        for _ in 0..<16 { process.proceed() }
        #expect(process.engine.trashProblem == nil && process.engine.counters.conflicts == 0)
        for place in [inApp("a.json"), inGroup("a.json")] {
            #expect(disk.text(place) == #"{"a":3,"g":3}"#)
        }
    }

    /// As an older release leaves it, or a person who copies files there.
    @Test func `a trash with thousands of contents too many is reduced in short turns`() throws {
        let disk = SimulatedDisk()
        disk.blockSize = 4096
        try disk.state.makeKeepingPlaces()
        for number in 0..<1_600 {
            let text = Array("\(number)".utf8)
            let place = try #require(Trash.place(of: Digest(of: text)))
            disk.world.save(place, text)
        }
        let most: Int64 = 400 * 4096
        let process = try LivingEngine(
            disk,
            journal,
            settings: EngineSettings(trash: TrashLimits(maxBytes: most))
        )
        try process.engine.pruneTrash(at: process.now)
        for number in 0..<10 {
            process.miss(.milliseconds(25))
            disk.world.save(inApp("a.json"), Array("{\"n\": \(number)}".utf8))
            process.engine.markDirty(inApp("a.json").path)
            let before = disk.calls
            for _ in 0..<4 { process.turn() }
            #expect(disk.text(inGroup("a.json")) == "{\"n\": \(number)}")
            #expect(disk.calls - before < 1_600)
        }
        process.proceed()
        #expect(process.engine.deadline == nil)
        #expect(try disk.state.trashUse().bytes <= most)
        #expect(
            try journal.value(of: TrashKeeper.key)?.hasPrefix("\(process.engine.knownTrashUse.files) ")
                == true
        )
    }
}
