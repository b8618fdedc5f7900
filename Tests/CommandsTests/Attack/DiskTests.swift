import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import SyncEngine
import TestWorld
import Testing

/// Real disks without room, and directories without the needed rights.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DiskTests {
    private static func small(_ directory: String) -> String {
        "mkdir -p \(directory) && mount -t tmpfs -o size=512k none \(directory)"
    }
    /// A line that fills the agent's disk.
    private static func fill(_ directory: String) -> String {
        "dd if=/dev/zero of=\(directory)/filler bs=4k 2> dd.log || grep -q 'No space' dd.log"
    }

    private func expectHeld(_ attacked: Attacked, _ words: String) async throws {
        let refusal = try #require(await attacked.refusal())
        guard case .held(document: _, reason: let reason, _) = refusal else { throw refusal }
        #expect(reason?.text.contains(words) == true)
        #expect(try await attacked.client.status().documents.contains { $0.state == .held })
    }

    /// Changes and creates documents with this many digits, and deletes one. A partly written document must
    /// not be published.
    private func expectHeldWhole(_ attacked: Attacked, digits: Int, _ words: String) async throws {
        let before = attacked.documents(.group)
        try await attacked.shell(
            "printf '\"%0\(digits)d\"' 7 | tee app/new.json > app/b1.json; rm app/b2.json"
        )
        try await expectHeld(attacked, words)
        #expect(attacked.documents(.group)["b1.json"] == before["b1.json"])
        #expect(attacked.documents(.group)["new.json"] == nil)
    }

    @Test func `a full disk holds what does not fit, until there is room`() async throws {
        let wrapper = Wrapper.withMounts
        try await Attacked.with(through: wrapper, mount: Self.small("group")) { attacked in
            try await attacked.shellInside(Self.fill("group"))
            try await expectHeldWhole(attacked, digits: 100_000, "No space left on device")
            try await attacked.shellInside("rm group/filler")
            #expect(try await eventually { attacked.documents(.group)["new.json"]?.utf8.count == 100_002 })
            try await attacked.expectSame(0)
        }
    }

    /// The kernel writes as much as the limit allows, and refuses the rest.
    @Test func `a short write holds its document until it succeeds`() async throws {
        try await Attacked.with { attacked in
            let process = attacked.agent.identifier
            try await attacked.shell("prlimit --pid \(process) --fsize=1048576:unlimited")
            try await expectHeldWhole(attacked, digits: 2_000_000, "File too large")
            try await attacked.shell("prlimit --pid \(process) --fsize=unlimited")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }

    @Test func `a disk with little room accepts part of a write, which does not become a document`()
        async throws
    {
        let wrapper = Wrapper.withMounts
        try await Attacked.with(through: wrapper, mount: Self.small("group")) { attacked in
            try await attacked.shellInside("\(Self.fill("group")); truncate -s -40k group/filler")
            let trace = try await Injection("writev", into: attacked)
            try await attacked.shell("printf '\"%0100000d\"' 7 > app/t && mv app/t app/b1.json")
            try await expectHeld(attacked, "No space left on device")
            let writes = try await trace.calls().filter { $0.contains(".widgetbridge") }
            #expect(writes.contains { !$0.contains("= -1") }, "no part was taken: \(writes)")
            try await attacked.shellInside("rm group/filler")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }

    @Test func `a full disk with the state loses nothing, and continues when there is room`() async throws {
        let wrapper = Wrapper.withMounts
        try await Attacked.with(through: wrapper, mount: Self.small("state")) { attacked in
            try await attacked.shellInside(Self.fill("state"))
            for round in 1...5 {
                try await attacked.shell("echo 1\(round) > app/b1.json; echo 2\(round) > group/b1.json")
                _ = await attacked.timesOut()
            }
            try await attacked.shell("rm app/b3.json")
            _ = await attacked.timesOut()
            try await attacked.shellInside("rm state/filler")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(-1)
            #expect(attacked.documents(.app)["b1.json"]?.hasSuffix("5\n") == true)
            // Files that could not be moved to the trash are moved later.
            #expect(try await eventually { attacked.leftovers().isEmpty })
        }
    }

    @Test func `a full disk with the state rolls back no save, and loses no notice`() async throws {
        try await Attacked.with(through: Wrapper.withMounts, mount: Self.small("state")) { attacked in
            let notices = attacked.client.reloads(ReloadFilter(document: RelativePath("b1.json")))
            async let told = Task {
                var generations: [Int64] = []
                for try await case .notice(let notice, instance: _) in notices {
                    generations.append(notice.generation)
                    if generations.last == 4 { break }
                }
                return generations
            }.value
            try await attacked.shellInside(Self.fill("state"))
            for round in 2...3 {
                try await attacked.shell("echo \(round) > app/t && mv app/t app/b1.json")
                #expect(try await eventually { attacked.documents(.group)["b1.json"] == "\(round)\n" })
            }
            #expect(
                try await eventually {
                    let reason = try await attacked.client.status().reason
                    return reason?.text.contains("journal cannot be written") == true
                }
            )
            try await attacked.shellInside("rm state/filler")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.shell("echo 4 > app/t && mv app/t app/b1.json")
            #expect(try await told == [1, 2, 3, 4])
            try await attacked.expectSame(0)
            #expect(attacked.documents(.app)["b1.json"] == "4\n")
            #expect(try await attacked.client.conflicts().isEmpty)
        }
    }

    @Test func `a disk that becomes read-only holds what has to be written to it`() async throws {
        let wrapper = Wrapper.withMounts
        try await Attacked.with(through: wrapper, mount: Self.small("group")) { attacked in
            try await attacked.shellInside("mount -o remount,ro group")
            try await attacked.shell("echo 2 > app/b1.json; echo 3 > app/new.json; rm app/b2.json")
            try await expectHeld(attacked, "Read-only file system")
            try await attacked.shellInside("mount -o remount,rw group")
            try await attacked.expectSame(0)
        }
    }

    @Test func `a read-only directory holds what has to be written to it`() async throws {
        let make = "chown -R \(Wrapper.stranger):\(Wrapper.stranger) . ; chmod 755 ."
        try await Attacked.with(through: Wrapper.unprivileged, prepare: make) { attacked in
            try await attacked.shell("chmod 555 group")
            try await attacked.shell("echo 2 > app/b1.json; echo 3 > app/new.json; rm app/b2.json")
            try await expectHeld(attacked, "Permission denied")
            #expect(attacked.documents(.group).count == Attacked.bystanders)
            try await attacked.shell("chmod 755 group")
            try await attacked.expectSame(0)
        }
    }

    @Test func `too few file descriptors hold everything until there are more`() async throws {
        try await Attacked.with { attacked in
            let process = attacked.agent.identifier
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
            // One for the connection of the client.
            try await attacked.shell("prlimit --pid \(process) --nofile=\(open + 1):4096")
            try await attacked.shell("echo 2 > app/b1.json; echo 3 > app/new.json; rm app/b2.json")
            _ = await attacked.timesOut()
            #expect(
                attacked.documents(.group)["new.json"] == nil
                    || attacked.documents(.group)["new.json"] == "3\n"
            )
            try await attacked.shell("prlimit --pid \(process) --nofile=4096:4096")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }
}
