import Documents
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A side's program never reads: it saves what it has in memory.
@Suite struct FromMemoryTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")
    private let app = inApp("a.json")
    private let group = inGroup("a.json")

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    private func living(with text: String, _ rules: String? = nil) throws -> LivingEngine {
        save(text, app)
        let yaml = rules.map { "profile: memory\ndocuments: {a.json: \($0)}\n" }
        let process = try LivingEngine(
            disk,
            journal,
            profile: try yaml.map { try Profile(yaml: $0, file: "memory.yaml") }
        )
        process.engine.tracksAccess = true
        process.live()
        return process
    }

    private func hear(_ events: AccessEvent..., of place: Location? = nil, by process: LivingEngine) {
        let place = place ?? group
        for event in events { process.engine.hear(event, of: place.path, on: place.side ?? .group) }
    }

    private func saveInApp(_ text: String, _ process: LivingEngine) {
        save(text, app)
        process.proceed(hearingOf: app)
        hear(.published, by: process)
    }

    /// Saved without a read. If the bridge replaces it, that is reported.
    private func saveFromMemory(_ text: String, at place: Location? = nil, _ process: LivingEngine) {
        let place = place ?? group
        save(text, place)
        hear(.saved, of: place, by: process)
        process.proceed(hearingOf: place)
        if disk.text(place) != text { hear(.published, of: place, by: process) }
    }

    /// Both programs save before the bridge reads; what `loser` saved is replaced.
    private func collide(_ inApp: String, _ inGroup: String, loser: Location? = nil, _ process: LivingEngine)
    {
        save(inApp, app)
        save(inGroup, group)
        process.proceed(hearingOf: app)
        hear(.published, of: loser, by: process)
    }

    private func expectBoth(_ text: String) {
        for place in [app, group] { #expect(disk.text(place) == text) }
    }

    private func expectConflicts(_ count: Int, _ process: LivingEngine) {
        #expect(process.engine.counters.conflicts == count)
    }

    /// The client read the program's save, which had not included what was published before.
    @Test func `a put on top of such a save undoes nothing either`() throws {
        let process = try living(with: #"{"x":0,"t":0}"#)
        saveInApp(#"{"x":0,"t":1}"#, process)
        let blind = Array(#"{"x":1,"t":0}"#.utf8)
        save(#"{"x":1,"t":0}"#, group)
        hear(.saved, by: process)
        let put = Array(#"{"x":1,"t":0,"p":1}"#.utf8)
        try process.engine.put(put, as: group.path, on: .group, expecting: Digest(of: blind), at: process.now)
        hear(.published, by: process)
        process.proceed()
        expectBoth(#"{"x":1,"t":1,"p":1}"#)
    }

    // MARK: After a conflict

    @Test func `a field that is changed again after its conflict was settled stands`() throws {
        let process = try living(with: #"{"x":0}"#)
        collide(#"{"x":10}"#, #"{"x":1}"#, process)
        expectBoth(#"{"x":10}"#)
        for value in 2...4 {
            saveFromMemory(#"{"x":\#(value)}"#, process)
            expectBoth(#"{"x":\#(value)}"#)
        }
        expectConflicts(1, process)
    }

    @Test func `a field that is only repeated stays as it was settled`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#)
        collide(#"{"x":10,"y":0}"#, #"{"x":1,"y":0}"#, process)
        for value in 1...3 {
            saveFromMemory(#"{"x":1,"y":\#(value)}"#, process)
            expectBoth(#"{"x":10,"y":\#(value)}"#)
        }
        saveFromMemory(#"{"x":2,"y":3}"#, process)
        expectBoth(#"{"x":2,"y":3}"#)
        expectConflicts(1, process)
    }

    @Test func `the other side's changes in between stay, too`() throws {
        let process = try living(with: #"{"x":0,"t":0}"#)
        collide(#"{"x":10,"t":0}"#, #"{"x":1,"t":0}"#, process)
        saveInApp(#"{"x":10,"t":1}"#, process)
        saveFromMemory(#"{"x":2,"t":0}"#, process)
        expectBoth(#"{"x":2,"t":1}"#)
        expectConflicts(1, process)
    }

    @Test func `a field that the other side changed since is in conflict again`() throws {
        let process = try living(with: #"{"x":0}"#)
        collide(#"{"x":10}"#, #"{"x":1}"#, process)
        saveInApp(#"{"x":11}"#, process)
        saveFromMemory(#"{"x":2}"#, process)
        expectBoth(#"{"x":11}"#)
        expectConflicts(2, process)
        saveFromMemory(#"{"x":3}"#, process)
        expectBoth(#"{"x":3}"#)
        expectConflicts(2, process)
    }

    @Test func `both change it again at the same time`() throws {
        let process = try living(with: #"{"x":0}"#)
        collide(#"{"x":10}"#, #"{"x":1}"#, process)
        save(#"{"x":2}"#, group)
        hear(.saved, by: process)
        save(#"{"x":11}"#, app)
        process.proceed(hearingOf: app)
        hear(.published, by: process)
        expectBoth(#"{"x":11}"#)
        saveFromMemory(#"{"x":3}"#, process)
        expectBoth(#"{"x":3}"#)
        expectConflicts(2, process)
    }

    /// Without an earlier conflict.
    @Test func `a change over an unread one is in conflict, and the next one stands`() throws {
        let process = try living(with: #"{"x":0}"#)
        saveInApp(#"{"x":10}"#, process)
        saveFromMemory(#"{"x":1}"#, process)
        expectBoth(#"{"x":10}"#)
        expectConflicts(1, process)
        saveFromMemory(#"{"x":2}"#, process)
        expectBoth(#"{"x":2}"#)
        expectConflicts(1, process)
    }

    @Test func `the conflict has both values, and the copy is the save that lost`() throws {
        let process = try living(with: #"{"x":0}"#)
        collide(#"{"x":10}"#, #"{"x":1}"#, process)
        saveFromMemory(#"{"x":2}"#, process)
        let conflict = try #require(try process.engine.conflicts().first)
        #expect(conflict.fields == [.init(pointer: "/x", base: "0", app: "10", group: "1")])
        #expect(conflict.side == .group)
        #expect(disk.world.files(in: Trash.conflicts, of: .state) == [Array(#"{"x":1}"#.utf8)])
    }

    @Test func `in a field of an element it is the same`() throws {
        let process = try living(with: #"{"l":[{"id":1,"x":0},{"id":2,"x":0}]}"#)
        collide(
            #"{"l":[{"id":1,"x":10},{"id":2,"x":0}]}"#,
            #"{"l":[{"id":1,"x":1},{"id":2,"x":0}]}"#,
            process
        )
        saveFromMemory(#"{"l":[{"id":1,"x":1},{"id":2,"x":5}]}"#, process)
        expectBoth(#"{"l":[{"id":1,"x":10},{"id":2,"x":5}]}"#)
        saveFromMemory(#"{"l":[{"id":1,"x":2},{"id":2,"x":5}]}"#, process)
        expectBoth(#"{"l":[{"id":1,"x":2},{"id":2,"x":5}]}"#)
        expectConflicts(1, process)
    }

    @Test func `new elements that got other numbers stay what they are`() throws {
        let rules = "{identity: {/l: {field: id, renumber: true}}}"
        let process = try living(with: #"{"x":0,"l":[]}"#, rules)
        collide(#"{"x":10,"l":[{"id":1,"n":"app"}]}"#, #"{"x":1,"l":[{"id":1,"n":"group"}]}"#, process)
        let both = #""l":[{"id":2,"n":"group"},{"id":1,"n":"app"}]"#
        expectBoth(#"{"x":10,\#(both)}"#)
        saveFromMemory(#"{"x":2,"l":[{"id":1,"n":"group"}]}"#, process)
        expectBoth(#"{"x":2,\#(both)}"#)
        expectConflicts(1, process)
    }

    @Test func `where the group owns the field, the app's program is the one that loses`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#, "{ownership: {group: [/x]}}")
        collide(#"{"x":10,"y":0}"#, #"{"x":1,"y":0}"#, loser: app, process)
        expectBoth(#"{"x":1,"y":0}"#)
        saveFromMemory(#"{"x":10,"y":1}"#, at: app, process)
        expectBoth(#"{"x":1,"y":1}"#)
        saveFromMemory(#"{"x":11,"y":1}"#, at: app, process)
        expectBoth(#"{"x":11,"y":1}"#)
        expectConflicts(1, process)
    }

    @Test func `both programs can lose one field each`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#, "{ownership: {group: [/y]}}")
        collide(#"{"x":10,"y":10}"#, #"{"x":1,"y":1}"#, process)
        hear(.published, of: app, by: process)
        expectBoth(#"{"x":10,"y":1}"#)
        saveFromMemory(#"{"x":1,"y":2}"#, process)
        expectBoth(#"{"x":10,"y":2}"#)
        hear(.published, of: app, by: process)
        saveFromMemory(#"{"x":11,"y":10}"#, at: app, process)
        expectBoth(#"{"x":11,"y":2}"#)
        expectConflicts(1, process)
    }

    @Test func `where a rule decides there is nothing to settle`() throws {
        let process = try living(with: #"{"x":0,"m":0,"s":0}"#, "{merge: {/m: max, /s: sum}}")
        collide(#"{"x":10,"m":10,"s":10}"#, #"{"x":1,"m":1,"s":1}"#, process)
        expectBoth(#"{"x":10,"m":10,"s":11}"#)
        saveFromMemory(#"{"x":2,"m":2,"s":3}"#, process)
        expectBoth(#"{"x":2,"m":10,"s":13}"#)
        expectConflicts(1, process)
    }

    /// The app's program has version 2, the group's has version 1.
    @Test func `a program of an older version has the same edits`() throws {
        let mark = "version: {field: version, missing: 1}"
        let versions = "versions: {1: {}, 2: {lenses: [{rename: {from: x, to: z}}]}}"
        let process = try living(with: #"{"x":0,"y":0}"#, "{\(mark), \(versions)}")
        collide(#"{"version":2,"z":10,"y":0}"#, #"{"x":1,"y":0}"#, process)
        #expect(disk.text(group) == #"{"x":10,"y":0}"#)
        saveFromMemory(#"{"x":1,"y":5}"#, process)
        #expect(disk.text(group) == #"{"x":10,"y":5}"#)
        #expect(disk.text(app) == #"{"version":2,"z":10,"y":5}"#)
        saveFromMemory(#"{"x":2,"y":5}"#, process)
        #expect(disk.text(group) == #"{"x":2,"y":5}"#)
        #expect(disk.text(app) == #"{"version":2,"z":2,"y":5}"#)
        expectConflicts(1, process)
    }

    // MARK: In other places

    @Test func `a program that reads in between edits what it read`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#)
        collide(#"{"x":10,"y":0}"#, #"{"x":1,"y":0}"#, process)
        hear(.opened, .read, .closed, by: process)
        saveFromMemory(#"{"x":1,"y":0}"#, process)
        expectBoth(#"{"x":1,"y":0}"#)
        expectConflicts(1, process)
    }

    /// The group's program saves directly before the app's change gets the document's name.
    private func race(_ inGroup: String, _ process: LivingEngine) {
        var isOpen = true
        disk.meanwhile = { [disk, group] call, file in
            guard isOpen, call == .rename, file?.root == .group else { return }
            isOpen = false
            disk.world.save(group, Array(inGroup.utf8))
        }
    }

    @Test func `a conflict with a displaced save is settled as well`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#)
        race(#"{"x":1,"y":1}"#, process)
        save(#"{"x":10,"y":0}"#, app)
        process.proceed(hearingOf: app)
        expectBoth(#"{"x":10,"y":1}"#)
        expectConflicts(1, process)
        hear(.saved, .published, .published, by: process)
        saveFromMemory(#"{"x":1,"y":2}"#, process)
        expectBoth(#"{"x":10,"y":2}"#)
        saveFromMemory(#"{"x":2,"y":2}"#, process)
        expectBoth(#"{"x":2,"y":2}"#)
        expectConflicts(1, process)
    }

    /// Nothing of the displaced save stands.
    @Test func `so is one that a displaced save lost as a whole`() throws {
        let process = try living(with: #"{"x":0}"#)
        race(#"{"x":1}"#, process)
        save(#"{"x":10}"#, app)
        process.proceed(hearingOf: app)
        hear(.saved, .published, by: process)
        expectBoth(#"{"x":10}"#)
        saveFromMemory(#"{"x":2}"#, process)
        expectBoth(#"{"x":2}"#)
        expectConflicts(1, process)
    }

    @Test(arguments: [
        (#"{"x":2,"t":0}"#, #"{"x":2,"t":1}"#), (#"{"x":1,"t":0,"y":1}"#, #"{"x":10,"t":1,"y":1}"#),
    ])
    func `a save that is displaced after a conflict was settled has the same edits`(
        later: String,
        both: String
    ) throws {
        let process = try living(with: #"{"x":0,"t":0}"#)
        collide(#"{"x":10,"t":0}"#, #"{"x":1,"t":0}"#, process)
        race(later, process)
        save(#"{"x":10,"t":1}"#, app)
        process.proceed(hearingOf: app, for: .milliseconds(100))
        #expect(process.engine.hasQuestions)
        process.engine.asked(1, at: process.now)
        hear(.saved, .published, by: process)
        process.engine.answered(1, at: process.now)
        process.proceed()
        expectBoth(both)
        expectConflicts(1, process)
        hear(.published, by: process)
        saveFromMemory(later.replacing(#""t":0"#, with: #""t":5"#), process)
        expectBoth(both)
        expectConflicts(2, process)
    }

    /// The bridge publishes the settled content over a save, and displaces a later one.
    @Test func `a save between the conflict and its publication is an edit of the save before`() throws {
        let process = try living(with: #"{"x":0,"y":0}"#)
        race(#"{"x":2,"y":1}"#, process)
        collide(#"{"x":10,"y":0}"#, #"{"x":1,"y":0}"#, process)
        expectBoth(#"{"x":2,"y":1}"#)
        expectConflicts(1, process)
    }
}
