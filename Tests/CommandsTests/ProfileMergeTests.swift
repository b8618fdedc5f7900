import Testing

@testable import Commands

@Suite struct ProfileMergeTests {
    private static let profile = """
        profile: notes
        documents:
          notes.json:
            version: {field: version, missing: 1}
            identity: {/data/notes: key}
            ownership: {group: [/data/size]}
            versions:
              1: {schema: {type: object}}
              2: {schema: {type: object}, lenses: [{wrap: data}]}
        """

    private func merge(
        _ base: String,
        _ first: String,
        _ second: String,
        _ flags: String...
    ) async throws -> Ran {
        try await withDirectory { directory in
            try write(Self.profile, to: "\(directory)/notes.yaml")
            for (name, text) in [("base", base), ("a", first), ("b", second)] {
                try write(text, to: "\(directory)/\(name)")
            }
            let ran = await run(
                ["json", "merge"] + ["base", "a", "b"].map { "\(directory)/\($0)" }
                    + ["--profile", "\(directory)/notes.yaml"] + flags
            )
            return Ran(
                status: ran.status,
                output: ran.output,
                errors: ran.errors.replacing(directory, with: "D")
            )
        }
    }

    @Test func `The profile determines what identifies elements`() async throws {
        let ran = try await merge(
            #"{"version":2,"data":{"notes":[{"key":"a","n":1},{"key":"b","n":1}]}}"#,
            #"{"version":2,"data":{"notes":[{"key":"a","n":2},{"key":"b","n":1}]}}"#,
            #"{"version":2,"data":{"notes":[{"key":"a","n":1},{"key":"b","n":3}]}}"#
        )
        let merged = #"{"version":2,"data":{"notes":[{"key":"a","n":2},{"key":"b","n":3}]}}"#
        #expect(ran == Ran(status: .done, output: merged))
    }

    @Test func `In a conflict the owner's value wins`() async throws {
        let ran = try await merge(
            #"{"version":2,"data":{"size":1,"name":"x"}}"#,
            #"{"version":2,"data":{"size":2,"name":"y"}}"#,
            #"{"version":2,"data":{"size":3,"name":"z"}}"#
        )
        #expect(ran.status == .needsDecision)
        #expect(ran.output == #"{"version":2,"data":{"size":3,"name":"y"}}"#)
        #expect(ran.errors.contains("1 became 2 in D/a, 3 in D/b, /data/size; the merge has its owner's\n"))
        #expect(ran.errors.contains(#""x" became "y" in D/a, "z" in D/b, /data/name;"#))
    }

    @Test func `Documents of two versions are merged in the version of the first`() async throws {
        let ran = try await merge(
            #"{"size":1,"name":"x"}"#,
            #"{"size":1,"name":"y"}"#,
            #"{"version":2,"data":{"size":3,"name":"x"}}"#
        )
        #expect(ran == Ran(status: .done, output: #"{"size":3,"name":"y"}"#))
        let other = try await merge(
            #"{"size":1,"name":"x"}"#,
            #"{"version":2,"data":{"size":3,"name":"x"}}"#,
            #"{"size":1,"name":"y"}"#
        )
        #expect(other == Ran(status: .done, output: #"{"version":2,"data":{"size":3,"name":"y"}}"#))
    }

    @Test func `A newer version than the profile knows is status 4`() async throws {
        let ran = try await merge("{}", #"{"version":3}"#, "{}")
        #expect(ran.status == .newerVersion && ran.output.isEmpty)
        let line = "version 3 is newer than the profile knows, D/a; take a newer profile"
        #expect(ran.errors == "widgetbridge: \(line)\n")
    }

    @Test func `An unknown version is status 1`() async throws {
        let ran = try await merge("{}", #"{"version":"2"}"#, "{}")
        #expect(ran.status == .failed && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: cannot tell the version: 1:"))
    }

    @Test func `A document that the profile does not name is wrong usage`() async throws {
        let ran = try await merge("{}", "{}", "{}", "--document", "other.json")
        #expect(ran.status == .usage && ran.output.isEmpty)
        let line =
            "profile notes has no such document, `other.json`; choose with --document one of "
            + "notes.json"
        #expect(ran.errors == "widgetbridge: \(line)\n")
        let alone = await run(["json", "merge", "a", "b", "c", "--document", "d"])
        #expect(alone.status == .usage && alone.errors.contains("--document is one of a --profile"))
    }
}
