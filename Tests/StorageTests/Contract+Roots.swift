import FileSystem
import Glibc
import Model

extension Contract {
    static let directories = [
        Check("a directory is made once, private and in a directory") { try makesDirectories($0) },
        Check("only an empty directory is removed") { try removesDirectories($0) },
    ]

    static let roots = [
        Check("what stands at a root's path is the root, until it is replaced") { try replacedRoot($0) },
        Check("a deleted root is no directory any more") { try deletedRoot($0) },
        Check("a root that stands there can be opened from now on") { try reopenedRoot($0) },
        Check("a root that is put back is not mistaken for the one that was opened") { try remadeRoot($0) },
    ]

    static func makesDirectories(_ ground: some Ground) throws {
        try ground.door.makeDirectory(app("d"))
        try ground.door.makeDirectory(app("d/e"))
        let status = try ground.door.status(of: app("d/e"))
        try require(status.kind, is: .directory, "kind")
        try require(status.mode, is: 0o700, "mode")
        ground.save(app("file"), .text("file"))
        ground.makeSymbolicLink(app("link"))
        for path in ["d", "d/e", "file", "link"] {
            try require(path, fails: .exists(app(path))) { () throws(FileError) in
                try ground.door.makeDirectory(app(path))
            }
        }
        try ground.door.make(app("d/e/a.json"), .text("a"))
        try require(ground.read(app("d/e/a.json")), is: .text("a"), "in it")
    }

    static func removesDirectories(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        ground.makeDirectory(app("d/e"))
        ground.save(app("d/e/a.json"), .text("a"))
        for path in ["d", "d/e"] {
            let refusal = FileError.system(errno: ENOTEMPTY, .removeDirectory, app(path))
            try require(path, fails: refusal) { () throws(FileError) in
                try ground.door.removeDirectory(app(path))
            }
        }
        try require(ground.read(app("d/e/a.json")), is: .text("a"), "the file")
        try ground.door.remove(app("d/e/a.json"))
        try ground.door.removeDirectory(app("d/e"))
        try ground.door.removeDirectory(app("d"))
        for path in ["d", "d/e"] {
            try require(path, fails: .missing(app(path))) { () throws(FileError) in
                try ground.door.removeDirectory(app(path))
            }
        }
        ground.save(app("file"), .text("file"))
        ground.makeSymbolicLink(app("link"))
        for path in ["file", "link", "file/deeper"] {
            let directory = directory(.app, path)
            try require(path, fails: .noDirectory(directory)) { () throws(FileError) in
                try ground.door.removeDirectory(app(path))
            }
        }
    }

    static func replacedRoot(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        let opened = try ground.door.status(of: directory(.app))
        try require(ground.door.standing(at: .app).signature.inode, is: opened.signature.inode, "at first")
        ground.replaceRoot(.app)
        let standing = try ground.door.standing(at: .app)
        try require(standing.kind, is: .directory, "kind")
        try require(standing.signature.inode != opened.signature.inode, "the new one is taken for the old")
        let still = try ground.door.status(of: directory(.app))
        try require(still.signature.inode, is: opened.signature.inode, "the one that was opened")
        try require(ground.door.contents(app("a.json")), is: .text("a"), "what is in it")
    }

    static func reopenedRoot(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        if ground.hasAttributes { try ground.door.addAttribute("widgetbridge.id", to: .app, .text("old")) }
        ground.replaceRoot(.app)
        ground.save(app("new.json"), .text("new"))
        try require(ground.door.attribute("widgetbridge.id", at: .app), is: nil, "what stands there")
        try ground.door.reopen(.app)
        let opened = try ground.door.status(of: directory(.app))
        try require(opened.signature.inode, is: ground.door.standing(at: .app).signature.inode, "which one")
        try require(ground.door.contents(app("new.json")), is: .text("new"), "what is in it")
        try ground.door.make(app("b.json"), .text("b"))
        try require(ground.read(app("b.json")), is: .text("b"), "what was written there")
        ground.removeRoot(.app)
        try require("none", fails: .noDirectory(directory(.app))) { () throws(FileError) in
            try ground.door.reopen(.app)
        }
    }

    static func deletedRoot(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.removeRoot(.app)
        let none = FileError.noDirectory(directory(.app))
        try require("status", fails: none) { () throws(FileError) in
            try ground.door.status(of: directory(.app))
        }
        try require("standing", fails: none) { () throws(FileError) in try ground.door.standing(at: .app) }
        try require("list", fails: none) { () throws(FileError) in try ground.door.list(directory(.app)) }
        try require("create", fails: none) { () throws(FileError) in try ground.door.create(app("b")) }
        try require("make", fails: none) { () throws(FileError) in try ground.door.makeDirectory(app("b")) }
        try require("open", fails: .missing(app("a.json"))) { () throws(FileError) in
            try ground.door.open(app("a.json"))
        }
        ground.save(group("a.json"), .text("g"))
        try require("rename", fails: none) { () throws(FileError) in
            try ground.door.rename(group("a.json"), to: app("a.json"), .exclusive)
        }
        try require(ground.read(group("a.json")), is: .text("g"), "the other container")
    }

    static func remadeRoot(_ ground: some Ground) throws {
        ground.replaceRoot(.app)
        ground.save(app("new.json"), .text("new"))
        try require(ground.door.list(directory(.app)).isEmpty, "the new root is looked into")
        try ground.door.make(app("ours.json"), .text("ours"))
        try require(ground.read(app("ours.json")), is: nil, "what was written went into the new root")
    }
}
