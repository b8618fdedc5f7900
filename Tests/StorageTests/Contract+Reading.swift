import FileSystem
import Glibc
import Model

extension Contract {
    static let reading = [
        Check("a file is read whole, from its start, each time") { try readsWhole($0) },
        Check("no more is read than was asked for") { try readsToLimit($0) },
        Check("what is read is what is there now") { try readsFresh($0) },
        Check("only a regular file is opened") { try opensRegularOnly($0) },
        Check("an open file stays the same file") { try staysOpen($0) },
        Check("an open file is told from the one that took its name") { try staysItself($0) },
        Check("it is told whether somebody has the file open for writing") { try tellsWriters($0) },
    ]

    static func readsWhole(_ ground: some Ground) throws {
        for size in [0, 1, 4095, 65_536, 65_537, 300_000] {
            let bytes = [UInt8].pattern(size)
            ground.save(app("a.json"), bytes)
            try ground.door.with(app("a.json")) { handle in
                for _ in 0..<2 {
                    try require(
                        ground.door.read(handle, limit: 1 << 20) == bytes,
                        "\(size) bytes are not as written"
                    )
                }
            }
        }
    }

    static func readsToLimit(_ ground: some Ground) throws {
        let bytes = [UInt8].pattern(100_000)
        ground.save(app("a.json"), bytes)
        for limit in [0, 1, 65_536, 70_000, 99_999, 100_000, 100_001] {
            let found = try ground.door.contents(app("a.json"), limit: limit)
            try require(found == Array(bytes.prefix(limit)), "limit \(limit): \(found.count) bytes")
        }
    }

    static func readsFresh(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("old"))
        try ground.door.with(app("a.json")) { handle in
            try require(ground.door.read(handle, limit: 10), is: .text("old"), "at first")
            ground.overwrite(app("a.json"), .text("new bytes"))
            try require(ground.door.read(handle, limit: 10), is: .text("new bytes"), "after a save in place")
            try require(ground.door.status(of: handle).signature.size, is: 9, "its size")
        }
        ground.save(app("a.json"), .text("newest"))
        try require(ground.door.contents(app("a.json")), is: .text("newest"), "after a save by rename")
    }

    static func opensRegularOnly(_ ground: some Ground) throws {
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        ground.makeDirectory(app("d"))
        let kinds: [(String, FileKind)] = [("link", .symbolicLink), ("fifo", .special), ("d", .directory)]
        for (path, kind) in kinds {
            try require(path, fails: .notRegular(app(path), kind)) { () throws(FileError) in
                try ground.door.open(app(path))
            }
        }
    }

    static func staysOpen(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("mine"))
        try ground.door.with(app("a.json")) { handle in
            func still(_ what: String) throws {
                try require(ground.door.read(handle, limit: 10), is: .text("mine"), "after \(what)")
            }
            try ground.door.rename(app("a.json"), to: group("b.json"), .exclusive)
            try still("a rename")
            ground.save(app("c.json"), .text("other"))
            try ground.door.rename(app("c.json"), to: group("b.json"), .exchange)
            try still("an exchange")
            ground.save(app("c.json"), .text("third"))
            try still("the world's save over it")
            ground.save(app("d.json"), .text("keep"))
            try ground.door.rename(group("b.json"), to: app("d.json"), .replace)
            try ground.door.remove(app("d.json"))
            try still("a removal")
            try require(ground.door.status(of: handle).links, is: 0, "names left")
        }
    }

    static func staysItself(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("1"))
        try ground.door.with(app("a.json")) { handle in
            let before = try ground.door.status(of: handle).signature.inode
            ground.save(app("a.json"), .text("2"))
            let standing = try ground.door.status(of: app("a.json")).signature.inode
            try require(standing != before, "the new file has the number of one that is open")
            try require(ground.door.status(of: handle).signature.inode, is: before, "the open file's number")
        }
    }

    static func tellsWriters(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("1"))
        try ground.door.with(app("a.json")) { handle in
            guard ground.door.isOpenForWriting(handle) != nil else { return }
            func isFree() -> Bool {
                eventually(ground.isReal) { ground.door.isOpenForWriting(handle) == false }
            }
            try require(isFree(), "it is told as written to, with no writer")
            let pen = ground.open(app("a.json"))
            try require(ground.door.isOpenForWriting(handle), is: true, "with a writer")
            ground.rename(app("a.json"), to: app("b.json"))
            try require(ground.door.isOpenForWriting(handle), is: true, "with a writer, under another name")
            try ground.door.remove(app("b.json"))
            try require(ground.door.isOpenForWriting(handle), is: true, "with a writer, without a name")
            pen?.write(.text("late"))
            pen?.close()
            try require(isFree(), "it is told as written to after the writer has closed it")
            try require(ground.door.read(handle, limit: 10), is: .text("late"), "what it wrote")
        }
        let own = try ground.door.create(app("own"))
        try ground.door.with(app("own")) { handle in
            try require(ground.door.isOpenForWriting(handle), is: true, "while we write")
            ground.door.close(own)
            let isFree = eventually(ground.isReal) { ground.door.isOpenForWriting(handle) == false }
            try require(isFree, "it is told as written to when we have written")
        }
    }
}
