import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A save that a killed run displaced and the next run cannot merge with the current content: it is
/// reported like any conflict.
@Suite struct RecoveredConflictTests {
    /// The side's program saves `save` while the other side's edit is published there, and the bridge is
    /// killed directly after that.
    private func killed(
        _ save: String,
        on side: Side = .group,
        beginningWith first: String = #"{"n":1}"#,
        then edit: String = #"{"n":2}"#,
        meanwhile act: (EditedWorld) -> Void = { _ in }
    ) throws -> EditedWorld {
        let world = EditedWorld()
        for side in Side.allCases { world.save(first, side) }
        try world.run(nil)
        world.save(edit, side.other)
        var isPublished = false
        world.disk.fail = { [unowned world] call, place in
            if isPublished { return .death() }
            guard call == .rename, place?.root == Root(side) else { return nil }
            world.save(save, side)
            isPublished = true
            return nil
        }
        try world.run(nil)
        #expect(world.disk.isDead && world.read(side) == edit)
        world.disk.fail = { _, _ in nil }
        act(world)
        try world.disk.restart()
        return world
    }

    private func conflicts(_ world: EditedWorld) -> [PlannedChange] {
        world.changes.filter { $0.action == .conflict }
    }

    @Test func `A conflict found during recovery is reported once`() throws {
        let world = try killed(#"{"n":3}"#)
        try world.run(nil)
        #expect(world.both == [#"{"n":2}"#, #"{"n":2}"#] && world.kept.contains(#"{"n":3}"#))
        #expect(conflicts(world).map(\.document) == ["a.json"])
        #expect(conflicts(world).allSatisfy { $0.reason == .done(.raced(in: .group, .appStands)) })
        try world.run(nil)
        #expect(conflicts(world).isEmpty)
    }

    @Test func `It is reported once without a journal, too`() throws {
        let world = try killed(#"{"n":3}"#)
        world.loseJournal()
        try world.run(nil)
        #expect(world.kept.contains(#"{"n":3}"#))
        #expect(conflicts(world).map(\.document) == ["a.json"], "\(world.changes)")
        #expect(conflicts(world).allSatisfy { $0.reason == .done(.raced(in: .group, .appStands)) })
    }

    @Test func `Changes that can be merged are no conflict`() throws {
        let world = try killed(#"{"n":1,"m":3}"#)
        try world.run(nil)
        #expect(world.both == [#"{"n":2,"m":3}"#, #"{"n":2,"m":3}"#] && conflicts(world).isEmpty)
    }

    /// What the killed run published counts as base now, and is not the base of the save.
    @Test func `A save is merged on its base, and undoes nothing`() throws {
        let world = try killed(#"{"n":1,"m":3}"#, beginningWith: #"{"n":1,"m":1}"#, then: #"{"n":2,"m":1}"#) {
            $0.save(#"{"n":4,"m":1}"#, .app)
        }
        try world.run(nil)
        #expect(world.both == [#"{"n":4,"m":3}"#, #"{"n":4,"m":3}"#] && conflicts(world).isEmpty)
    }

    @Test(arguments: Side.allCases)
    func `A later save of the same program wins over the displaced one`(_ side: Side) throws {
        let first = #"{"n":1,"m":1,"k":1}"#
        let edit = #"{"n":2,"m":1,"k":1}"#
        let world = try killed(#"{"n":1,"m":3,"k":4}"#, on: side, beginningWith: first, then: edit) {
            $0.save(#"{"n":2,"m":9,"k":1}"#, side)
        }
        try world.run(nil)
        let merged = #"{"n":2,"m":9,"k":4}"#
        #expect(world.both == [merged, merged])
        #expect(conflicts(world).allSatisfy { $0.reason == .done(.raced(in: side, .laterStands)) })
        #expect(!conflicts(world).isEmpty && world.kept.contains(#"{"n":1,"m":3,"k":4}"#))
    }
}
