import Glibc
import Testing

@Suite struct RootTests {
    let container = try? Container()

    @Test func pitfall07_aRootThatIsDeletedAndMadeAgainIsWatchedAgain() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/sub")
        _ = try helper.settled()
        container.remove("root")
        _ = try helper.lines(through: "all 0 root-lost")
        container.makeDirectories("root/sub/deeper")
        try container.write("root/sub/a.json")
        #expect(try helper.lines(through: "all 0 root-back").isEmpty == false)
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall07_aRootDeletedWhileSomebodyHoldsItOpenIsMissedAtOnce() throws {
        let container = try #require(container)
        let root = try container.root()
        let held = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(held) }
        let helper = try Helper(root)
        container.remove("root")
        _ = try helper.lines(through: "all 0 root-lost")
        try container.makeDirectory("root")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall08_aRootThatIsRenamedIsLostAndItsOldPathIsWatchedAgain() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/sub")
        try container.rename("root", "elsewhere")
        _ = try helper.lines(through: "all 0 root-lost")
        try container.write("elsewhere/sub/unseen.json")
        #expect(try helper.settled() == [])
        try container.rename("elsewhere", "root")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall08_anAncestorThatIsRenamedIsNoticedByTheNextTokenOrRescan() throws {
        let container = try #require(container)
        container.makeDirectories("top/middle/root")
        let helper = try Helper(container.absolute("top/middle/root"))
        try container.rename("top", "moved")
        helper.send("rescan 0")
        _ = try helper.lines(through: "all 0 root-lost")
        container.makeDirectories("top/middle/root/sub")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container, "top/middle/root")
        try container.rename("top", "moved again")
        #expect(try helper.settled() == ["all 0 root-lost"])
    }

    @Test func `a root replaced by another directory is reported as another one`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("other/sub")
        try container.write("other/sub/a.json")
        try container.exchange("root", "other")
        let said = try helper.settled()
        #expect(said.contains("all 0 root-lost") && said.contains("all 0 root-back"))
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall11_aRootInsideAnotherIsWatchedAsBoth() throws {
        let container = try #require(container)
        let root = try container.root()
        container.makeDirectories("root/sub/deep")
        for order in [[root, "\(root)/sub"], ["\(root)/sub", root]] {
            let helper = try Helper(starting: order)
            _ = try helper.lines(through: "ready")
            let outer = order[0] == root ? 0 : 1
            try expectEverythingWatched(helper, container, "root", number: outer)
            try expectEverythingWatched(helper, container, "root/sub", number: 1 - outer)
            container.makeDirectories("root/sub/new")
            try expectEverythingWatched(helper, container, "root", number: outer)
            try expectEverythingWatched(helper, container, "root/sub", number: 1 - outer)
            try container.rename("root/sub/new", "root/outside")
            try expectEverythingWatched(helper, container, "root", number: outer)
            container.remove("root/outside")
        }
    }

    @Test func pitfall11_theSameRootTwiceAndThroughALinkIsToldOfForEach() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.link(root, as: "link")
        let helper = try Helper(root, root, container.absolute("link"))
        container.makeDirectories("root/sub")
        for number in 0..<3 { try expectEverythingWatched(helper, container, "root", number: number) }
        try container.rename("root/sub", "root/renamed")
        for number in 0..<3 { try expectEverythingWatched(helper, container, "root", number: number) }
    }

    @Test func `a link to a root that leads to another directory now is noticed at once`() throws {
        let container = try #require(container)
        container.makeDirectories("releases/41/sub")
        container.makeDirectories("releases/42/sub")
        try container.link("releases/41", as: "current")
        let helper = try Helper(container.absolute("current"))
        _ = try helper.settled()
        try container.link("releases/42", as: "new")
        try container.rename("new", "current")
        _ = try helper.lines(through: "all 0 root-lost")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container, "releases/42")
        try container.write("releases/41/unseen.json")
        #expect(try helper.settled() == [])
    }

    @Test func `a directory moved from one root to the other is reported in both`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root("one"), try container.root("two"))
        container.makeDirectories("one/sub/deep")
        try container.write("one/sub/deep/a.json")
        _ = try helper.settled()
        try container.rename("one/sub", "two/sub")
        let said = try helper.settled()
        #expect(said.lead(to: "sub/deep/a.json", root: 0) && said.lead(to: "sub/deep/a.json", root: 1))
        try expectEverythingWatched(helper, container, "two", number: 1)
    }

    @Test func `a root with a hidden name is watched as well`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root(".hidden"))
        try expectEverythingWatched(helper, container, ".hidden")
    }
}
