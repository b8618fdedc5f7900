import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A save that was displaced by a run that was killed, and that the next run cannot unite with what stands
/// there: whoever runs it is told, as of any conflict.
@Suite struct RecoveredConflictTests {
    /// The group's program saves `save` while the app's edit is published there, and the bridge is killed
    /// right after.
    private func killed(
        _ save: String,
        beginningWith first: String = #"{"n":1}"#,
        then edit: String = #"{"n":2}"#,
        meanwhile act: (EditedWorld) -> Void = { _ in }
    ) throws -> EditedWorld {
        let world = EditedWorld()
        for side in Side.allCases { world.save(first, side) }
        try world.run(nil)
        world.save(edit, .app)
        var isPublished = false
        world.disk.fail = { [unowned world] call, place in
            if isPublished { return .death() }
            guard call == .rename, place?.root == .group else { return nil }
            world.save(save, .group)
            isPublished = true
            return nil
        }
        try world.run(nil)
        #expect(world.disk.isDead && world.read(.group) == edit)
        world.disk.fail = { _, _ in nil }
        act(world)
        try world.disk.restart()
        return world
    }

    private func conflicts(_ world: EditedWorld) -> [PlannedChange] {
        world.changes.filter { $0.action == .conflict }
    }

    @Test func `A conflict that is found in putting things in order is told once`() throws {
        let world = try killed(#"{"n":3}"#)
        try world.run(nil)
        #expect(world.both == [#"{"n":2}"#, #"{"n":2}"#] && world.kept.contains(#"{"n":3}"#))
        #expect(conflicts(world).map(\.document) == ["a.json"])
        #expect(conflicts(world).allSatisfy { $0.reason == .done(.raced(in: .group, .appStands)) })
        try world.run(nil)
        #expect(conflicts(world).isEmpty)
    }

    @Test func `So is one where the journal is gone, too`() throws {
        let world = try killed(#"{"n":3}"#)
        world.loseJournal()
        try world.run(nil)
        #expect(world.kept.contains(#"{"n":3}"#))
        #expect(conflicts(world).map(\.document) == ["a.json"], "\(world.changes)")
        #expect(conflicts(world).allSatisfy { $0.reason == .done(.raced(in: .group, .appStands)) })
    }

    @Test func `What can be united is none`() throws {
        let world = try killed(#"{"n":1,"m":3}"#)
        try world.run(nil)
        #expect(world.both == [#"{"n":2,"m":3}"#, #"{"n":2,"m":3}"#] && conflicts(world).isEmpty)
    }

    /// What the killed run had brought counts as agreed by then, and is not what the save was made on.
    @Test func `A save is united with what it was made on, and takes nothing back`() throws {
        let world = try killed(#"{"n":1,"m":3}"#, beginningWith: #"{"n":1,"m":1}"#, then: #"{"n":2,"m":1}"#) {
            $0.save(#"{"n":4,"m":1}"#, .app)
        }
        try world.run(nil)
        #expect(world.both == [#"{"n":4,"m":3}"#, #"{"n":4,"m":3}"#] && conflicts(world).isEmpty)
    }
}
