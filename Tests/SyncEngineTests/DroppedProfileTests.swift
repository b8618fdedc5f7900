import Model
import SyncEngine
import Testing

/// A bridge that continues without its previous profile, so that versions are unknown.
@Suite struct DroppedProfileTests {
    private static let profile = ProfileEditTests.profile(
        """
        versions:
          1: {}
          2: {lenses: [{rename: {from: name, to: title}}]}
          3: {lenses: [{add: {field: size, value: 1}}]}
        """
    )
    private static let old = #"{"name":"b","n":1}"#
    private static let agreed = #"{"version":3,"title":"a","n":1,"size":1}"#
    private static let new = #"{"version":3,"title":"a","n":2,"size":1}"#

    private func dropped() throws -> EditedWorld {
        let world = EditedWorld()
        for side in Side.allCases { world.save(Self.agreed, side) }
        try world.run(Self.profile)
        return world
    }

    @Test func `Saves of two versions are held, not merged key by key`() throws {
        let world = try dropped()
        world.save(Self.old, .app)
        world.save(Self.new, .group)
        try world.run(nil, changing: true)
        #expect(world.both == [Self.old, Self.new])
        #expect(world.row?.state == .held)
        let reason = "its base has version 3, and the profile has no versions of it"
        #expect(world.row?.reason?.text == reason)
        // With the profile it is as before.
        try world.run(Self.profile, changing: true)
        #expect(world.row?.state == .synced)
    }

    @Test func `A save of one side is synced, and later changes are merged again`() throws {
        let world = try dropped()
        world.save(Self.new, .group)
        try world.run(nil, changing: true)
        #expect(world.both == [Self.new, Self.new] && world.row?.state == .synced)
        world.save(Self.new.replacing("\"a\"", with: "\"c\""), .app)
        world.save(Self.new.replacing("\"n\":2", with: "\"n\":3"), .group)
        try world.run(nil)
        let merged = #"{"version":3,"title":"c","n":3,"size":1}"#
        #expect(world.both == [merged, merged])
    }

    @Test func `Equal contents need no merge`() throws {
        let world = try dropped()
        for side in Side.allCases { world.save(Self.old, side) }
        try world.run(nil, changing: true)
        #expect(world.both == [Self.old, Self.old] && world.row?.state == .synced)
    }
}
