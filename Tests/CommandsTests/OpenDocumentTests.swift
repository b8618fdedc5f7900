import BridgeRuntime
import DirectoryReplica
import Foundation
import Glibc
import Replica
import TestWorld
import Testing

/// Programs that keep a document open for writing.
@Suite struct OpenDocumentTests {
    private func leftovers(_ bridge: RealBridge) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bridge.group)
            .filter { $0.hasPrefix(TemporaryName.prefix) }
    }

    @Test func `Doctor names a save of preferences that an app did not finish`()
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = ["--profile", "budget", "--app-stores", "android"]
            let file = "shared_prefs/FlutterSharedPreferences.xml"
            try FileManager.default.createDirectory(
                atPath: "\(bridge.app)/shared_prefs",
                withIntermediateDirectories: true
            )
            let text = #"<map><string name="flutter.widget_data">\#(RealBridge.oldBudget)</string></map>"#
            try write(text, to: "\(bridge.app)/\(file).bak")
            let doctor = try await Binary.run(["doctor"] + bridge.places + flags)
            #expect(doctor.output.contains("an unfinished save, since "), "\(doctor)")
        }
    }

    @Test func `A document kept open delays neither sync nor ready nor wait, and status names the program`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"n":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let held = try #require(FileHandle(forUpdatingAtPath: "\(bridge.group)/a.json"))
            try bridge.save(#"{"n":2}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"n":2}"#)
            #expect(try leftovers(bridge).count == 1)

            var agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.status().documents.map(\.openedBy) == [[getpid()]])
            let text = try await bridge.run("status").output
            #expect(text.contains("kept open for writing by process \(getpid())"))

            try held.write(contentsOf: Data(#"{"m":3}"#.utf8))
            #expect(try await bridge.run("wait", "--rehash", "--timeout", "1s").status == 1)
            #expect(try await bridge.status().documents.map(\.state) == [.pending])
            let told = try await bridge.run("status").output
            #expect(told.contains("group: saved in a file that was replaced"), "\(told)")
            try await bridge.end(agent)
            agent = try await bridge.startAgent()
            try held.close()
            #expect(try await bridge.wait().status == 0)
            #expect(try await bridge.status().documents.map(\.openedBy) == [nil])
            #expect(try leftovers(bridge) == [])
            for container in [bridge.app, bridge.group] {
                #expect(bridge.read("a.json", in: container)?.contains(#""m":3"#) == true)
            }
            try await bridge.end(agent)
        }
    }

    @Test func `A document saved in place in two halves is synced whole`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"a":1,"b":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let held = try #require(FileHandle(forUpdatingAtPath: "\(bridge.app)/a.json"))
            try held.write(contentsOf: Data(#"{"a":2,"#.utf8))
            let waiting = try await bridge.run("status", "--json")
            #expect(waiting.output.contains(#""generation":1"#))
            try held.write(contentsOf: Data(#""b":2}"#.utf8))
            try held.close()
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == #"{"a":2,"b":2}"#)
            #expect(try await bridge.status().documents.map(\.generation) == [2])
        }
    }
}
