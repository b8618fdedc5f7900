import Glibc
import Testing

@Suite struct FileTests {
    let container = try? Container()

    @Test func pitfall12_aHardLinkIsToldOfUnderItsNewName() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("outside.json")
        let helper = try Helper(root)
        try #require(unsafe link(container.absolute("outside.json"), container.absolute("root/in.json")) == 0)
        #expect(try helper.settled() == ["look 0 in.json"])
    }

    /// Each way to change a file; several of them cause no CLOSE_WRITE.
    @Test(arguments: [
        ("truncate", "look 0 f"), ("open for writing", "look 0 f"), ("append", "look 0 f"),
        ("chmod", "look 0 f"),
        ("utimes", "look 0 f"), ("setxattr", "look 0 f"), ("symlink", "look 0 new"), ("mkfifo", "look 0 new"),
        ("link", "look 0 new"), ("rename in", "look 0 new"), ("unlink", "look 0 f"),
        ("rename out", "look 0 f"),
        ("killed writer", "look 0 f"),
    ])
    func pitfall15_everyWayToChangeAFileIsToldOf(how: String, expected: String) throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/f")
        try container.write("outside")
        let helper = try Helper(root)
        let commands = [
            "truncate": "truncate -s 1 f", "open for writing": ": >> f", "append": "echo >> f",
            "chmod": "chmod 600 f", "utimes": "touch -d 2001-01-01 f",
            "setxattr": "setfattr -n user.a -v b f",
            "symlink": "ln -s f new", "mkfifo": "mkfifo new", "link": "ln f new",
            "rename in": "mv ../outside new",
            "unlink": "rm f", "rename out": "mv f ../elsewhere",
            "killed writer": "exec 5>> f; echo >&5; kill -9 $$",
        ]
        let command = try #require(commands[how])
        let said = try World.run("/bin/sh", "-c", "cd '\(root)' && { \(command); }")
        if how == "setxattr" && said.last != "status 0" {
            #expect(
                try World.run("/usr/bin/python3", "-c", "import os; os.setxattr('\(root)/f', 'user.a', b'b')")
                    .last == "status 0"
            )
        }
        #expect(try helper.settled() == [expected])
    }

    @Test func pitfall16_aMappedWriterIsToldOfWhenItUnmaps() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/f", String(repeating: " ", count: 4096))
        let helper = try Helper(root)
        let descriptor = unsafe open("\(root)/f", O_RDWR | O_CLOEXEC)
        let mapped = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else {
            throw Helper.Silence(description: "mmap")
        }
        unsafe memory.storeBytes(of: 1, as: UInt8.self)
        unsafe msync(memory, 4096, Int32(MS_SYNC))
        close(descriptor)
        // Until then there is no event: only `wait --rehash` finds such a change.
        #expect(try helper.settled() == [])
        unsafe munmap(memory, 4096)
        #expect(try helper.settled() == ["look 0 f"])
    }

    @Test func pitfall17_aFileWithoutANameIsToldOfOnceItHasOne() throws {
        let container = try #require(container)
        let root = try container.root()
        let helper = try Helper(root)
        let temporaryFile = 0o20000000 | Int32(O_DIRECTORY)
        let descriptor = unsafe open(root, temporaryFile | O_RDWR | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        _ = unsafe write(descriptor, "{}", 2)
        let linked = unsafe linkat(
            AT_FDCWD,
            "/proc/self/fd/\(descriptor)",
            AT_FDCWD,
            "\(root)/named.json",
            AT_SYMLINK_FOLLOW
        )
        try #require(linked == 0)
        #expect(try helper.settled().contains("look 0 named.json"))
    }

    @Test func pitfall18_aFileThatIsDeletedButOpenIsSilent() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/f")
        let helper = try Helper(root)
        let descriptor = unsafe open("\(root)/f", O_WRONLY | O_CLOEXEC)
        container.remove("root/f")
        #expect(try helper.settled() == ["look 0 f"])
        _ = unsafe write(descriptor, "x", 1)
        close(descriptor)
        #expect(try helper.settled() == [])
    }

    @Test func pitfall19_bothNamesOfAnExchangeAreToldOf() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/a")
        try container.write("root/b")
        let helper = try Helper(root)
        try container.exchange("root/a", "root/b")
        #expect(Set(try helper.settled()) == ["look 0 a", "look 0 b"])
        try container.write("root/.widgetbridge-1")
        try container.exchange("root/.widgetbridge-1", "root/a")
        #expect(try helper.settled() == ["look 0 a"])
    }

    @Test func pitfall20_aRenameOverAFileIsToldOf() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/a")
        let helper = try Helper(root)
        try container.write("root/a.tmp", "new")
        try container.rename("root/a.tmp", "root/a")
        #expect(try helper.settled().contains("look 0 a"))
    }

    @Test func `what an earlier run displaced is told of once a program closes it`() throws {
        let container = try #require(container)
        let root = try container.root()
        try container.write("root/.widgetbridge-1")
        let descriptor = unsafe open("\(root)/.widgetbridge-1", O_WRONLY | O_CLOEXEC)
        let helper = try Helper(root)
        #expect(try helper.settled() == [])
        _ = unsafe write(descriptor, "x", 1)
        close(descriptor)
        #expect(try helper.settled() == ["look 0 .widgetbridge-1"])
    }

    @Test func pitfall24_theLongestNamesArriveWhole() throws {
        let container = try #require(container)
        let root = try container.root()
        let helper = try Helper(root)
        let names = (0..<200).map { number in
            "\(number)" + String(repeating: "x", count: 255 - "\(number)".count)
        }
        for name in names { try container.write("root/\(name)") }
        #expect(try helper.settled() == names.map { "look 0 \($0)" })
    }

    @Test func `every byte of a name is escaped so that it can be decoded`() throws {
        let container = try #require(container)
        let root = try container.root()
        let helper = try Helper(root)
        var expected: Set<String> = []
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
            let name = Array("\(root)/x".utf8) + [byte, 0]
            let descriptor = unsafe name.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { characters in
                unsafe characters.baseAddress.map { unsafe open($0, O_WRONLY | O_CREAT, 0o644) } ?? -1
            }
            close(descriptor)
            let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
            let digits = String(byte, radix: 16)
            let plain = String(decoding: [byte], as: UTF8.self)
            expected.insert("look 0 x" + (isPlain ? plain : "\\x\(digits.count < 2 ? "0" : "")\(digits)"))
        }
        #expect(Set(try helper.settled()) == expected)
    }
}
