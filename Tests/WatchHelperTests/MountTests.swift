import Glibc
import TestWorld
import Testing

@Suite struct MountTests {
    let container = try? Container()

    @Test func pitfall14_whatIsMountedOverADirectoryIsWatchedAndWhatWasThereAgainAfterwards() throws {
        let container = try #require(container)
        try World.require(Wrapper.withMounts)
        let root = try container.root()
        container.makeDirectories("root/sub/deep")
        let helper = try Helper(starting: [root], through: Wrapper.withMounts)
        _ = try helper.lines(through: "ready")
        try World.run(inside: helper, "mount -t tmpfs none '\(root)/sub' && mkdir '\(root)/sub/new'")
        #expect(try helper.settled().lead(to: "sub/new/a.json"))
        try World.run(inside: helper, "echo > '\(root)/sub/new/a.json'")
        #expect(try helper.settled() == ["look 0 sub/new/a.json"])
        try World.run(inside: helper, "umount '\(root)/sub'")
        #expect(try helper.settled().contains("all 0 unmounted"))
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall14_aRootThatIsMountedOverIsAnotherOne() throws {
        let container = try #require(container)
        try World.require(Wrapper.withMounts)
        let root = try container.root()
        let helper = try Helper(starting: [root], through: Wrapper.withMounts)
        _ = try helper.lines(through: "ready")
        try World.run(inside: helper, "mount -t tmpfs none '\(root)'")
        _ = try helper.lines(through: "all 0 root-back")
        try World.run(inside: helper, "echo > '\(root)/a.json'")
        #expect(try helper.settled().contains("look 0 a.json"))
        try World.run(inside: helper, "umount '\(root)'")
        _ = try helper.lines(through: "all 0 root-back")
        try expectEverythingWatched(helper, container)
    }

    @Test func pitfall22_changesThroughAnOverlayAreToldOf() throws {
        let container = try #require(container)
        try World.require(Wrapper.withMounts)
        let root = try container.root()
        for name in ["lower/sub", "upper", "work"] { container.makeDirectories(name) }
        try container.write("lower/sub/a.json")
        let options = ["lower", "upper", "work"].map { "\($0)dir=\(container.absolute($0))" }.joined(
            separator: ","
        )
        let mount = "mount -t overlay none -o \(options) '\(root)' && exec \"$@\""
        let wrapper = Wrapper.withMounts + ["/bin/sh", "-c", mount, "sh"]
        try World.require(wrapper)
        let helper = try Helper(starting: [root], through: wrapper)
        _ = try helper.lines(through: "ready")
        try World.run(
            inside: helper,
            "cd '\(root)' && echo x > sub/a.json && mkdir -p new/er && echo > new/er/b.json"
        )
        let said = try helper.settled()
        #expect(said.lead(to: "sub/a.json") && said.lead(to: "new/er/b.json"))
    }

    @Test func pitfall23_aDirectoryThatIsBoundToTwoPlacesIsToldOfInBoth() throws {
        let container = try #require(container)
        try World.require(Wrapper.withMounts)
        let root = try container.root()
        container.makeDirectories("root/one/deep")
        container.makeDirectories("root/two")
        let bind = "mount --bind '\(root)/one' '\(root)/two' && exec \"$@\""
        let helper = try Helper(
            starting: [root],
            through: Wrapper.withMounts + ["/bin/sh", "-c", bind, "sh"]
        )
        _ = try helper.lines(through: "ready")
        try container.write("root/one/deep/a.json")
        let said = Set(try helper.settled())
        #expect(said == ["look 0 one/deep/a.json", "look 0 two/deep/a.json"])
        container.makeDirectories("root/one/new")
        _ = try helper.settled()
        try container.write("root/one/new/a.json")
        #expect(Set(try helper.settled()) == ["look 0 one/new/a.json", "look 0 two/new/a.json"])
    }
}
