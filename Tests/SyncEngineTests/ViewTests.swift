import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A bridge on a simulated disk whose group container has readers of both versions.
final class ViewWorld {
    let disk = SimulatedDisk()
    let journal = MemoryJournal(instance: "v")
    let profile: Profile
    private var engine: Engine?
    private var now = Duration.seconds(100)
    private(set) var notices: [Notice] = []

    static let v1 = #"{"text":"a"}"#
    static let v2 = #"{"version":2,"text":"a","size":1}"#

    init(views: String = "[1]") throws {
        let yaml = """
            profile: notes
            documents:
              a.json:
                version: {field: version, missing: 1}
                views: \(views)
                versions:
                  1: {schema: {type: object, properties: {text: {maxLength: 9}}}}
                  2:
                    schema: {type: object, properties: {text: {}, size: {}}, required: [text]}
                    lenses: [{add: {field: size, value: 1}}]
            """
        profile = try Profile(yaml: yaml, file: "notes.yaml")
    }

    func place(_ name: String, _ side: Side = .group) -> Location {
        guard let path = RelativePath(name) else { preconditionFailure("a path") }
        return Location(side, path)
    }

    func save(_ text: String, _ side: Side) { save(text, "a.json", side) }

    func save(_ text: String, _ name: String, _ side: Side) {
        _ = disk.world.save(place(name, side), Array(text.utf8))
    }

    func read(_ name: String, _ side: Side = .group) -> String? {
        disk.world.read(place(name, side)).map { String(decoding: $0, as: UTF8.self) }
    }

    func names(_ side: Side) -> [String] { disk.world.files(Root(side)).map(\.path.description).sorted() }

    /// Starts a new process on what the last one left.
    func start() throws {
        engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: profile,
            settings: EngineSettings(),
            number: UInt64(disk.calls) << 8
        )
    }

    /// Checks everything until nothing is left to do, or the process is dead.
    func rest() throws {
        if engine == nil { try start() }
        engine?.markAllDirty(at: moment)
        try go()
    }

    /// A program has touched this file.
    func hint(_ name: String) throws {
        engine?.markDirty(place(name).path)
        try go()
    }

    /// A program has created, moved or removed this directory.
    func hint(beneath name: String, _ side: Side = .group) throws {
        engine?.markDirty(beneath: Subtrees([place(name).path]), on: side, at: moment)
        try go()
    }

    private func go() throws {
        for _ in 0..<50 where !disk.isDead {
            guard let turn = engine?.turn(at: moment) else { return }
            notices += turn.notices
            guard let deadline = engine?.deadline else { return }
            now = max(now, deadline) + .milliseconds(1)
        }
    }

    private var moment: Moment { Moment(uptime: now, unixNanoseconds: 1_000_000_000_000) }

    func row() -> DocumentRow? { engine?.rows().first }
}

@Suite struct ViewTests {
    @Test func `A view is published beside its document, in its version and read-only`() throws {
        let world = try ViewWorld()
        world.save(ViewWorld.v2, .app)
        try world.rest()
        #expect(world.read("a.json") == ViewWorld.v2 && world.read("a.v1.json") == ViewWorld.v1)
        #expect(world.names(.app) == ["a.json"] && world.names(.group) == ["a.json", "a.v1.json"])
        #expect(try world.disk.status(of: world.place("a.v1.json")).mode & 0o222 == 0)
        #expect(world.row()?.name == "a.json" && world.row()?.views.map(\.name) == ["a.v1.json"])
        world.save(ViewWorld.v2.replacing("\"a\"", with: "\"b\""), .app)
        try world.hint("a.json")
        #expect(world.read("a.v1.json") == ViewWorld.v1.replacing("\"a\"", with: "\"b\""))
        #expect(world.names(.group) == ["a.json", "a.v1.json"])
    }

    @Test func `Each container has the views that the profile names for it`() throws {
        let world = try ViewWorld(views: "{app: [2], group: [1]}")
        world.save(ViewWorld.v1, .app)
        try world.rest()
        #expect(world.read("a.v2.json", .app) == ViewWorld.v2)
        #expect(world.read("a.v1.json") == ViewWorld.v1)
        #expect(world.names(.app) == ["a.json", "a.v2.json"])
    }

    @Test func `An edit of a view is not synced: the view is restored, and the edit goes to the trash`()
        throws
    {
        let world = try ViewWorld()
        world.save(ViewWorld.v2, .app)
        try world.rest()
        let notices = world.notices
        for restarts in [false, true] {
            world.save(#"{"text":"edited"}"#, "a.v1.json", .group)
            if restarts {
                try world.start()
                try world.rest()
            } else {
                try world.hint("a.v1.json")
            }
            #expect(world.read("a.v1.json") == ViewWorld.v1)
            #expect(try world.disk.status(of: world.place("a.v1.json")).mode & 0o222 == 0)
            #expect(world.read("a.json", .app) == ViewWorld.v2 && world.read("a.json") == ViewWorld.v2)
        }
        #expect(world.notices == notices)
        let kept = world.disk.world.files(.state).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(kept.contains(#"{"text":"edited"}"#))
        _ = world.disk.world.delete(world.place("a.v1.json"))
        try world.hint("a.v1.json")
        #expect(world.read("a.v1.json") == ViewWorld.v1)
    }

    @Test func `A view is deleted with its document`() throws {
        let world = try ViewWorld()
        world.save(ViewWorld.v2, .app)
        world.save("{}", "b.json", .app)
        try world.rest()
        _ = world.disk.world.delete(world.place("a.json", .app))
        try world.hint("a.json")
        #expect(world.names(.group) == ["b.json"])
    }

    @Test func `A view is published before any notice of the document`() throws {
        let world = try ViewWorld()
        world.save(ViewWorld.v2, .app)
        world.disk.meanwhile = { _, _ in
            if !world.notices.isEmpty { #expect(world.read("a.v1.json") == ViewWorld.v1) }
        }
        try world.rest()
        #expect(world.notices.count == 1)
        #expect(world.read("a.v1.json") == ViewWorld.v1)
    }

    @Test func `After a kill at any call the next run publishes or removes the missing views`() throws {
        func story(_ world: ViewWorld) throws {
            try world.rest()
            world.save(ViewWorld.v2.replacing("\"a\"", with: "\"b\""), .app)
            try world.hint("a.json")
        }
        let whole = try ViewWorld()
        whole.save(ViewWorld.v2, .app)
        try story(whole)
        let calls = whole.disk.calls
        for kill in 1...calls {
            let world = try ViewWorld()
            world.save(ViewWorld.v2, .app)
            world.disk.fail = { _, _ in world.disk.calls == kill ? .death() : nil }
            try? story(world)
            world.disk.fail = { _, _ in nil }
            try world.disk.restart()
            try world.start()
            try world.rest()
            let text = try #require(world.read("a.json", .app))
            #expect(world.read("a.json") == text, "\(kill)")
            let view = text == ViewWorld.v2 ? ViewWorld.v1 : ViewWorld.v1.replacing("\"a\"", with: "\"b\"")
            #expect(world.read("a.v1.json") == view, "\(kill)")
            #expect(world.names(.group) == ["a.json", "a.v1.json"], "\(kill)")
            #expect(world.names(.app) == ["a.json"], "\(kill)")
        }
    }

    @Test func `A view that cannot be made is reported, and its document is synced`() throws {
        let world = try ViewWorld()
        let long = ViewWorld.v2.replacing("\"a\"", with: "\"0123456789\"")
        world.save(long, .app)
        try world.rest()
        #expect(world.read("a.json") == long && world.read("a.v1.json") == nil)
        #expect(world.row()?.state == .held)
        #expect(
            world.row()?.reason?.text
                == "its view a.v1.json: in version 1 it would violate its schema at 1:9: `/text` has 10 "
                + "characters, more than 9 (/properties/text/maxLength)"
        )
        world.save(ViewWorld.v2, .app)
        try world.hint("a.json")
        #expect(world.row()?.state == .synced && world.read("a.v1.json") == ViewWorld.v1)
        world.disk.meanwhile = { _, _ in }
        _ = world.disk.world.delete(world.place("a.v1.json"))
        _ = world.disk.world.makeDirectory(world.place("a.v1.json"))
        try world.hint("a.v1.json")
        #expect(
            world.row()?.reason?.text.hasPrefix("its view a.v1.json: something that is not a file") == true
        )
        _ = world.disk.world.delete(world.place("a.v1.json"))
        try world.hint(beneath: "a.v1.json")
        #expect(world.row()?.state == .synced && world.read("a.v1.json") == ViewWorld.v1)
    }

    @Test func `A document with the name of a view, and a repeated view, are refused`() throws {
        for (views, more, reason) in [
            ("[1, 1]", "", ProfileError.Reason.versions(.repeated(1))),
            ("[1]", "  a.v1.json: {}\n", .rule(.nameOfView)),
        ] {
            let yaml = """
                profile: p
                documents:
                  a.json:
                    version: {field: version, missing: 1}
                    views: \(views)
                    versions: {1: {}, 2: {}}
                \(more)
                """
            do throws(ProfileError) {
                _ = try Profile(yaml: yaml, file: "p.yaml")
                Issue.record("not refused: \(views)")
            } catch {
                #expect(error.reason == reason)
            }
        }
    }
}
