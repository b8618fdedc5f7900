import Foundation
import TestWorld
import Testing

@testable import Commands

/// Apps whose keys of Flutter's plugin begin with something else than `flutter.`.
@Suite(.timeLimit(.minutes(2))) struct FlutterPrefixTests {
    private static let file = "shared_prefs/FlutterSharedPreferences.xml"

    private func profile(_ prefix: String, in bridge: RealBridge) throws -> String {
        let store = #"{format: flutter, file: \#(Self.file), text: notes, prefix: "\#(prefix)"}"#
        let yaml = """
            profile: notes
            documents:
              notes.json: {stores: {android: {app: \(store), group: \(store)}}}
            """
        try write(yaml, to: "\(bridge.root)/notes.yaml")
        return "\(bridge.root)/notes.yaml"
    }

    private func save(_ values: KeyValuePairs<String, String>, in container: String) throws {
        let rows = values.map { "    <string name=\"\($0)\">\($1)</string>\n" }.joined()
        try FileManager.default.createDirectory(
            atPath: "\(container)/shared_prefs",
            withIntermediateDirectories: true
        )
        try write("<map>\n\(rows)</map>\n", to: "\(container)/\(Self.file)")
    }

    @Test(arguments: ["", "myapp."])
    func `The key with the prefix of the profile is synced, and the other one stays as it is`(
        _ prefix: String
    )
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = ["--profile", try profile(prefix, in: bridge), "--stores", "android"]
            try save(["flutter.notes": "[1]", "\(prefix)notes": "[2]"], in: bridge.app)
            try save(["flutter.notes": "[1]"], in: bridge.group)
            #expect(try await Binary.run(["sync"] + bridge.flags + flags).status == 0)
            let store = "\(bridge.group)/\(Self.file)"
            #expect(await run(["store", "get", store, "\(prefix)notes"]).output == "[2]")
            #expect(await run(["store", "get", store, "flutter.notes"]).output == "[1]")
            let asFlutter = ["store", "get", store, "notes", "--as", "flutter"]
            #expect(await run(asFlutter + ["--prefix", prefix]).output == "[2]")
            #expect(await run(asFlutter).output == "[1]")
            let doctor = try await Binary.run(["doctor", "--format", "json"] + bridge.places + flags)
            let seconds = doctor.output.split(separator: "\n").filter { $0.contains("second-key") }
            #expect(seconds.count == 2, "\(doctor)")
            #expect(
                seconds.allSatisfy {
                    $0.contains(#""key":"\#(prefix)notes""#) && $0.contains("`flutter.notes`")
                }
            )
        }
    }

    @Test func `A DataStore of the app is found beside the preferences of Flutter's plugin`() async throws {
        try await RealBridge.with { bridge in
            let flags = ["--profile", try profile("flutter.", in: bridge), "--stores", "android"]
            try save(["flutter.notes": "[1]"], in: bridge.app)
            let directory = "\(bridge.app)/files/datastore"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try write("", to: "\(directory)/FlutterSharedPreferences.preferences_pb")
            let doctor = try await Binary.run(["doctor"] + bridge.places + flags)
            let what = "the app has `files/datastore/FlutterSharedPreferences.preferences_pb` as well"
            #expect(doctor.output.contains(what), "\(doctor)")
        }
    }

    @Test func `A prefix is written and listed by hand, and only for the format that has one`() async throws {
        try await StoreWorld.with { world in
            let own = ["--as", "flutter", "--prefix", "my."]
            #expect(
                await world.run(
                    "put",
                    "a.xml",
                    "n",
                    "450.5",
                    "--type",
                    "real",
                    own[0],
                    own[1],
                    own[2],
                    own[3]
                )
                .status == .done
            )
            #expect(await world.run("get", "a.xml", "my.n").output.hasSuffix("450.5"))
            let listed = await world.run("list", "a.xml", own[0], own[1], own[2], own[3])
            #expect(listed.output.hasSuffix("KEY  TYPE  VALUE\nn    real  450.5\n"), "\(listed)")
            let refused = await world.run("list", "a.xml", "--prefix", "my.")
            #expect(refused.errors.contains("--prefix is for --as flutter"), "\(refused)")
        }
    }
}
