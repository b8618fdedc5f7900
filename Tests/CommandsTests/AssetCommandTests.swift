import Foundation
import TestWorld
import Testing

/// Assets of real directories, through an agent and the commands.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AssetCommandTests {
    private static let profile = """
        profile: pictures
        documents: {}
        assets: {"covers/*.png": {limit: 4KiB}}

        """

    private func profile(of bridge: RealBridge) throws -> [String] {
        let file = "\(bridge.root)/pictures.yaml"
        try write(Self.profile, to: file)
        for container in [bridge.app, bridge.group] {
            let path = "\(container)/covers"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        return ["--profile", file]
    }

    private func data(_ name: String, in container: String) -> Data? {
        FileManager.default.contents(atPath: "\(container)/\(name)")
    }

    private func save(_ data: Data, as name: String, in container: String) throws {
        try data.write(to: URL(filePath: "\(container)/\(name)"))
    }

    @Test func `An agent carries a picture both ways and its deletion, and holds one that is too large`()
        async throws
    {
        try await RealBridge.with { bridge in
            let flags = try profile(of: bridge)
            let agent = try await bridge.startAgent(flags)
            let picture = Data([0x89, 0x50, 0x4E, 0x47, 0xFF, 0])
            try save(picture, as: "covers/a.png", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(data("covers/a.png", in: bridge.group) == picture)
            try save(Data([0xFF]), as: "covers/a.png", in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            #expect(data("covers/a.png", in: bridge.app) == Data([0xFF]))
            try save(Data(count: 5000), as: "covers/b.png", in: bridge.app)
            #expect(try await bridge.wait().status == 7)
            let status = try await bridge.run("status")
            #expect(status.output.contains("app: 5000 bytes; its profile's limit is 4096\n"), "\(status)")
            let doctor = try await Binary.run(["doctor"] + bridge.flags + flags)
            #expect(doctor.status == 1 && doctor.output.contains("the profile's limit of 4,096"))
            try FileManager.default.removeItem(atPath: "\(bridge.app)/covers/b.png")
            try FileManager.default.removeItem(atPath: "\(bridge.app)/covers/a.png")
            #expect(try await bridge.wait().status == 0)
            #expect(data("covers/a.png", in: bridge.group) == nil)
            try await bridge.end(agent)
        }
    }

    @Test func `A dry run, diff, conflicts and put take it like a document`() async throws {
        try await RealBridge.with { bridge in
            let flags = try profile(of: bridge)
            func run(_ command: String..., input: String = "") async throws -> Binary.Ended {
                try await Binary.run(command + bridge.flags + flags, input: input)
            }
            #expect(try await run("put", "covers/a.png", input: "one").status == 0)
            let plan = try await run("sync", "--dry-run")
            #expect(plan.status == 2 && plan.output.contains("create    group → app  covers/a.png"))
            #expect(try await run("sync").status == 0)
            try save(Data("app".utf8), as: "covers/a.png", in: bridge.app)
            try save(Data("group".utf8), as: "covers/a.png", in: bridge.group)
            let diff = try await run("diff", "covers/a.png")
            #expect(diff.status == 2 && diff.output.contains("- \"sha256:"))
            let patch = try await run("diff", "covers/a.png", "--format", "patch")
            #expect(patch.status == 64 && patch.errors.contains("an asset has no patch"))
            #expect(try await run("sync").output.contains("app's document wins, group's is kept"))
            #expect(try await run("get", "covers/a.png").output == "app")
            let conflicts = try await run("conflicts")
            #expect(conflicts.output.contains("covers/a.png, group's is kept"))
            let large = String(repeating: "x", count: 5000)
            let put = try await run("put", "covers/a.png", input: large)
            #expect(put.status == 1 && put.errors.contains("more than the limit of 4096"))
        }
    }
}
