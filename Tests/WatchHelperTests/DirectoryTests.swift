import Glibc
import TestWorld
import Testing

@Suite struct DirectoryTests {
    let container = try? Container()

    @Test func pitfall03_aTreeThatIsMovedOutIsToldOfAndThenSilent() throws {
        let container = try #require(container)
        let root = try container.root()
        container.makeDirectories("root/sub/deep")
        try container.write("root/sub/deep/a.json")
        let helper = try Helper(root)
        try container.rename("root/sub", "outside")
        #expect(try helper.settled().lead(to: "sub/deep/a.json"))
        try container.write("outside/deep/b.json")
        container.makeDirectories("outside/deep/er")
        #expect(try helper.settled() == [])
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall04_aTreeThatIsMovedInIsToldOfToItsLastFile() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for number in 0..<50 {
            container.makeDirectories("outside/d\(number)/deep")
            try container.write("outside/d\(number)/deep/a.json")
        }
        try container.rename("outside", "root/inside")
        let said = try helper.settled()
        #expect((0..<50).allSatisfy { said.lead(to: "inside/d\($0)/deep/a.json") })
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall09_aDirectoryDeletedAndMadeAgainIsWatched() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for _ in 0..<50 {
            container.makeDirectories("root/d/e")
            try container.write("root/d/e/a.json")
            container.remove("root/d")
            container.makeDirectories("root/d/e")
            _ = try helper.settled()
            try container.write("root/d/e/b.json")
            #expect(try helper.settled().contains("look 0 d/e/b.json"))
            container.remove("root/d")
        }
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall09_aNameThatIsUsedAgainAfterARenameIsAnotherDirectory() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/a/sub")
        _ = try helper.settled()
        for number in 0..<50 {
            try container.rename("root/a", "root/b\(number)")
            container.makeDirectories("root/a/sub")
        }
        try expectEverythingWatched(helper, container)
    }

    /// Events arrive only when it is over: the helper never sees the tree in between.
    @Test func `directories that swap which of them contains the other keep their watches`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/n/p/q")
        _ = try helper.settled()
        for _ in 0..<5 {
            kill(helper.id, SIGSTOP)
            try container.makeDirectory("root/other")
            try container.rename("root/n/p", "root/other/p")
            try container.rename("root/n", "root/other/p/n")
            try container.rename("root/other", "root/n")
            kill(helper.id, SIGCONT)
            try expectEverythingWatched(helper, container)
            container.remove("root/n/p/n")
        }
        for _ in 0..<5 {
            kill(helper.id, SIGSTOP)
            try container.rename("root/n/p/q", "root/q")
            try container.rename("root/n/p", "root/q/p")
            try container.rename("root/n", "root/q/p/n")
            try container.rename("root/q", "root/n")
            try container.rename("root/n/p/n", "root/n/p/q")
            kill(helper.id, SIGCONT)
            try expectEverythingWatched(helper, container)
        }
    }

    @Test func pitfall10_watchesComeAndGoWithoutGrowth() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        func turn() throws -> Int {
            for _ in 0..<2_000 {
                try container.makeDirectory("root/d")
                container.remove("root/d")
            }
            _ = try helper.settled()
            return try kilobytes("RssAnon", of: helper)
        }
        _ = try turn()
        let before = try turn()
        let after = try turn()
        // The address sanitizer keeps freed memory, so the figure means nothing.
        if try kilobytes("VmSize", of: helper) > 1 << 30 { return }
        #expect(after < before + 256)
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall13_symbolicLinksAreNotEntered() throws {
        let container = try #require(container)
        let root = try container.root()
        container.makeDirectories("root/a/b")
        container.makeDirectories("outside")
        try container.link(".", as: "root/a/loop")
        try container.link(container.absolute("outside"), as: "root/a/away")
        let helper = try Helper(root)
        try container.write("outside/a.json")
        try container.write("root/a/c.json")
        #expect(try helper.settled() == ["look 0 a/c.json"])
        try container.link("b", as: "root/a/new")
        #expect(try helper.settled() == ["look 0 a/new"])
    }

    @Test func pitfall13_aDirectorySwappedForALinkAndBackKeepsItsWatch() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/d/e")
        container.makeDirectories("outside/e")
        try container.link(container.absolute("outside"), as: "link")
        for _ in 0..<200 {
            try container.exchange("root/d", "link")
            try container.exchange("root/d", "link")
        }
        try expectEverythingWatched(helper, container)
        try container.exchange("root/d", "link")
        _ = try helper.settled()
        try container.write("outside/e/unseen.json")
        try container.write("link/e/unseen.json")
        #expect(try helper.settled() == [])
    }

    @Test func pitfall19_directoriesThatAreExchangedKeepTheirWatches() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        container.makeDirectories("root/a/x/y")
        container.makeDirectories("root/b/z")
        try container.write("root/a/x/y/1.json")
        _ = try helper.settled()
        for _ in 0..<51 { try container.exchange("root/a", "root/b") }
        #expect(try helper.settled().lead(to: "b/x/y/1.json"))
        try expectEverythingWatched(helper, container)
        try container.exchange("root/a/z", "root/b")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall25_lookingForItselfRaisesNothing() throws {
        let container = try #require(container)
        let root = try container.root()
        for number in 0..<50 { container.makeDirectories("root/d\(number)/e") }
        let helper = try Helper(root)
        for _ in 0..<10 { helper.send("rescan 0") }
        #expect(try helper.settled() == [])
        #expect(try helper.settled() == [])
    }

    @Test func pitfall28_aStormEndsInWhatIsThere() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for round in 0..<3 {
            for number in 0..<1_000 {
                container.makeDirectories("root/r\(round)/d\(number % 37)/e\(number % 11)")
                try container.write("root/r\(round)/d\(number % 37)/e\(number % 11)/f\(number)")
            }
            if round > 0 { container.remove("root/r\(round - 1)") }
        }
        #expect(try helper.settled().lead(to: "r2/d0/e0/f0"))
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall29_whatIsTooDeepForAPathDoesNotKeepTheRestFromBeingWatched() throws {
        let container = try #require(container)
        let root = try container.root()
        let name = String(repeating: "n", count: 250)
        try container.makeDirectory("root/beside")
        let script = "cd '\(root)' && for i in $(seq 1 20); do mkdir \(name) && cd \(name); done"
        #expect(try World.run("/bin/bash", "-c", script) == ["status 0"])
        let helper = try Helper(root)
        helper.send("rescan 0")
        #expect(try helper.settled() == [])
        try container.write("root/beside/a.json")
        try container.write("root/\(name)/\(name)/a.json")
        #expect(try helper.settled() == ["look 0 beside/a.json", "look 0 \(name)/\(name)/a.json"])
        #expect(try World.run("/bin/rm", "-rf", root) == ["status 0"])
    }

    @Test func pitfall31_aDirectoryThatBecomesReadableIsWatchedThen() throws {
        let container = try #require(container)
        try World.require(Wrapper.unprivileged + [try Helper.program(), "--help"])
        unsafe chmod(container.path, 0o755)
        let root = try container.root()
        container.makeDirectories("root/closed/deep")
        try container.write("root/closed/deep/a.json")
        unsafe chmod(container.absolute("root/closed"), 0o000)
        let helper = try Helper(starting: [root], through: Wrapper.unprivileged)
        _ = try helper.lines(through: "ready")
        try container.makeDirectory("root/beside")
        #expect(try helper.settled().allSatisfy { !$0.hasPrefix("all") })
        unsafe chmod(container.absolute("root/closed"), 0o755)
        #expect(try helper.settled().lead(to: "closed/deep/a.json"))
        try expectEverythingWatched(helper, container)
        unsafe chmod(container.absolute("root/closed"), 0o000)
        #expect(try helper.settled().lead(to: "closed/deep/a.json"))
        unsafe chmod(container.absolute("root/closed"), 0o755)
        try expectEverythingWatched(helper, container)
    }
}

/// The kernel's figure for the helper's memory.
func kilobytes(_ what: String, of helper: Helper) throws -> Int {
    let status = try World.run("/bin/cat", "/proc/\(helper.id)/status")
    let line = try #require(status.first { $0.hasPrefix("\(what):") })
    return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
}
