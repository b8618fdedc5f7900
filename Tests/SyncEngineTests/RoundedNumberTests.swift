import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Programs that read all numbers as binary floating point, and write them back with every save.
@Suite struct RoundedNumberTests: SyncedText {
    let disk = SimulatedDisk()
    let journal = MemoryJournal(instance: "bridge")
    let app = inApp("a.json")
    let group = inGroup("a.json")

    private func reasons(_ living: LivingEngine) throws -> [String] {
        try journal.events(of: app.path).map(\.what.text)
    }

    @Test func `a number that was only rounded is no edit`() throws {
        let text = #"{"id":12345678901234567890,"n":1}"#
        let living = try synced(text)
        let told = living.notices.count
        saveInGroup(#"{"id":12345678901234567000,"n":1}"#, living)
        #expect(disk.text(app) == text)
        #expect(disk.text(group) == #"{"id":12345678901234567000,"n":1}"#)
        #expect(living.notices.count == told)
        #expect(try reasons(living).contains("group's program rounded /id: the exact number stays"))
    }

    @Test func `an edit beside it crosses with the exact number, and its own file stays`() throws {
        let living = try synced(#"{"id":12345678901234567890,"n":1}"#)
        for number in 2...3 {
            let save = #"{"n": \#(number), "id": 12345678901234567000}"#
            saveInGroup(save, living)
            #expect(disk.text(app) == #"{"n": \#(number), "id": 12345678901234567890}"#)
            #expect(disk.text(group) == save)
        }
        #expect(
            try reasons(living).contains { $0.hasPrefix("changed in group; group's program rounded /id") }
        )
        save(#"{"id":12345678901234567890,"n":4}"#, app)
        living.proceed(hearingOf: app)
        #expect(disk.text(group) == #"{"id":12345678901234567890,"n":4}"#)
    }

    @Test func `edits of both sides are merged around it`() throws {
        let living = try synced(#"{"id":12345678901234567890,"n":1,"m":1}"#)
        save(#"{"id":12345678901234567000,"n":2,"m":1}"#, group)
        save(#"{"id":12345678901234567890,"n":1,"m":2}"#, app)
        living.live()
        for place in [app, group] {
            #expect(disk.text(place) == #"{"id":12345678901234567890,"n":2,"m":2}"#)
        }
        #expect(try living.engine.conflicts().isEmpty)
    }

    @Test func `the neighbouring number is an edit`() throws {
        let living = try synced(#"{"id":12345678901234567890}"#)
        saveInGroup(#"{"id":12345678901234567891}"#, living)
        #expect(disk.text(app) == #"{"id":12345678901234567891}"#)
    }

    @Test func `elements are found by an identity that was rounded`() throws {
        let living = try synced(#"[{"id":12345678901234567890,"done":false},{"id":7,"done":false}]"#)
        saveInGroup(#"[{"id":7,"done":false},{"id":12345678901234567000,"done":true}]"#, living)
        #expect(disk.text(app) == #"[{"id":7,"done":false},{"id":12345678901234567890,"done":true}]"#)
    }

    @Test func `identities that are rounded to the same number are told by their order`() throws {
        let text = #"[{"id":12345678901234567890,"n":1},{"id":12345678901234567891,"n":1}]"#
        let living = try synced(text)
        saveInGroup(#"[{"id":12345678901234567000,"n":1},{"id":12345678901234567000,"n":2}]"#, living)
        #expect(disk.text(app) == #"[{"id":12345678901234567890,"n":1},{"id":12345678901234567891,"n":2}]"#)
    }

    @Test func `amounts beyond a 32-bit real differ, unless the side reads such`() throws {
        let living = try synced(#"{"cents":20000001}"#)
        saveInGroup(#"{"cents":20000000}"#, living)
        #expect(disk.text(app) == #"{"cents":20000000}"#)
    }

    @Test func `a side that reads 32-bit reals rounds to those`() throws {
        let living = try synced(#"{"rate":0.1,"n":1}"#, "{reads: {group: float}}")
        saveInGroup(#"{"rate":0.10000000149011612,"n":2}"#, living)
        #expect(disk.text(app) == #"{"rate":0.1,"n":2}"#)
        save(#"{"rate":0.10000000149011612,"n":2}"#, app)
        living.proceed(hearingOf: app)
        #expect(disk.text(group) == #"{"rate":0.10000000149011612,"n":2}"#)
    }

    @Test func `in a one-way document it is not put back`() throws {
        let text = #"{"id":12345678901234567890}"#
        let living = try synced(text, "{direction: app-to-group}")
        saveInGroup(#"{"id":12345678901234567000}"#, living)
        #expect(disk.text(group) == #"{"id":12345678901234567000}"#)
        saveInGroup(#"{"id":1}"#, living)
        #expect(disk.text(group) == text)
    }

    @Test func `it is found in an older version`() throws {
        let versions = """
            {version: {field: version, missing: 1}, \
            versions: {1: {}, 2: {lenses: [{rename: {from: id, to: key}}]}}}
            """
        let living = try synced(#"{"version":2,"key":12345678901234567890,"n":1}"#, versions)
        saveInGroup(#"{"id":12345678901234567000,"n":1}"#, living)
        saveInGroup(#"{"id":12345678901234567000,"n":2}"#, living)
        #expect(disk.text(app) == #"{"version":2,"key":12345678901234567890,"n":2}"#)
        #expect(disk.text(group) == #"{"id":12345678901234567000,"n":2}"#)
    }

    @Test func `without a base the exact number stays`() throws {
        save(#"{"id":12345678901234567000}"#, app)
        save(#"{"id":12345678901234567890}"#, group)
        let living = try LivingEngine(disk, journal, profile: nil)
        living.live()
        #expect(disk.text(app) == #"{"id":12345678901234567000}"#)
        #expect(disk.text(group) == #"{"id":12345678901234567890}"#)
        #expect(try living.engine.conflicts().isEmpty)
        save(#"{"id":12345678901234567000,"n":1}"#, app)
        living.proceed(hearingOf: app)
        #expect(disk.text(group) == #"{"id":12345678901234567890,"n":1}"#)
    }
}
