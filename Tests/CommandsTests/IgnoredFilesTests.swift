import Foundation
import TestWorld
import Testing

/// What `status --ignored` and `doctor` say of files that are no documents, or should be none.
@Suite(.timeLimit(.minutes(2))) struct IgnoredFilesTests {
    @Test(arguments: [false, true])
    func `The status says which files are left out, and why`(withAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            for name in ["a.json", "a.json.part", "draft.json", "readme.txt", ".hidden.json"] {
                try write("{}", to: "\(bridge.app)/\(name)")
            }
            let flags = ["--exclude", "draft*"]
            let agent = withAgent ? try await bridge.startAgent(flags) : nil
            let shown = try await Binary.run(["status", "--ignored"] + bridge.flags + flags)
            let text = """

                4 ignored files
                app:.hidden.json
                    a temporary or hidden name, `.*` (hidden files, also those in hidden directories)
                app:a.json.part
                    a temporary or hidden name, `*.part` (Firefox, curl and wget)
                app:draft.json
                    `exclude` leaves it out, by the pattern `draft*`
                app:readme.txt
                    its name does not end in `.json`, and no profile names it

                """
            #expect(shown.output.hasSuffix(text), "\(shown)")
            let json = try await Binary.run(["status", "--ignored", "--json"] + bridge.flags + flags)
            let one = #"{"side":"app","name":"a.json.part","reason":"temporary","#
            #expect(json.output.contains(one), "\(json)")
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `The doctor names files that look private, and that the profile does not name`() async throws {
        try await RealBridge.with { bridge in
            let directory = "\(bridge.app)/RCTAsyncLocalStorage_V1"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try write("{}", to: "\(directory)/manifest.json")
            for name in ["a.json", "authToken.json"] { try write("{}", to: "\(bridge.app)/\(name)") }
            func found(_ flags: [String]) async throws -> [String] {
                try await bridge.doctor(flags).filter { $0.rule == "private-file" }.map { "\($0.severity)" }
            }
            #expect(try await found([]) == ["warning", "warning"])
            #expect(try await found(["--exclude", "authToken.json"]) == ["warning"])
            let profile = "\(bridge.root)/p.yaml"
            try write("{profile: p, documents: {authToken.json: {}}}", to: profile)
            #expect(try await found(["--profile", profile]) == ["warning"])
            // With stores neither is copied.
            #expect(try await found(["--profile", "balances", "--stores", "ios"]) == [])
        }
    }
}
