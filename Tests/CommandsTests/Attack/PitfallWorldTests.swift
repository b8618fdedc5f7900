import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import TestWorld
import Testing

/// The pitfalls of queues, limits and mounts, with the real agent.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PitfallWorldTests {
    /// Causes more events than the kernel keeps, with names that are not documents.
    private static func flood(_ container: String) throws {
        let said = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let length = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Created, closed and removed: three events each.
        for number in 0...length / 3 {
            let name = "\(container)/\(number).tmp"
            close(unsafe open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
            unsafe unlink(name)
        }
    }

    private static let unseen =
        "mkdir -p app/new/deep; echo 1 | tee app/new/{a,deep/b}.json > app/b1.json; rm app/b2.json; mv app/sub app/moved"

    @Test func pitfall01_whatHappensWhileTheQueueIsFullIsFound() async throws {
        try await Attacked.with(prepare: "mkdir app/sub; echo 1 > app/sub/a.json") { attacked in
            let rescans = try await attacked.client.status().counters.rescans
            for _ in 0..<2 {
                let helper = try attacked.helper()
                kill(helper, SIGSTOP)
                try Self.flood(attacked.bridge.app)
                try await attacked.shell(Self.unseen)
                kill(helper, SIGCONT)
                try await attacked.expectSame(2)
                try await attacked.shell("mv app/moved app/sub; rm -r app/new; echo 2 > app/b2.json")
                try await attacked.expectSame(1)
            }
            #expect(try await attacked.client.status().counters.rescans > rescans)
        }
    }

    @Test func pitfall30_anAgentThatDoesNotReadForAWhileFindsEverything() async throws {
        try await Attacked.with(prepare: "mkdir app/sub; echo 1 > app/sub/a.json") { attacked in
            attacked.agent.send(SIGSTOP)
            try Self.flood(attacked.bridge.app)
            try await attacked.shell(Self.unseen)
            attacked.agent.send(SIGCONT)
            try await attacked.expectSame(2)
        }
    }

    @Test(arguments: [SIGKILL, SIGSTOP, SIGSEGV])
    func `a helper that is killed or stopped loses nothing`(_ signal: Int32) async throws {
        try await Attacked.with(prepare: "mkdir app/sub; echo 1 > app/sub/a.json") { attacked in
            for round in 1...3 {
                let helper = try attacked.helper()
                kill(helper, signal)
                try await attacked.shell(
                    "mkdir app/d\(round) && echo 1 > app/d\(round)/a.json; echo \(round) > app/b1.json"
                )
                if signal == SIGSTOP {
                    let early = await attacked.timesOut()
                    #expect(early, "a barrier that nobody has answered")
                    kill(helper, SIGCONT)
                }
                try await attacked.expectSame(1 + round)
            }
        }
    }

    @Test func pitfall06_withTenWatchesItPollsAndSaysSoUntilThereAreMore() async throws {
        let make = "for n in {1..41}; do mkdir app/d$n; echo $n > app/d$n/a.json; done"
        let wrapper = Wrapper.limited("max_inotify_watches", to: 10)
        try await Attacked.with("--rescan", "1s", through: wrapper, prepare: make) { attacked in
            let status = try await attacked.client.status()
            #expect(status.watch == .polling && status.reason?.text.contains("max_user_watches") == true)
            try await attacked.shell(
                "for n in {1..41}; do echo 1$n > app/d$n/a.json; echo $n > group/d$n/b.json; done"
            )
            try await attacked.wait()
            try await attacked.expectSame(82)
            try await attacked.shellInside("echo 1000 > /proc/sys/user/max_inotify_watches")
            #expect(try await eventually { try await attacked.client.status().watch == .inotify })
            try await attacked.shell("for n in {1..41}; do echo 2$n > app/d$n/a.json; done")
            try await attacked.expectSame(82)
        }
    }

    @Test func pitfall11_containersThatAreReachedThroughLinksAreWhatTheyAre() async throws {
        let make = "mkdir real; mv app group real; ln -s real/app app; ln -s real/group group"
        try await Attacked.with(prepare: make) { attacked in
            try await attacked.shell(
                "mkdir real/app/sub; echo 1 > app/sub/a.json; echo 2 > real/group/b.json"
            )
            try await attacked.wait()
            try await attacked.expectSame(2)
        }
    }

    @Test func pitfall14_aDirectoryThatIsMountedOverDeletesNothing() async throws {
        let make = "mkdir -p app/sub; echo 1 > app/sub/a.json"
        try await Attacked.with(through: Wrapper.withMounts, prepare: make) { attacked in
            let before = attacked.documents(.group)
            try await attacked.shellInside("mount -t tmpfs none app/sub && echo 2 > app/sub/new.json")
            let refusal = try #require(await attacked.refusal())
            guard case .held(document: _, reason: _, _) = refusal else { throw refusal }
            #expect(attacked.documents(.group) == before)
            try await attacked.shellInside("umount app/sub")
            try await attacked.expectSame(1)
        }
    }

    @Test func pitfall14_aContainerThatIsMountedOverHaltsAndGoesOnAfterwards() async throws {
        try await Attacked.with(through: Wrapper.withMounts) { attacked in
            let before = attacked.documents(.group)
            try await attacked.shellInside("mount -t tmpfs none app && echo 2 > app/new.json")
            let reason = "the app container was replaced by another directory"
            #expect(await attacked.refusal() == .halted(reason: .reported(reason)))
            #expect(attacked.documents(.group) == before)
            try await attacked.shellInside("umount app")
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
        }
    }

    @Test func pitfall21_whereNoEventsComePollingFindsEverything() async throws {
        try await Attacked.with("--polling") { attacked in
            #expect(try await attacked.client.status().watch == .polling)
            try await attacked.shell("mkdir app/sub; echo 1 > app/sub/a.json")
            try await attacked.expectSame(1)
            try await attacked.shell("echo 2 > group/sub/a.json; rm app/b1.json")
            #expect(
                try await eventually {
                    attacked.documents(.app)["sub/a.json"] == "2\n"
                        && attacked.documents(.group)["b1.json"] == nil
                }
            )
            try await attacked.expectSame(0)
        }
    }

    @Test func pitfall22_anOverlayIsCarriedAndWhatIsChangedBeneathItIsFoundByRehashing() async throws {
        let make = "mkdir work lower upper; mv app/* lower; mkdir lower/sub; echo 1 > lower/sub/a.json"
        let mount = "mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work app"
        try await Attacked.with(through: Wrapper.withMounts, prepare: make, mount: mount) { attacked in
            try await attacked.expectSame(1)
            try await attacked.shellInside("echo 2 > app/sub/a.json; mkdir app/new; echo 3 > app/new/b.json")
            try await attacked.expectSame(2)
            try await attacked.shell("echo 4 > group/sub/a.json; rm group/b1.json")
            try await attacked.wait()
            #expect(attacked.documents(.app)["sub/a.json"] == "4\n")
            #expect(attacked.documents(.app)["b1.json"] == nil)
            try await attacked.shell("echo 5 > upper/new/b.json")
            try await attacked.expectSame(1, rehash: true)
        }
    }

    /// An entry that cannot be replaced by a rename is held.
    @Test func pitfall23_aDirectoryThatIsBoundToASecondPlaceIsCarriedFromItsOwn() async throws {
        let make = "mkdir -p app/{one,two}; echo 1 > app/one/a.json"
        let mount = "mount --bind app/one app/two"
        try await Attacked.with(through: Wrapper.withMounts, prepare: make, mount: mount) { attacked in
            try await attacked.shell("echo 2 > app/one/a.json")
            let refusal = try #require(await attacked.refusal())
            guard case .held(document: "two/a.json", reason: let reason, _) = refusal else { throw refusal }
            #expect(reason?.text.hasPrefix("a mount point") == true)
            #expect(attacked.documents(.group)["one/a.json"] == "2\n")
            try await attacked.shellInside("umount app/two")
            try await attacked.expectSame(1)
        }
    }

    @Test func pitfall25_lookingAtEverythingRaisesNoWork() async throws {
        try await Attacked.with(prepare: "for n in {1..50}; do mkdir app/d$n; echo 1 > app/d$n/a.json; done")
        { attacked in
            try await attacked.expectSame(50)
            let before = try await attacked.client.status().counters
            for _ in 0..<10 { try await attacked.wait(rehash: true) }
            let after = try await attacked.client.status().counters
            #expect(after.rescans == before.rescans + 10)
            #expect(after.changes == before.changes)
        }
    }

    @Test func pitfall27_whatWasSavedBeforeAWaitIsThereAfterIt() async throws {
        try await Attacked.with { attacked in
            let app = attacked.bridge.app
            for number in 0..<200 {
                try attacked.bridge.save("\(number)", as: "a\(number % 7).json", in: app)
                try await attacked.wait()
                #expect(attacked.bridge.read("a\(number % 7).json", in: attacked.bridge.group) == "\(number)")
            }
        }
    }
}

extension Attacked {
    func timesOut() async -> Bool {
        do throws(BridgeError) {
            try await client.wait(timeout: .milliseconds(200), rehash: false)
            return false
        } catch {
            if case .timedOut = error { return true }
            return false
        }
    }
}
