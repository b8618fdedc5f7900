import Documents
import FileSystemSimulation
import Model
import SyncEngine
import Testing

@Suite struct ProfileEditTests {
    /// One document of a profile, as indented YAML.
    static func profile(_ more: String, mark: String = "{field: version, missing: 1}") -> String {
        """
        profile: notes
        documents:
          a.json:
            version: \(mark)
            \(more.replacing("\n", with: "\n    "))
        """
    }

    static let v1 = profile("versions: {1: {}}")

    /// A second version, and the same document in it, with the names `a` and `b`.
    struct Addition: CustomTestStringConvertible, Sendable {
        var what: String
        var profile: String
        var before = ProfileEditTests.v1
        /// The document `{"name":"NAME","n":N}` in version 2.
        var newer: @Sendable (_ name: String, _ n: Int) -> String

        var testDescription: String { what }
        func older(_ name: String, _ n: Int) -> String { #"{"name":"\#(name)","n":\#(n)}"# }
    }

    static let additions = [
        Addition(
            what: "a field is renamed",
            profile: profile("versions: {1: {}, 2: {lenses: [{rename: {from: name, to: title}}]}}")
        ) { #"{"version":2,"title":"\#($0)","n":\#($1)}"# },
        Addition(
            what: "a field is added",
            profile: profile("versions: {1: {}, 2: {lenses: [{add: {field: size, value: 1}}]}}")
        ) { #"{"version":2,"name":"\#($0)","n":\#($1),"size":3}"# },
        Addition(
            what: "everything is wrapped, and required to be",
            profile: profile(
                """
                versions:
                  1: {}
                  2:
                    schema: {type: object, required: [version, data], properties: {data: {required: [n]}}}
                    lenses: [{wrap: data}]
                """
            )
        ) { #"{"version":2,"data":{"name":"\#($0)","n":\#($1)}}"# },
        Addition(
            what: "shapes tell the versions",
            profile: profile(
                """
                versions:
                  1: {when: {required: [name]}}
                  2: {when: {required: [title]}, lenses: [{rename: {from: name, to: title}}]}
                """,
                mark: "shapes"
            ),
            before: profile("versions: {1: {when: {required: [name]}}}", mark: "shapes")
        ) { #"{"title":"\#($0)","n":\#($1)}"# },
    ]

    /// Both sides agree on a document of version 1, with a profile that has only that version.
    private func agreed(_ addition: Addition) throws -> EditedWorld {
        let world = EditedWorld()
        world.save(addition.older("a", 1), .app)
        try world.run(addition.before)
        #expect(world.both == [addition.older("a", 1), addition.older("a", 1)])
        return world
    }

    @Test(arguments: additions)
    func `A version is added: nothing is written, and there is no notice`(addition: Addition) throws {
        let world = try agreed(addition)
        try world.run(addition.profile)
        #expect(world.both == [addition.older("a", 1), addition.older("a", 1)])
        #expect(world.versions == [1, 1] && world.row?.state == .synced)
        #expect(world.notices.isEmpty && world.changes.isEmpty)
    }

    @Test(arguments: additions)
    func `A save in the added version stays, and is translated to the old one`(addition: Addition) throws {
        let world = try agreed(addition)
        world.save(addition.newer("b", 1), .group)
        try world.run(addition.profile)
        #expect(world.both == [addition.older("b", 1), addition.newer("b", 1)])
        #expect(world.versions == [1, 2] && world.row?.state == .synced)
        world.save(addition.older("c", 1), .app)
        try world.run(addition.profile)
        #expect(world.both == [addition.older("c", 1), addition.newer("c", 1)])
    }

    @Test(arguments: additions)
    func `Saves in both versions are merged`(addition: Addition) throws {
        let world = try agreed(addition)
        world.save(addition.older("a", 2), .app)
        world.save(addition.newer("b", 1), .group)
        try world.run(addition.profile)
        #expect(world.both == [addition.older("b", 2), addition.newer("b", 2)])
        #expect(world.changes.map(\.action) == [.merge])
    }

    @Test(arguments: additions)
    func `A program that stays at the old version gets the old version`(addition: Addition) throws {
        let world = try agreed(addition)
        world.save(addition.older("b", 1), .group)
        try world.run(addition.profile)
        #expect(world.both == [addition.older("b", 1), addition.older("b", 1)])
        #expect(world.versions == [1, 1])
        world.save(addition.newer("c", 1), .app)
        try world.run(addition.profile)
        #expect(world.both == [addition.newer("c", 1), addition.older("c", 1)])
        #expect(world.versions == [2, 1])
    }

    @Test(arguments: additions)
    func `A deletion is synced as before`(addition: Addition) throws {
        let world = try agreed(addition)
        _ = world.disk.world.delete(world.place("a.json", .group))
        world.save("{}", .app, as: "b.json")
        try world.run(addition.profile)
        #expect(world.both == [nil, nil])
    }
}
