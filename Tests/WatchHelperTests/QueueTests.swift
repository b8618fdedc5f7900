import Glibc
import TestWorld
import Testing

/// The kernel's queue when it is full, and the limits of the system.
@Suite(.serialized) struct QueueTests {
    let container = try? Container()

    private var queueLength: Int {
        get throws {
            let said = try World.run("/bin/cat", "/proc/sys/fs/inotify/max_queued_events")
            return try #require(said.first.flatMap { Int($0) })
        }
    }

    @Test func pitfall01_anOverflowIsSaidAndEverythingIsWatchedAfterIt() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root(), try container.root("other"))
        container.makeDirectories("root/known")
        container.makeDirectories("root/moved/deep")
        _ = try helper.settled()
        let length = try queueLength
        for _ in 0..<2 {
            kill(helper.id, SIGSTOP)
            for number in 0..<length + 2_000 { try container.write("root/f\(number)", "") }
            // These are not reported.
            container.makeDirectories("root/known/lost/deeper")
            container.makeDirectories("root/lost")
            try container.rename("root/moved", "outside")
            kill(helper.id, SIGCONT)
            let said = try helper.settled()
            #expect(said.contains("all 0 overflow") && said.contains("all 1 overflow"))
            try expectEverythingWatched(helper, container)
            try container.write("outside/deep/unseen.json")
            #expect(try helper.settled() == [])
            try container.rename("outside", "root/moved")
            container.remove("root/known/lost")
            container.remove("root/lost")
        }
    }

    @Test func pitfall27_aTokenIsAnsweredInTheMiddleOfAFlood() throws {
        let container = try #require(container)
        let root = try container.root()
        let helper = try Helper(root)
        let flood =
            "cd '\(root)' && while :; do for i in 1 2 3 4 5 6 7; do : > f$i; mkdir d$i; mv d$i e$i; rmdir e$i; done; done"
        let floods = try (0..<3).map {
            try World.background("mkdir '\(root)/\($0)'; cd '\(root)/\($0)'; \(flood)")
        }
        for number in 0..<50 {
            try container.write("root/mine\(number).json")
            #expect(try helper.settled().lead(to: "mine\(number).json"))
        }
        withExtendedLifetime(floods) {}
    }

    @Test func pitfall27_aTokenComesBehindAllThatWasDoneBeforeIt() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for round in 0..<200 {
            container.makeDirectories("root/\(round)/b")
            try container.write("root/\(round)/b/c.json")
            #expect(try helper.settled().lead(to: "\(round)/b/c.json"))
        }
    }

    @Test func pitfall30_aReaderThatDoesNotReadLosesNothing() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for number in 0..<40_000 { try container.write("root/f\(number)", "") }
        let said = Set(try helper.settled())
        let isTold = said.contains("all 0 overflow")
        #expect(isTold || (0..<40_000).allSatisfy { said.contains("look 0 f\($0)") })
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall06_theWatchLimitIsSaidAndMendedByARescan() throws {
        let container = try #require(container)
        let wrapper = Wrapper.limited("max_inotify_watches", to: 10)
        try World.require(wrapper)
        let root = try container.root()
        for number in 0..<41 { container.makeDirectories("root/d\(number)") }
        let helper = try Helper(starting: [root], through: wrapper)
        let said = try helper.lines(through: "ready") + helper.settled()
        let limit = try #require(said.first { $0.hasPrefix("all 0 watch-limit ") })
        #expect(limit.contains("max_user_watches"))
        try container.write("root/a.json")
        #expect(try helper.settled() == ["look 0 a.json"])
        try World.run(inside: helper, "echo 1000 > /proc/sys/user/max_inotify_watches")
        helper.send("rescan 0")
        _ = try helper.lines(through: "all 0 watch-limit 0")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall06_aLimitOfOneStillAnswersTokens() throws {
        let container = try #require(container)
        let wrapper = Wrapper.limited("max_inotify_watches", to: 0)
        try World.require(wrapper)
        let root = try container.root()
        let helper = try Helper(starting: [root], through: wrapper)
        let said = try helper.lines(through: "ready") + helper.settled()
        #expect(said.contains { $0.hasPrefix("all 0 watch-limit 1 ") })
        try World.run(inside: helper, "echo 1000 > /proc/sys/user/max_inotify_watches")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall06_withoutAnInstanceItSaysWhatToRaise() throws {
        let container = try #require(container)
        let wrapper = Wrapper.limited("max_inotify_instances", to: 0)
        try World.require(wrapper)
        let said = try World.run(wrapper + [try Helper.program(), try container.root()])
        #expect(said.last == "status 1")
        #expect(said.first?.contains("fs.inotify.max_user_instances") == true)
        #expect(said.count == 2)
    }
}
