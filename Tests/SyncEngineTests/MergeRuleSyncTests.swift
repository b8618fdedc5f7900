import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// The built-in profile of tasks, with both programs writing at the same time.
@Suite struct MergeRuleSyncTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "m")

    private func living() throws -> LivingEngine {
        try LivingEngine(disk, journal, profile: Profile.builtIn("todo"))
    }

    private func tasks(_ titles: [(id: Int, title: String)], at time: Int, note: String = "") -> [UInt8] {
        let tasks = titles.map {
            #"{"id":\#($0.id),"title":"\#($0.title)","isCompleted":false,"priority":0,"#
                + #""priorityLabel":"High","priorityColor":1}"#
        }
        let config =
            #"{"name":"\#(note)","size":1,"showCompleted":true,"showCategories":true,"showPriority":true,"#
            + #""maxTasks":3}"#
        let text =
            #"{"config":\#(config),"tasks":[\#(tasks.joined(separator: ","))],"updatedAt":\#(time),"#
            + #""taskCount":\#(titles.count),"completedCount":0,"overdueCount":0}"#
        return Array(text.utf8)
    }

    private let three = [(id: 1, title: "a"), (id: 2, title: "b"), (id: 3, title: "c")]

    private func expectFive(_ living: LivingEngine) throws {
        for place in [inApp("todo.json"), inGroup("todo.json")] {
            let bytes = try #require(disk.world.read(place))
            let expected = try JSON(
                parsing: tasks(three + [(id: 5, title: "group"), (id: 4, title: "app")], at: 9)
            )
            #expect(
                try JSON(parsing: bytes).isEqual(to: expected),
                "\(String(decoding: bytes, as: UTF8.self))"
            )
        }
        #expect(try living.engine.conflicts().isEmpty)
    }

    @Test func `each side adds a task: five tasks, five counted, no conflict`() throws {
        let living = try living()
        disk.world.save(inApp("todo.json"), tasks(three, at: 1))
        living.live()
        disk.world.save(inApp("todo.json"), tasks(three + [(id: 4, title: "app")], at: 8))
        disk.world.save(inGroup("todo.json"), tasks(three + [(id: 4, title: "group")], at: 9))
        living.live()
        try expectFive(living)
    }

    @Test func `a value that no rule can compute stays, and the history says so`() throws {
        let yaml =
            "profile: sums\ndocuments: {a.json: {version: {field: version, missing: 1}, versions: {1: {}}, "
            + "merge: {/total: {derived: {sum: /rows/*}}}}}"
        let living = try LivingEngine(disk, journal, profile: Profile(yaml: yaml, file: "sums.yaml"))
        disk.world.save(inApp("a.json"), Array(#"{"total":1,"rows":[1]}"#.utf8))
        living.live()
        disk.world.save(inApp("a.json"), Array(#"{"total":1,"rows":["no number"]}"#.utf8))
        disk.world.save(inGroup("a.json"), Array(#"{"total":1,"rows":[1],"n":1}"#.utf8))
        living.live()
        #expect(disk.text(inGroup("a.json")) == #"{"total":1,"rows":["no number"],"n":1}"#)
        #expect(try journal.events(of: inApp("a.json").path).last?.what == .merged(uncomputed: ["/total"]))
    }

    @Test func `a displaced save is merged by the same rules`() throws {
        let living = try living()
        disk.world.save(inApp("todo.json"), tasks(three, at: 1))
        living.live()
        disk.world.save(inApp("todo.json"), tasks(three + [(id: 4, title: "app")], at: 9))
        var isOpen = true
        let racing = tasks(three + [(id: 4, title: "group")], at: 8)
        disk.meanwhile = { [disk] call, file in
            guard isOpen, call == .rename, file?.root == .group else { return }
            isOpen = false
            disk.world.save(inGroup("todo.json"), racing)
        }
        living.live()
        #expect(!isOpen && living.engine.counters.races > 0)
        try expectFive(living)
    }

    /// Its program saves once more before its first save is merged.
    @Test(arguments: [Side.app, .group])
    func `a side's decided value is its last save's, and its first save is in the trash`(side: Side) throws {
        let profile = try Profile(
            yaml: "profile: p\ndocuments: {a.json: {merge: {/f: {mine: \(side.rawValue)}}}}",
            file: "p"
        )
        let living = try LivingEngine(disk, journal, profile: profile)
        let (mine, other) = (Location(side, inApp("a.json").path), Location(side.other, inApp("a.json").path))
        disk.world.save(mine, Array(#"{"f":1}"#.utf8))
        living.live()
        disk.world.save(other, Array(#"{"f":1,"k":1}"#.utf8))
        var saves = [#"{"f":3,"k":1}"#, #"{"f":2}"#]
        disk.meanwhile = { [disk] call, place in
            guard place?.root == mine.root, call == .rename || saves.count == 1, let save = saves.popLast()
            else { return }
            disk.world.save(mine, Array(save.utf8))
        }
        living.live()
        #expect(saves.isEmpty)
        #expect(living.engine.counters.conflicts == 0)
        let trash = disk.world.files(in: Trash.directory, of: .state).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(trash.contains(#"{"f":2}"#))
        for place in [mine, other] { #expect(disk.text(place) == #"{"f":3,"k":1}"#) }
    }

    @Test func `a displaced save waits while the current file cannot be read`() throws {
        let living = try living()
        disk.world.save(inApp("todo.json"), tasks(three, at: 1))
        living.live()
        disk.world.save(inApp("todo.json"), tasks(three + [(id: 4, title: "app")], at: 9))
        let racing = tasks(three + [(id: 4, title: "group")], at: 8)
        disk.meanwhile = { [disk] call, file in
            guard call == .rename, file?.root == .group else { return }
            disk.meanwhile = { _, _ in }
            disk.world.save(inGroup("todo.json"), racing)
            disk.fail = { call, file in
                call == .open && file == inGroup("todo.json") ? .error(5) : nil
            }
        }
        living.engine.markAllDirty(at: living.now)
        living.proceed(for: .milliseconds(500))
        #expect(living.engine.counters.races > 0)
        disk.fail = { _, _ in nil }
        living.proceed(hearingOf: inGroup("todo.json"))
        try expectFive(living)
    }

    @Test func `thirty concurrent saves that conflict only in the time stamp are thirty merges`() throws {
        let living = try living()
        disk.world.save(inApp("todo.json"), tasks(three, at: 0, note: "0"))
        living.live()
        var shared = three
        for round in 1...30 {
            shared[0].title = "a\(round)"
            disk.world.save(
                inApp("todo.json"),
                tasks(shared, at: round * 10 + round % 3, note: "\(round - 1)")
            )
            shared[0].title = "a\(round - 1 > 0 ? "\(round - 1)" : "")"
            disk.world.save(inGroup("todo.json"), tasks(shared, at: round * 10 + 1, note: "\(round)"))
            living.live()
            shared[0].title = "a\(round)"
            let expected = tasks(shared, at: round * 10 + max(1, round % 3), note: "\(round)")
            #expect(disk.text(inApp("todo.json")) == String(decoding: expected, as: UTF8.self))
            disk.world.save(inApp("todo.json"), tasks(shared, at: round * 10 + 5, note: "\(round)"))
            living.live()
        }
        #expect(try living.engine.conflicts().isEmpty)
        #expect(living.engine.counters.merges == 30 && living.engine.counters.conflicts == 0)
    }
}
