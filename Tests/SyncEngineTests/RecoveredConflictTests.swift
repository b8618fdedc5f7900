import Reconciliation
import Storage
import SyncEngine
import Testing

/// A save that was displaced by a run that was killed, and that the next run cannot unite with what stands
/// there: whoever runs it is told, as of any conflict.
@Suite struct RecoveredConflictTests {
    /// The group's program saves `save` while the app's edit is published there, and the bridge is killed
    /// right after.
    private func killed(_ save: String) throws -> EditedWorld {
        let world = EditedWorld()
        for side in Side.allCases { world.save(#"{"n":1}"#, side) }
        try world.run(nil)
        world.save(#"{"n":2}"#, .app)
        var isPublished = false
        world.disk.fail = { [unowned world] call, place in
            if isPublished { return .death() }
            guard call == .rename, place?.root == .group else { return nil }
            world.save(save, .group)
            isPublished = true
            return nil
        }
        try world.run(nil)
        #expect(world.disk.isDead && world.read(.group) == #"{"n":2}"#)
        world.disk.fail = { _, _ in nil }
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
        #expect(conflicts(world).allSatisfy { $0.reason.hasSuffix("app's stands, group's is kept") })
        try world.run(nil)
        #expect(conflicts(world).isEmpty)
    }

    @Test func `So is one where the journal is gone, too`() throws {
        let world = try killed(#"{"n":3}"#)
        world.loseJournal()
        try world.run(nil)
        #expect(world.kept.contains(#"{"n":3}"#))
        #expect(conflicts(world).map(\.document) == ["a.json"], "\(world.changes)")
        #expect(conflicts(world).allSatisfy { $0.reason.contains("'s stands, ") })
    }

    @Test func `What can be united is none`() throws {
        let world = try killed(#"{"n":1,"m":3}"#)
        try world.run(nil)
        #expect(world.both == [#"{"n":2,"m":3}"#, #"{"n":2,"m":3}"#] && conflicts(world).isEmpty)
    }
}
