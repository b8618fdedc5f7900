import AgentClient
import BridgeRuntime
import CLinux
import Glibc
import Model
import TestWorld
import Testing

/// Containers that are copied, restored, mounted again and replaced, while the agent runs and while it is
/// stopped.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ContainerTests {
    private static let mark = "user.widgetbridge.container"
    private static let another = BridgeError.halted(
        reason: .reported("the app container was replaced by another directory")
    )

    private func isRunning(_ attacked: Attacked) async throws -> Bool {
        try await eventually { await attacked.refusal() == nil }
    }

    /// Checks that new saves in both directions are synced.
    private func expectCarried(_ attacked: Attacked, _ text: String) async throws {
        try write(text, to: attacked.path(.app) + "/new.json")
        try write(text, to: attacked.path(.group) + "/b7.json")
        try await attacked.wait()
        for side in Side.allCases {
            let documents = attacked.documents(side)
            #expect(documents["new.json"] == text && documents["b7.json"] == text)
        }
    }

    private static let restore = "cp -a app copy && rm -rf app && echo 2 > copy/b1.json && mv copy app"

    @Test func `a container that is restored from a copy continues by itself`() async throws {
        try await Attacked.with { attacked in
            try await attacked.shell(Self.restore)
            #expect(try await isRunning(attacked))
            #expect(attacked.documents(.group)["b1.json"] == "2\n")
            try await expectCarried(attacked, "3")
            try await attacked.expectSame(1)
        }
    }

    @Test func `a container that moved to another device continues by itself`() async throws {
        try await Attacked.with(through: Wrapper.withMounts) { attacked in
            let move = "mv app old && mkdir app && mount -t tmpfs none app && cp -a old/. app && rm -rf old"
            try await attacked.shellInside("\(move) && echo 2 > app/b1.json")
            #expect(try await isRunning(attacked))
            #expect(attacked.documents(.group)["b1.json"] == "2\n")
            try await expectCarried(attacked, "3")
            try await attacked.expectSame(1)
        }
    }

    @Test func `a copy beside a container that was moved away halts it until the copy is gone`() async throws
    {
        try await Attacked.with { attacked in
            try await attacked.shell("mv app away && cp -a away app && rm app/b1.json")
            #expect(await attacked.refusal() == Self.another)
            #expect(attacked.documents(.group).count == Attacked.bystanders)
            try await attacked.shell("rm -rf away && cp group/b1.json app")
            #expect(try await isRunning(attacked))
            try await attacked.expectSame(0)
        }
    }

    @Test func `another directory halts it until the old one is back`() async throws {
        try await Attacked.with { attacked in
            try await attacked.shell("mv app away && mkdir app && echo 9 > app/new.json")
            #expect(await attacked.refusal() == Self.another)
            try await attacked.shell("rm -r app && echo 2 > away/b1.json && mv away app")
            #expect(try await isRunning(attacked))
            #expect(attacked.documents(.group)["b1.json"] == "2\n")
            try await attacked.expectSame(0)
        }
    }

    @Test func `another directory that is allowed is watched, and gets the missing documents`() async throws {
        try await Attacked.with { attacked in
            try await attacked.shell("rm -rf app && mkdir app && echo 2 > app/b1.json")
            #expect(await attacked.refusal() == Self.another)
            let id = try #require(try await attacked.client.status().allow)
            let ended = try await attacked.bridge.run("allow", id)
            #expect(ended.status == 0)
            #expect(ended.output.hasPrefix("the directory there is the app container from now on; "))
            #expect(try await isRunning(attacked))
            #expect(attacked.documents(.group)["b1.json"] == "2\n")
            try await expectCarried(attacked, "3")
            try await attacked.expectSame(1)
        }
    }

    @Test func `a container that lost its mark halts until it has the mark again`() async throws {
        try await Attacked.with { attacked in
            let app = attacked.bridge.app
            var value = [UInt8](repeating: 0, count: 256)
            let count = unsafe getxattr(app, Self.mark, &value, value.count)
            try #require(count > 0)
            unsafe removexattr(app, Self.mark)
            try await attacked.shell("rm app/b1.json")
            let refusal = try #require(await attacked.refusal())
            guard case .halted(let reason) = refusal else { throw refusal }
            #expect(reason.text.hasPrefix("the app container does not carry its ID"))
            #expect(attacked.documents(.group).count == Attacked.bystanders)
            unsafe setxattr(app, Self.mark, &value, count, 0)
            #expect(try await isRunning(attacked))
            #expect(attacked.documents(.group)["b1.json"] == nil)
        }
    }

    @Test func `without file attributes the opened directory is the container`() async throws {
        let mount = "cp -r app kept && mount -t ramfs none app && cp kept/* app"
        try await Attacked.with(through: Wrapper.withMounts, mount: mount) { attacked in
            try await expectCarried(attacked, "3")
            try await attacked.shellInside("mount -t tmpfs none app")
            #expect(await attacked.refusal() == Self.another)
            try await attacked.shellInside("umount app")
            #expect(try await isRunning(attacked))
            try await attacked.expectSame(1)
        }
    }

    // MARK: While no agent runs

    /// Runs `body` after an agent has marked the containers and ended.
    private func withStopped(_ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            for name in ["a", "b", "c"] { try write("1", to: "\(bridge.app)/\(name).json") }
            try await bridge.end(try await bridge.startAgent())
            try await body(bridge)
        }
    }

    @Test func `a container that was restored between two runs continues`() async throws {
        try await withStopped { bridge in
            try await Attacked.shell(
                "cp -a app copy && rm -rf app && printf 2 > copy/a.json && mv copy app",
                in: bridge.root
            )
            let agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read("a.json", in: bridge.group) == "2")
            try await bridge.end(agent)
        }
    }

    /// The kernel may give the new directory the inode number of the old one.
    @Test func `a container that was deleted and created again between two runs deletes nothing`()
        async throws
    {
        try await withStopped { bridge in
            try await Attacked.shell("rm -r app && mkdir app && printf 2 > app/a.json", in: bridge.root)
            let halted = try await bridge.run("sync")
            #expect(halted.status == 7)
            #expect(bridge.read("a.json", in: bridge.group) == "1")
            let id = try #require(try await bridge.status().allow)
            #expect(try await bridge.run("allow", id).status == 0)
            for container in [bridge.app, bridge.group] {
                let texts = ["a", "b", "c"].map { bridge.read("\($0).json", in: container) }
                #expect(texts == ["2", "1", "1"])
            }
            #expect(try await bridge.run("sync").status == 0)
        }
    }
}
