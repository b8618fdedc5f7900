import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

@Suite struct OldViewTests {
    private static let profile = ProfileEditTests.profile(
        "versions: {1: {}, 2: {lenses: [{add: {field: size, value: 1}}]}}"
    )
    private static let viewing = profile + "\n    views: [1]"
    private static let text = #"{"version":2,"name":"a","size":1}"#
    private static let view = #"{"name":"a"}"#

    private func published(_ profile: String = viewing) throws -> EditedWorld {
        let world = EditedWorld()
        world.save(Self.text, .app)
        try world.run(profile)
        return world
    }

    private func names(_ world: EditedWorld) -> [[String]] {
        [Side.app, .group].map { world.disk.world.files(Root($0)).map(\.path.description).sorted() }
    }

    @Test func `A view that the profile no longer has is removed, and does not become a document`() throws {
        let world = try published()
        #expect(world.read(.group, "a.v1.json") == Self.view)
        try world.run(Self.profile)
        #expect(names(world) == [["a.json"], ["a.json"]] && world.both == [Self.text, Self.text])
        #expect(world.kept.contains(Self.view) && world.notices.isEmpty)
        world.save("{}", .app, as: "a.v1.json")
        try world.run(Self.profile)
        #expect(world.read(.group, "a.v1.json") == "{}")
    }

    @Test func `A file that replaced a view is in the trash under the view's name`() throws {
        let world = try published()
        _ = world.disk.world.delete(world.place("a.v1.json", .group))
        world.save(#"{"own":1}"#, .group, as: "a.v1.json")
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == Self.view)
        var engine = try #require(world.engine)
        let found = try engine.history(of: world.place("a.v1.json", .group).path)
        #expect(found.map(\.side) == [.group] && found.map(\.document) == ["a.v1.json"])
        #expect(found.first?.hash == Digest(of: Array(#"{"own":1}"#.utf8)).description)
        let view = world.place("a.v1.json", .group).path
        #expect(found.first?.reason == .known(.overwritten(.viewPublished(view))))
        let id = try #require(found.first?.id)
        let now = Moment(uptime: .seconds(900), unixNanoseconds: 2_000_000_000_000)
        #expect(throws: DecisionFailure.self) { try engine.undo(id, at: now) }
        #expect(world.read(.group, "a.v1.json") == Self.view)
    }

    @Test func `It is removed without its profile as well`() throws {
        let world = try published()
        try world.run(nil, changing: true)
        #expect(names(world) == [["a.json"], ["a.json"]])
    }

    @Test func `A view that changes its container exists only there`() throws {
        let world = try published()
        try world.run(Self.profile + "\n    views: {app: [1]}")
        #expect(names(world) == [["a.json", "a.v1.json"], ["a.json"]])
    }

    @Test func `A file that a program has put there since is a document`() throws {
        let world = try published()
        _ = world.disk.world.delete(world.place("a.v1.json", .group))
        world.save(#"{"own":1}"#, .group, as: "a.v1.json")
        try world.run(Self.profile)
        #expect(world.read(.app, "a.v1.json") == #"{"own":1}"#)
    }

    private static let taken =
        "its view a.v1.json: a file that the bridge did not write has that name; "
        + "move it away, or remove the view from the profile"

    @Test func `A program's file with the name of a view stays, and the view waits`() throws {
        let world = EditedWorld()
        world.save(Self.text, .app)
        world.save(#"{"own":1}"#, .group, as: "a.v1.json")
        for _ in 0..<2 {
            try world.run(Self.viewing)
            let row = try world.engine(Self.viewing).rehearsed().rows.first
            #expect(row?.state == .held && row?.reason?.text == Self.taken)
            #expect(world.row?.state == .held && world.row?.reason?.text == Self.taken)
            #expect(world.read(.group, "a.v1.json") == #"{"own":1}"# && world.both == [Self.text, Self.text])
        }
        for side in Side.allCases { _ = world.disk.world.delete(world.place("a.json", side)) }
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == #"{"own":1}"#)
        world.save(Self.text, .app)
        _ = world.disk.world.delete(world.place("a.v1.json", .group))
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == Self.view && world.row?.state == .synced)
    }

    @Test func `A file with the content of the view is accepted as the view`() throws {
        let world = EditedWorld()
        world.save(Self.text, .app)
        world.save(Self.view, .group, as: "a.v1.json")
        try world.run(Self.viewing)
        #expect(world.row?.state == .synced)
    }

    @Test func `A view is recognized if the journal is lost`() throws {
        let world = try published()
        world.loseJournal()
        world.save(#"{"version":2,"name":"b","size":1}"#, .app)
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == #"{"name":"b"}"# && world.row?.state == .synced)
    }

    @Test func `A view that neither profile nor journal has is not a document`() throws {
        let world = try published()
        world.loseJournal()
        #expect(try world.engine(Self.profile).rehearsed().changes.map(\.document) == ["a.json"])
        try world.run(Self.profile)
        #expect(names(world) == [["a.json"], ["a.json"]])
        #expect(world.notices.map(\.document.description) == ["a.json"])
    }

    @Test func `Without file attributes any file with the name is taken for a view`() throws {
        let world = EditedWorld()
        (world.disk.canMarkRoots, world.disk.canMarkFiles) = (false, false)
        world.save(Self.text, .app)
        world.save(#"{"own":1}"#, .group, as: "a.v1.json")
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == Self.view && world.kept.contains(#"{"own":1}"#))
    }

    @Test func `A document whose name becomes a view's stays a document until it is moved away`() throws {
        let world = EditedWorld()
        world.save(Self.text, .app)
        world.save(#"{"own":1}"#, .app, as: "a.v1.json")
        try world.run(Self.profile)
        #expect(world.read(.group, "a.v1.json") == #"{"own":1}"#)
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == #"{"own":1}"# && world.row?.reason?.text == Self.taken)
        try world.run(Self.profile)
        for side in Side.allCases { #expect(world.read(side, "a.v1.json") == #"{"own":1}"#) }
        _ = world.disk.world.delete(world.place("a.v1.json", .group))
        try world.run(Self.viewing)
        #expect(world.read(.group, "a.v1.json") == Self.view)
        try world.run(Self.profile)
        #expect(world.read(.app, "a.v1.json") == #"{"own":1}"#)
    }

    @Test func `A dry run also reports that a view has no place`() throws {
        let world = try published()
        let place = world.place("a.v1.json", .group)
        _ = world.disk.world.delete(place)
        #expect(try world.engine(Self.viewing).rehearsed().rows.map(\.state) == [.synced])
        try world.disk.makeDirectory(place)
        let row = try #require(try world.engine(Self.viewing).rehearsed().rows.first)
        #expect(row.state == .held)
        #expect(
            row.reason?.text
                == "its view a.v1.json: something that is not a file has that name; move it away"
        )
        try world.run(Self.viewing)
        #expect(world.row?.reason == row.reason)
    }

    @Test func `A dry run does not take it for a document, and writes nothing`() throws {
        let world = try published()
        let engine = try world.engine(Self.profile)
        #expect(engine.rehearsed().changes.isEmpty)
        #expect(world.read(.group, "a.v1.json") == Self.view)
    }

    @Test func `After a kill at any call the next run removes it as well`() throws {
        let whole = try published()
        let before = whole.disk.calls
        try whole.run(Self.profile)
        for kill in before + 1...whole.disk.calls {
            let world = try published()
            world.disk.fail = { _, _ in world.disk.calls == kill ? .death() : nil }
            try? world.run(Self.profile)
            world.disk.fail = { _, _ in nil }
            try world.disk.restart()
            try world.run(Self.profile)
            #expect(names(world) == [["a.json"], ["a.json"]], "\(kill)")
        }
    }
}
