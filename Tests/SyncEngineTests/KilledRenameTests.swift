import FileSystemSimulation
import Glibc
import Model
import StateStore
import SyncEngine
import Testing

/// A run that was killed while it renamed documents of one side as a program had renamed them on the other.
@Suite struct KilledRenameTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()
    private let names = ["1", "2", "3"]

    private func process() throws -> LivingProcess<FaultyJournal> { try LivingProcess(disk, journal) }

    private func place(_ side: Side, _ name: String) throws -> Location {
        Location(side, try #require(RelativePath("\(name).json")))
    }

    private func begin(on side: Side) throws {
        for name in names { disk.world.save(try place(side, "a\(name)"), Array("[\(name)]".utf8)) }
        try process().live()
    }

    private func rename(_ old: String, _ new: String, on side: Side) throws {
        for name in names { disk.world.rename(try place(side, old + name), to: try place(side, new + name)) }
    }

    /// Runs a process that cannot record a rename, as if it had been killed after it.
    private func liveUntilRenamed() throws {
        try journal.withoutBases { try process().live() }
        #expect(try journal.intents().count == names.count)
    }

    private func documents(_ side: Side) -> [String] {
        disk.world.files(Root(side)).map(\.path.description).filter { !$0.hasPrefix(".") }.sorted()
    }

    private func expect(_ name: String, _ texts: (String) -> String = { "[\($0)]" }) throws {
        for side in Side.allCases {
            #expect(documents(side) == names.map { "\(name)\($0).json" })
            for one in names { #expect(disk.text(try place(side, name + one)) == texts(one)) }
        }
        #expect(try journal.intents().isEmpty)
    }

    @Test(arguments: Side.allCases)
    func `a document that is renamed once more has its newest name on both sides`(_ side: Side) throws {
        try begin(on: side)
        try rename("a", "b", on: side)
        try liveUntilRenamed()
        #expect(documents(side.other) == names.map { "b\($0).json" })
        try rename("b", "c", on: side)
        let next = try process()
        #expect(next.live() == nil)
        try expect("c")
        #expect(next.engine.counters.conflicts == 0)
    }

    @Test(arguments: Side.allCases)
    func `an edit of either side since is an edit`(_ side: Side) throws {
        try begin(on: .app)
        try rename("a", "b", on: .app)
        try liveUntilRenamed()
        for name in names { disk.world.save(try place(side, "b" + name), Array("[\(name), 0]".utf8)) }
        let next = try process()
        #expect(next.live() == nil)
        try expect("b") { "[\($0), 0]" }
        #expect(next.engine.counters.conflicts == 0)
    }

    @Test(arguments: Side.allCases)
    func `a rename that was announced and not made is made`(_ side: Side) throws {
        try begin(on: side)
        try rename("a", "b", on: side)
        try journal.withDeath(atRenameOn: side.other, of: disk) { try process().live() }
        #expect(documents(side.other) == names.map { "a\($0).json" })
        #expect(try journal.intents().count == names.count)
        #expect(try process().live() == nil)
        try expect("b")
    }

    @Test func `a document that cannot be renamed is copied, and its old name deleted`() throws {
        try begin(on: .app)
        let living = try process()
        #expect(living.live() == nil)
        try rename("a", "b", on: .app)
        var failures = 0
        disk.fail = { [names] call, place in
            guard call == .rename, place?.root == .group, failures < names.count else { return nil }
            failures += 1
            return .error(EXDEV)
        }
        #expect(living.live() == nil)
        #expect(failures == names.count)
        try expect("b")
    }
}
