import Foundation
import TestWorld
import Testing

@Suite(.timeLimit(.minutes(2))) struct UndoOntoDirectoryTests {
    @Test(arguments: ["app", "group"])
    func `Nothing is restored while a directory has the name on either side`(_ side: String) async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let history = try await bridge.run("history").output
            let id = try #require(history.split(separator: " ").first)
            let containers = ["app": bridge.app, "group": bridge.group]
            for container in containers.values {
                try FileManager.default.removeItem(atPath: "\(container)/a.json")
            }
            let directory = try #require(containers[side]) + "/a.json"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let ended = try await Binary.run(["undo", String(id)] + bridge.flags)
            #expect(ended.status != 0 && ended.errors.contains("a directory"), "\(ended)")
            let written = containers.values.map { "\($0)/a.json" }.filter {
                $0 != directory && FileManager.default.fileExists(atPath: $0)
            }
            #expect(written.isEmpty)
        }
    }
}
