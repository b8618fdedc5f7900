import Glibc
import Testing

@Suite struct HintTests {
    let container = try? Container()

    @Test func `a document that is created, changed, moved or removed is reported`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        try container.write("root/a.json")
        #expect(try helper.settled() == ["look 0 a.json"])
        try container.rename("root/a.json", "root/b.json")
        #expect(try helper.settled() == ["look 0 a.json", "look 0 b.json"])
        container.remove("root/b.json")
        #expect(try helper.settled() == ["look 0 b.json"])
    }

    @Test func `existing documents are not reported`() throws {
        let container = try #require(container)
        let root = try container.root()
        container.makeDirectories("root/a/b")
        try container.write("root/a/b/old.json")
        let helper = try Helper(root)
        #expect(try helper.settled() == [])
        try expectEverythingWatched(helper, container)
    }

    @Test func `each root has its number`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root("one"), try container.root("two"))
        try container.write("two/a.json")
        try container.write("one/b.json")
        #expect(try helper.settled() == ["look 1 a.json", "look 0 b.json"])
    }

    @Test func `hidden names are skipped, directories too`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        try container.write("root/.widgetbridge-1")
        container.makeDirectories("root/.git/objects")
        try container.write("root/.git/objects/a.json")
        #expect(try helper.settled() == [])
        try container.rename("root/.widgetbridge-1", "root/a.json")
        try container.rename("root/.git", "root/git")
        let said = try helper.settled()
        #expect(said.first == "look 0 a.json")
        #expect(said.lead(to: "git/objects/a.json"))
        try expectEverythingWatched(helper, container)
    }

    @Test func `an escaped name is one line`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        try container.write("root/two words.json")
        try container.write("root/two\nlines\t\\.json")
        try container.write("root/ü.json")
        let said = try helper.settled()
        #expect(
            said == [
                "look 0 two words.json", #"look 0 two\x0alines\x09\x5c.json"#, "look 0 ü.json",
            ]
        )
    }

    @Test func `a token is answered at the end of the input, and then the helper ends`() throws {
        let container = try #require(container)
        let helper = try Helper(starting: [try container.root()])
        helper.send("token last")
        helper.endInput()
        #expect(try helper.linesToItsEnd() == ["ready", "token last"])
    }

    @Test func `an unknown request is reported`() throws {
        let container = try #require(container)
        let helper = try Helper(try container.root())
        for line in ["bogus", "token", "token 1 2", "rescan", "rescan 1", "rescan -1", ""] {
            helper.send(line)
        }
        let said = try helper.settled()
        #expect(said.count == 6)
        #expect(said.allSatisfy { $0.hasPrefix("error ") })
    }
}
