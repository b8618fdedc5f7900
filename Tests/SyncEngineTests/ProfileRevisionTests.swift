import Documents
import FileSystemSimulation
import Model
import SyncEngine
import Testing

/// Edits of a profile other than an added version.
@Suite struct ProfileRevisionTests {
    private static let v1 = ProfileEditTests.v1
    private static let renamed = ProfileEditTests.profile(
        "versions: {1: {}, 2: {lenses: [{rename: {from: name, to: title}}]}}"
    )
    private static let added = ProfileEditTests.profile(
        "versions: {1: {}, 2: {lenses: [{add: {field: size, value: 1}}]}}"
    )
    private static let numbers = ProfileEditTests.profile(
        "versions: {1: {}, 2: {lenses: [{convert: {field: n, from: text, to: number}}]}}"
    )
    private static let older = #"{"name":"a","n":1}"#

    /// The app has version 1 and the group version 2.
    private func agreedInTwo(_ profile: String, _ newer: String) throws -> EditedWorld {
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(profile)
        world.save(newer, .group)
        try world.run(profile)
        #expect(world.versions == [1, 2])
        return world
    }

    @Test func `Lenses are edited: both sides stay, and an edit is translated by the new lenses`() throws {
        let newer = #"{"version":2,"title":"a","n":1}"#
        let world = try agreedInTwo(Self.renamed, newer)
        let edited = Self.renamed.replacing("to: title", with: "to: heading")
        try world.run(edited)
        #expect(world.both == [Self.older, newer] && world.changes.isEmpty && world.notices.isEmpty)
        world.save(Self.older.replacing("1}", with: "2}"), .app)
        try world.run(edited)
        #expect(world.both == [Self.older.replacing("1}", with: "2}"), newer.replacing("1}", with: "2}")])
    }

    private static func strict(_ field: String, _ more: String = "") -> String {
        ProfileEditTests.profile(
            """
            versions:
              1: {}
              2:
                schema: {type: object, required: [\(field)]\(more)}
                lenses: [{rename: {from: name, to: \(field)}}]
            """
        )
    }

    @Test func `Lenses are edited: new requirements of their version apply with the next edit`() throws {
        let newer = #"{"version":2,"title":"a","n":1}"#
        let world = try agreedInTwo(Self.strict("title"), newer)
        try world.run(Self.strict("heading"))
        #expect(world.both == [Self.older, newer] && world.changes.isEmpty)
        for number in 2...3 {
            let save = Self.older.replacing("1}", with: "\(number)}")
            world.save(save, .app)
            try world.run(Self.strict("heading"))
            #expect(world.read(.app) == save && world.row?.state == .synced)
            let group = try #require(world.read(.group))
            for field in [#""heading":"a""#, #""n":\#(number)"#] {
                #expect(group.contains(field), "\(group)")
            }
        }
        world.save(Self.older.replacing("\"a\"", with: "\"b\""), .app)
        try world.run(Self.strict("heading"))
        #expect(world.read(.group)?.contains(#""heading":"b""#) == true)
        world.save(#"{"version":2,"heading":"c","n":1}"#, .group)
        try world.run(Self.strict("heading"))
        #expect(world.read(.app) == Self.older.replacing("\"a\"", with: "\"c\""))
    }

    @Test
    func `Lenses are edited: a document that their version no longer allows is held, and nothing is lost`()
        throws
    {
        let newer = #"{"version":2,"title":"a","n":1}"#
        let world = try agreedInTwo(Self.strict("title"), newer)
        world.save(Self.older.replacing("1}", with: "2}"), .app)
        let fields = "version: {}, heading: {}, n: {}"
        try world.run(Self.strict("heading", ", additionalProperties: false, properties: {\(fields)}"))
        #expect(world.read(.group) == newer && world.row?.state == .held)
    }

    @Test func `A version is removed: its documents are held as newer, and nothing is written`() throws {
        let newer = #"{"version":2,"title":"a","n":1}"#
        let world = try agreedInTwo(Self.renamed, newer)
        let edited = Self.older.replacing("1}", with: "2}")
        for app in [Self.older, edited] {
            world.save(app, .app)
            try world.run(Self.v1)
            #expect(world.both == [app, newer])
            #expect(world.row?.state == .held && world.row?.isNewerVersion == true)
        }
        try world.run(Self.renamed)
        #expect(world.both == [edited, newer.replacing("1}", with: "2}")])
    }

    @Test func `A base in a newer version survives a profile that cannot read it`() throws {
        let world = try agreedInTwo(Self.added, #"{"version":2,"name":"a","n":1,"size":3}"#)
        world.save(Self.older.replacing("1}", with: "2}"), .group)
        try world.run(Self.added)
        #expect(world.versions == [1, 1])
        try world.run(Self.v1)
        #expect(world.row?.state == .synced)
        world.save(Self.older.replacing("1}", with: "3}"), .app)
        try world.run(Self.v1)
        #expect(world.both == [3, 2].map { Self.older.replacing("1}", with: "\($0)}") })
        #expect(world.row?.isNewerVersion == true)
        #expect(
            world.row?.reason?.text
                == "its base has version 2, newer than the profile's newest version, 1"
        )
        _ = world.disk.world.delete(world.place("a.json", .group))
        try world.run(Self.v1)
        #expect(world.read(.app) != nil && world.row?.state == .held)
        world.save(#"{"version":2,"name":"a","n":3}"#, .group)
        try world.run(Self.added)
        #expect(world.read(.group)?.contains(#""size":3"#) == true)
    }

    @Test func `A kind is added: it gets no notice until what it shows changes`() throws {
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(Self.v1)
        let edited = Self.v1 + "\n    kinds: {Names: {shows: [/name]}, Numbers: {shows: [/n]}}"
        try world.run(edited)
        #expect(world.notices.isEmpty && world.changes.isEmpty)
        world.save(Self.older.replacing("1}", with: "2}"), .app)
        try world.run(edited)
        #expect(world.notices.map(\.kind) == ["Numbers"])
    }

    @Test func `A version is added: a kind gets a notice only if what it shows differs`() throws {
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(Self.v1)
        world.save(#"{"version":2,"title":"a","n":2}"#, .group)
        try world.run(Self.renamed + "\n    kinds: {Titles: {shows: [/title]}, Numbers: {shows: [/n]}}")
        #expect(world.notices.map(\.kind) == ["Numbers"])
    }

    @Test func `The identity of a list is edited: later merges use it`() throws {
        let world = EditedWorld()
        world.save(#"{"list":[{"id":1,"key":"a"},{"id":2,"key":"b"}]}"#, .app)
        try world.run(Self.v1)
        world.save(#"{"list":[{"id":1,"key":"a"},{"id":2,"key":"b"},{"id":3,"key":"c"}]}"#, .app)
        world.save(#"{"list":[{"id":9,"key":"a"},{"id":2,"key":"b"}]}"#, .group)
        try world.run(Self.v1 + "\n    identity: {/list: key}")
        let merged = #"{"list":[{"id":9,"key":"a"},{"id":2,"key":"b"},{"id":3,"key":"c"}]}"#
        #expect(world.both == [merged, merged] && world.changes.map(\.action) == [.merge])
    }

    @Test func `The profile names another document: a base in one version stays valid`() throws {
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(Self.v1)
        let edited = Self.renamed.replacing("a.json", with: "b.json")
        try world.run(edited)
        #expect(world.both == [Self.older, Self.older] && world.row?.state == .synced)
        world.save(#"{"version":2,"title":"b","n":1}"#, .group)
        try world.run(edited)
        #expect(world.both == Array(repeating: #"{"version":2,"title":"b","n":1}"#, count: 2))
    }

    @Test func `A base in two versions is held if no profile distinguishes them`() throws {
        let newer = #"{"version":2,"title":"a","n":1}"#
        let edited = Self.renamed.replacing("a.json", with: "b.json")
        for (profile, changing) in [(edited, false), (nil, true)] {
            let world = try agreedInTwo(Self.renamed, newer)
            try world.run(profile, changing: changing)
            #expect(world.both == [Self.older, newer] && world.row?.state == .held)
            #expect(
                world.row?.reason?.text
                    == "its base has version 2, and the profile has no versions of it"
            )
            world.save("{}", .app)
            try world.run(profile)
            #expect(world.both == ["{}", newer])
            world.save("{}", .group)
            try world.run(profile)
            #expect(world.row?.state == .synced && world.both == ["{}", "{}"])
        }
    }

    @Test func `From no profile to one, the base has its actual version`() throws {
        for both in [Self.older, #"{"version":2,"name":"a","n":1,"size":1}"#] {
            let world = EditedWorld()
            world.save(both, .app)
            try world.run(nil)
            try world.run(Self.added, changing: true)
            #expect(world.both == [both, both] && world.notices.isEmpty && world.changes.isEmpty)
            let version = both == Self.older ? 1 : 2
            #expect(world.versions == [version, version])
            world.save(#"{"version":2,"name":"b","n":1,"size":1}"#, .group)
            try world.run(Self.added)
            #expect(world.read(.group) == #"{"version":2,"name":"b","n":1,"size":1}"#)
            #expect(world.read(.app) == both.replacing("\"a\"", with: "\"b\""))
        }
    }

    @Test func `Edits of both sides during a change to a profile are merged`() throws {
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(nil)
        world.save(Self.older.replacing("1}", with: "2}"), .app)
        world.save(#"{"version":2,"name":"b","n":1,"size":3}"#, .group)
        try world.run(Self.added, changing: true)
        #expect(world.both == [#"{"name":"b","n":2}"#, #"{"version":2,"name":"b","n":2,"size":3}"#])
    }

    @Test func `The base cannot be upgraded: both sides are merged, and nothing is deleted`() throws {
        let old = #"{"n":"many"}"#
        let saves = [#"{"version":2,"n":5}"#, #"{"version":2,"n":6}"#]
        func agreed() throws -> EditedWorld {
            let world = EditedWorld()
            world.save(old, .app)
            try world.run(Self.v1)
            return world
        }
        let one = try agreed()
        one.save(saves[0], .group)
        try one.run(Self.numbers)
        #expect(one.both == [old, saves[0]] && one.row?.state == .held)
        one.save(saves[1], .app)
        try one.run(Self.numbers)
        #expect(one.both == [saves[1], saves[1]] && one.kept.contains(saves[0]))
        let other = try agreed()
        _ = other.disk.world.delete(other.place("a.json", .app))
        other.save(saves[0], .group)
        other.save("{}", .app, as: "b.json")
        try other.run(Self.numbers)
        #expect(other.both == [saves[0], saves[0]])
    }

    @Test func `The profile's name is remembered, and an edit of the profile keeps it`() throws {
        let named = Self.v1.replacing("notes", with: "others")
        for (first, second) in [(nil, Self.v1), (Self.v1, nil), (Self.v1, named)] {
            let world = EditedWorld()
            world.save(Self.older, .app)
            try world.run(first)
            let names = [first, second].map { $0.map { $0.contains("notes") ? "notes" : "others" } ?? "" }
            #expect(throws: EngineError.otherProfile(known: names[0], named: names[1])) {
                try world.run(second)
            }
            try world.run(second, changing: true)
            try world.run(second)
            #expect(throws: EngineError.otherProfile(known: names[1], named: names[0])) {
                try world.run(first)
            }
        }
        let world = EditedWorld()
        world.save(Self.older, .app)
        try world.run(Self.v1)
        try world.run(Self.renamed)
    }
}
