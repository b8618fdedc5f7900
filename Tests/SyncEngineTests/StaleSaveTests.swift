import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A program that saves over content it has not read, while another of its saves waits to be merged.
@Suite struct StaleSaveTests {
    private let disk = SimulatedDisk()

    /// In sync, with access events.
    private func living(with text: String) throws -> LivingEngine {
        disk.world.save(inApp("a.json"), Array(text.utf8))
        let process = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        process.engine.tracksAccess = true
        process.live()
        return process
    }

    /// The group's 2 and 3 are published in the app, which has read neither and saves `x` in the meantime:
    /// the base of that save was requested and is known.
    private func racedFromMemory() throws -> LivingEngine {
        let process = try living(with: #"{"n":1,"x":1}"#)
        disk.world.save(inGroup("a.json"), Array(#"{"n":2,"x":1}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"))
        disk.world.save(inGroup("a.json"), Array(#"{"n":3,"x":1}"#.utf8))
        saveInApp([#"{"n":1,"x":5}"#])
        process.proceed(hearingOf: inGroup("a.json"), for: .milliseconds(100))
        #expect(process.engine.hasQuestions)
        process.engine.asked(1, at: process.now)
        hear(.published, .saved, .published, by: process)
        process.engine.answered(1, at: process.now)
        return process
    }

    /// The group's change meets `racer`, which the app saves at the last moment, and `next` directly after
    /// it.
    private func raced(by racer: String, then next: String) throws -> LivingEngine {
        let process = try living(with: #"{"n":1}"#)
        disk.world.save(inGroup("a.json"), Array(#"{"n":1,"g":1}"#.utf8))
        var saves = [next, racer]
        disk.meanwhile = { [disk] call, place in
            guard place?.root == .app, call == .rename || saves.count == 1, let save = saves.popLast() else {
                return
            }
            disk.world.save(inApp("a.json"), Array(save.utf8))
        }
        process.engine.markDirty(inGroup("a.json").path)
        _ = process.engine.turn(at: process.now)
        disk.meanwhile = { _, _ in }
        #expect(saves.isEmpty && disk.text(inApp("a.json")) == next)
        return process
    }

    private func hear(_ evidence: AccessEvent..., by process: LivingEngine) {
        for one in evidence { process.engine.hear(one, of: inApp("a.json").path, on: .app) }
    }

    private func expectBoth(_ text: String) {
        for place in [inApp("a.json"), inGroup("a.json")] { #expect(disk.text(place) == text) }
    }

    @Test func `saving the same bytes again does not undo the change in between`() throws {
        let process = try raced(by: #"{"n":1,"e":1}"#, then: #"{"n":1,"e":1}"#)
        process.proceed(for: .zero)
        #expect(process.engine.hasQuestions)
        process.engine.asked(1, at: process.now)
        hear(.saved, .published, .saved, by: process)
        process.engine.answered(1, at: process.now)
        process.proceed()
        expectBoth(#"{"n":1,"g":1,"e":1}"#)
    }

    /// The kernel reports an exchange a moment after it happens: a read in between seems to be one of the
    /// content before.
    @Test(arguments: [
        (#"{"n":1,"g":1,"k":1}"#, #"{"n":1,"g":1,"k":1,"e":1}"#),
        (#"{"n":1,"k":1}"#, #"{"n":1,"g":1,"k":1}"#),
        (#"{"n":1,"e":1,"k":1}"#, #"{"n":1,"g":1,"e":1,"k":1}"#),
    ])
    func `a save that was made of the publication does not include the displaced one`(
        next: String,
        both: String
    ) throws {
        let process = try raced(by: #"{"n":1,"e":1}"#, then: next)
        process.proceed(for: .zero)
        #expect(process.engine.hasQuestions)
        process.engine.asked(1, at: process.now)
        hear(.saved, .opened, .read, .published, .saved, by: process)
        process.engine.answered(1, at: process.now)
        process.proceed()
        let texts = [inApp("a.json"), inGroup("a.json")].map { disk.text($0).map { Set($0) } }
        #expect(texts == [Set(both), Set(both)])
        #expect(disk.text(inApp("a.json")) == disk.text(inGroup("a.json")))
    }

    @Test func `the same bytes based on a later save do not undo it either`() throws {
        let process = try raced(by: #"{"n":1,"e":1}"#, then: #"{"n":1,"e":1,"m":1}"#)
        hear(.saved, .published, .saved, by: process)
        process.proceed(for: .zero)
        // Only its own change was taken from the later save: the other waits.
        #expect(disk.text(inApp("a.json")) == #"{"n":1,"g":1,"m":1}"#)
        disk.world.save(inApp("a.json"), Array(#"{"n":1,"e":1}"#.utf8))
        hear(.published, .saved, by: process)
        process.proceed()
        expectBoth(#"{"n":1,"e":1,"g":1}"#)
    }

    /// Its first save was displaced before it read the merge and wrote that in place. For the bridge, another
    /// document that gets the name is a save like any other.
    @Test(arguments: [false, true])
    func `a program's later value replaces its displaced one, saved or renamed`(isRenamed: Bool) throws {
        let (place, other) = (inApp("a.json"), inApp("b.json"))
        let (first, later) = (#"{"n":1,"x":1,"e":1}"#, #"{"n":1,"x":2}"#)
        disk.world.save(other, Array(later.utf8))
        let process = try living(with: #"{"n":1}"#)
        process.engine.tracksAccess = false
        disk.world.save(inGroup("a.json"), Array(#"{"n":1,"g":1}"#.utf8))
        var steps = [
            { [disk] in _ = disk.world.save(place, Array(first.utf8)) },
            { [disk] in _ = disk.world.overwrite(place, Array(#"{"n":1,"g":1,"o":1}"#.utf8)) },
            { [disk] in
                _ =
                    isRenamed
                    ? disk.world.rename(other, to: place) : disk.world.save(place, Array(later.utf8))
            },
        ]
        disk.meanwhile = { call, file in
            guard file?.root == .app, !steps.isEmpty, call == .rename || steps.count < 3 else { return }
            steps.removeFirst()()
        }
        process.engine.markDirty(place.path)
        _ = process.engine.turn(at: process.now)
        #expect(steps.isEmpty && process.engine.counters.races > 0)
        process.live()
        // Only the field that both saves set is lost, as it is without the bridge: but it is in the trash.
        expectBoth(#"{"n":1,"x":2,"e":1}"#)
        #expect(process.engine.counters.conflicts == 0)
        let trash = disk.world.files(in: Trash.directory, of: .state)
        #expect(trash.contains { $0 == Array(first.utf8) })
    }

    @Test func `a program knows its own saves, even if they were just published there`() throws {
        let process = try living(with: #"{"on":1}"#)
        disk.world.save(inGroup("a.json"), Array(#"{"on":0}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"))
        hear(.published, by: process)
        for save in [#"{"on":0}"#, #"{"on":1}"#] {
            disk.world.save(inApp("a.json"), Array(save.utf8))
            hear(.saved, by: process)
            process.proceed(hearingOf: inApp("a.json"))
            expectBoth(save)
        }
    }

    /// Its base is reported once, and its merge needs another attempt.
    @Test func `a save is merged on its base, even if the disk was full at first`() throws {
        let process = try racedFromMemory()
        failToCreateInApp(after: 0)
        process.proceed()
        expectBoth(#"{"n":3,"x":5}"#)
    }

    @Test func `a save that raced with a merge is not forgotten when the disk is full`() throws {
        disk.world.save(inApp("a.json"), Array(#"{"n":1}"#.utf8))
        let process = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        process.live()
        disk.world.save(inGroup("a.json"), Array(#"{"n":1,"g":1}"#.utf8))
        saveInApp([#"{"n":1,"a":1}"#, #"{"n":1,"g":1,"b":1}"#])
        failToCreateInApp(after: 2)
        process.proceed(hearingOf: inGroup("a.json"))
        expectBoth(#"{"n":1,"g":1,"a":1,"b":1}"#)
        #expect(disk.world.files(.app).count == 1)
    }

    /// Its base is read from the trash, which fails once.
    @Test(arguments: [SystemCall.open, .read])
    func `a save is merged on its base, even if that cannot be read at first`(
        failing: SystemCall
    ) throws {
        let process = try racedFromMemory()
        let hasFailed = failInTheTrash(once: failing)
        process.proceed(for: .seconds(60))
        #expect(hasFailed())
        expectBoth(#"{"n":3,"x":5}"#)
    }

    /// The same for a save that no publication displaced.
    @Test func `nothing is undone because a base cannot be read at first`() throws {
        let process = try living(with: #"{"n":1,"x":1}"#)
        disk.world.save(inGroup("a.json"), Array(#"{"n":2,"x":1}"#.utf8))
        process.proceed(hearingOf: inGroup("a.json"))
        disk.world.save(inApp("a.json"), Array(#"{"n":1,"x":5}"#.utf8))
        hear(.published, .saved, by: process)
        let hasFailed = failInTheTrash(once: .open)
        process.proceed(hearingOf: inApp("a.json"), for: .seconds(60))
        #expect(hasFailed())
        expectBoth(#"{"n":2,"x":5}"#)
    }

    /// Its program takes the merge for its own save, and continues from it.
    @Test func `a merged save is not merged again because the displaced file cannot be read`() throws {
        disk.world.save(inApp("a.json"), Array(#"{"n":1}"#.utf8))
        let process = try LivingEngine(disk, MemoryJournal(instance: "bridge"))
        process.live()
        disk.world.save(inGroup("a.json"), Array(#"{"n":1,"g":1}"#.utf8))
        saveInApp([#"{"n":1,"a":1}"#])
        var renames = 0
        disk.fail = { [disk] call, place in
            guard place?.root == .app else { return nil }
            if call == .rename { renames += 1 }
            guard renames == 2, call == .open else { return nil }
            renames += 1
            #expect(disk.text(inApp("a.json")) == #"{"n":1,"g":1,"a":1}"#)
            disk.world.save(inApp("a.json"), Array(#"{"n":1,"g":1}"#.utf8))
            return .error(5)
        }
        process.proceed(hearingOf: inGroup("a.json"), for: .seconds(60))
        expectBoth(#"{"n":1,"g":1}"#)
        #expect(renames > 2 && disk.world.files(.app).count == 1)
    }

    /// Returns whether the failure occurred.
    private func failInTheTrash(once failing: SystemCall) -> () -> Bool {
        var isOver = false
        disk.fail = { call, place in
            guard !isOver, call == failing, place?.root == .state else { return nil }
            isOver = true
            return .error(5)
        }
        return { isOver }
    }

    /// Each save happens directly before a file gets the document's name.
    private func saveInApp(_ saves: [String]) {
        var saves = saves
        disk.meanwhile = { [disk] call, place in
            guard call == .rename, place?.root == .app, !saves.isEmpty else { return }
            disk.world.save(inApp("a.json"), Array(saves.removeFirst().utf8))
        }
    }

    /// Fails once, after this many files.
    private func failToCreateInApp(after count: Int) {
        var left = count
        disk.fail = { call, place in
            guard call == .create, place?.root == .app else { return nil }
            left -= 1
            return left == -1 ? .error(28) : nil
        }
    }
}
