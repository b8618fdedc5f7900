import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Decisions and undo, on a simulated disk.
@Suite struct ResolutionTests {
    private typealias Simulated = Engine
    private static let now = Moment(uptime: .seconds(100), unixNanoseconds: 1_000_000_000_000)

    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "m")

    private func place(_ side: Side, _ name: String = "a.json") throws -> Location {
        Location(side, try #require(RelativePath(name)))
    }

    private func engine() throws -> Simulated {
        try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: nil,
            settings: EngineSettings(),
            number: 1
        )
    }

    private func save(_ text: String, _ side: Side) throws {
        disk.now += 1_000_000_000
        disk.world.save(try place(side), Array(text.utf8))
    }

    private func text(_ side: Side) throws -> String {
        let path = try place(side).path
        let file = try #require(disk.world.files(Root(side)).first { $0.path == path })
        return String(decoding: file.bytes, as: UTF8.self)
    }

    /// Runs until nothing is due.
    private func run(_ engine: inout Simulated, at now: Moment = now) -> [PlannedChange] {
        var changes: [PlannedChange] = []
        engine.markAllDirty(at: now)
        for turn in 0..<16 {
            var now = now
            now.uptime += .milliseconds(5 * turn)
            changes += engine.turn(at: now).changes
        }
        return changes
    }

    private func quarrelled() throws -> Simulated {
        var engine = try engine()
        try save(#"{"a":1,"b":1}"#, .app)
        _ = run(&engine)
        try save(#"{"a":2,"b":1}"#, .app)
        try save(#"{"a":3,"b":2}"#, .group)
        #expect(run(&engine).map(\.action) == [.conflict])
        return engine
    }

    @Test func `The journal has the record with the turn that resolved it`() throws {
        let engine = try quarrelled()
        let record = try #require(try journal.conflicts().first)
        #expect(record.fields == [ConflictRecord.Field(pointer: "/a", base: "1", app: "2", group: "3")])
        #expect(record.other == Array(#"{"a":2,"b":1}"#.utf8))
        #expect(
            engine.rows().first?.conflicts.map(\.id) == [record.id] && engine.rows().first?.state == .synced
        )
        #expect(
            try self.engine().rows().first?.conflicts.map(\.id) == [record.id],
            "known to the next run, too"
        )
    }

    @Test func `A save that lost to a racing save is listed with its conflict`() throws {
        var engine = try engine()
        try save(#"{"a":1,"b":1}"#, .app)
        _ = run(&engine)
        try save(#"{"a":2,"b":1}"#, .app)
        var isOpen = true
        let racer = try place(.group)
        disk.meanwhile = { [disk] call, file in
            guard isOpen, call == .rename, file?.root == .group else { return }
            isOpen = false
            disk.world.save(racer, Array(#"{"a":3,"b":9}"#.utf8))
        }
        _ = run(&engine)
        #expect(!isOpen)
        #expect(try text(.group) == #"{"a":2,"b":9}"#)
        let conflict = try #require(try engine.conflicts().first)
        #expect(conflict.side == .group && conflict.document == "a.json")
        #expect(conflict.fields == [ConflictRecord.Field(pointer: "/a", base: "1", app: "2", group: "3")])
        let edit = try engine.resolve(conflict.id, taking: .side(.group), at: Self.now)
        #expect(edit.isWritten)
        _ = run(&engine)
        #expect(try text(.app) == #"{"a":3,"b":9}"#)
    }

    @Test func `Of alternating decisions the last one applies`() throws {
        var engine = try quarrelled()
        let id = try #require(try engine.conflicts().first).id
        try save(#"{"a":7,"b":2}"#, .app)
        _ = run(&engine)
        let edit = try engine.resolve(id, taking: .side(.app), at: Self.now)
        #expect(edit.isWritten && edit.side == .app)
        let change = try #require(run(&engine).first)
        #expect(change.from == .app && change.reason == .done(.decided(conflict: id, winner: .app)))
        #expect(try text(.group) == #"{"a":2,"b":2}"#)
        #expect(try engine.conflicts().isEmpty && engine.rows().first?.conflicts == [])
        #expect(throws: DecisionFailure.unknown) {
            try engine.resolve(id, taking: .side(.app), at: Self.now)
        }
    }

    @Test func `The same conflict is open again when it recurs`() throws {
        var engine = try quarrelled()
        let id = try #require(try engine.conflicts().first).id
        _ = try engine.resolve(id, taking: .side(.app), at: Self.now)
        try save(#"{"a":1,"b":1}"#, .app)
        _ = run(&engine)
        try save(#"{"a":2,"b":1}"#, .app)
        try save(#"{"a":3,"b":2}"#, .group)
        _ = run(&engine)
        #expect(try engine.conflicts().map(\.id) == [id])
    }

    @Test func `A decision for a deleted document restores it`() throws {
        var engine = try quarrelled()
        let id = try #require(try engine.conflicts().first).id
        let path = try place(.app).path
        try disk.remove(Location(Side.app, path))
        try disk.remove(Location(Side.group, path))
        _ = run(&engine)
        _ = try engine.resolve(id, taking: .side(.group), at: Self.now)
        _ = run(&engine, at: Moment(uptime: .seconds(200), unixNanoseconds: 1_100_000_000_000))
        #expect(try text(.app) == #"{"a":3,"b":2}"#)
    }

    @Test func `Without an overwrite the document is held: a link is never replaced`() throws {
        var engine = try engine()
        try save("[1]", .app)
        _ = run(&engine)
        try save("[2]", .app)
        _ = run(&engine)
        let old = try #require(try engine.history().first)
        let target = try place(.group)
        try disk.remove(target)
        _ = disk.world.makeSymbolicLink(target)
        #expect {
            try engine.undo(old.id, at: Self.now)
        } throws: { error in
            switch error as? DecisionFailure {
            case .put(.problem, let path, .group)?: path == target.path
            case .file(.notRegular)?: true
            default: false
            }
        }
    }

    @Test func `A prefix of an ID that is too short or ambiguous is refused`() throws {
        var engine = try engine()
        for number in 0..<40 {
            try save("[\(number)]", .app)
            _ = run(&engine, at: Moment(uptime: .seconds(100 + number), unixNanoseconds: disk.now))
        }
        let id = try #require(try engine.history().first).id
        #expect(throws: DecisionFailure.unknown) { try engine.undo(String(id.prefix(3)), at: Self.now) }
        #expect(throws: DecisionFailure.unknown) { try engine.undo("", at: Self.now) }
        #expect(try engine.undo(String(id.prefix(8)), at: Self.now).isWritten)
    }
}
