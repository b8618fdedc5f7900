import FileSystem
import Glibc
import Model

extension Contract {
    static let moving = [
        Check("an exclusive rename moves a file to a free name") { try movesExclusively($0) },
        Check("an exclusive rename takes no name that is taken") { try takesNoName($0) },
        Check("an exchange swaps two files, whole") { try exchanges($0) },
        Check("an exchange needs both files") { try exchangesOnlyBoth($0) },
        Check("a replacing rename leaves the one file under the one name") { try replaces($0) },
        Check("a rename of what is not there, or to nowhere, is refused") { try movesOnlyWhatIs($0) },
        Check("a replacing rename takes no directory's place") { try replacesNoDirectory($0) },
        Check("a rename to another name of the same file changes nothing") { try renamesTwins($0) },
        Check("a second name is the same file") { try links($0) },
        Check("a second name is not made where it cannot be") { try linksOnlyFree($0) },
        Check("a removal takes one name away") { try removes($0) },
        Check("a removal takes no directory, and nothing that is not there") { try removesOnlyFiles($0) },
    ]

    static func movesExclusively(_ ground: some Ground) throws {
        ground.makeDirectory(group("d"))
        ground.save(app("a.json"), .text("a"))
        let inode = try ground.door.status(of: app("a.json")).signature.inode
        var here = app("a.json")
        for next in [app("b.json"), group("a.json"), group("d/a.json"), state("a.json")] {
            try ground.door.rename(here, to: next, .exclusive)
            try require(ground.read(here), is: nil, "\(here) afterwards")
            try require(ground.read(next), is: .text("a"), "\(next)")
            here = next
        }
        try require(ground.door.status(of: here).signature.inode, is: inode, "the file's number")
    }

    static func takesNoName(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.save(app("file"), .text("file"))
        ground.makeDirectory(app("d"))
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        for path in ["file", "d", "link", "fifo", "a.json"] {
            try require(path, fails: .exists(app(path))) { () throws(FileError) in
                try ground.door.rename(app("a.json"), to: app(path), .exclusive)
            }
        }
        try require(ground.read(app("a.json")), is: .text("a"), "the one")
        try require(ground.read(app("file")), is: .text("file"), "the other")
    }

    static func exchanges(_ ground: some Ground) throws {
        ground.makeDirectory(group("d"))
        for there in [app("b.json"), group("b.json"), group("d/b.json")] {
            ground.save(app("a.json"), .text("a"))
            ground.save(there, .text("b"))
            let a = try ground.door.status(of: app("a.json")).signature.inode
            let b = try ground.door.status(of: there).signature.inode
            try ground.door.rename(app("a.json"), to: there, .exchange)
            try require(ground.read(app("a.json")), is: .text("b"), "here")
            try require(ground.read(there), is: .text("a"), "\(there)")
            try require(ground.door.status(of: app("a.json")).signature.inode, is: b, "the number here")
            try require(ground.door.status(of: there).signature.inode, is: a, "the number at \(there)")
        }
        // The displaced entry may be no document; it is kept like any other.
        ground.makeDirectory(app("d"))
        try ground.door.rename(app("a.json"), to: app("d"), .exchange)
        try require(ground.door.status(of: app("a.json")).kind, is: .directory, "a directory that came out")
        try require(ground.read(app("d")), is: .text("b"), "what took its place")
    }

    static func exchangesOnlyBoth(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        try require("to", fails: .missing(app("b.json"))) { () throws(FileError) in
            try ground.door.rename(app("a.json"), to: app("b.json"), .exchange)
        }
        try require("from", fails: .missing(app("b.json"))) { () throws(FileError) in
            try ground.door.rename(app("b.json"), to: app("a.json"), .exchange)
        }
        try require(ground.read(app("a.json")), is: .text("a"), "the file")
        try require(ground.read(app("b.json")), is: nil, "the other")
    }

    static func replaces(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.save(group("b.json"), .text("b"))
        let inode = try ground.door.status(of: app("a.json")).signature.inode
        try ground.door.with(group("b.json")) { handle in
            try ground.door.rename(app("a.json"), to: group("b.json"), .replace)
            try require(ground.door.read(handle, limit: 10), is: .text("b"), "what was replaced")
        }
        try require(ground.read(group("b.json")), is: .text("a"), "the target")
        try require(ground.read(app("a.json")), is: nil, "the old name")
        try require(ground.door.status(of: group("b.json")).signature.inode, is: inode, "its number")
        try ground.door.rename(group("b.json"), to: group("free.json"), .replace)
        try require(ground.read(group("free.json")), is: .text("a"), "at a free name")
        ground.makeSymbolicLink(group("link"))
        try ground.door.rename(group("free.json"), to: group("link"), .replace)
        try require(ground.door.status(of: group("link")).kind, is: .regular, "in a link's place")
    }

    static func movesOnlyWhatIs(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        for mode in [RenameMode.exclusive, .exchange, .replace] {
            for path in ["absent", "absent/deeper"] {
                try require("\(mode) from", fails: .missing(app(path))) { () throws(FileError) in
                    try ground.door.rename(app(path), to: group("b.json"), mode)
                }
            }
            let nowhere = group("absent/b.json")
            try require("\(mode) to", fails: .noDirectory(nowhere.directory)) { () throws(FileError) in
                try ground.door.rename(app("a.json"), to: nowhere, mode)
            }
        }
        try require(ground.read(app("a.json")), is: .text("a"), "the file")
    }

    static func replacesNoDirectory(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.makeDirectory(app("d"))
        ground.save(app("d/inner"), .text("inner"))
        try require("file", fails: .notRegular(app("d"), .directory)) { () throws(FileError) in
            try ground.door.rename(app("a.json"), to: app("d"), .replace)
        }
        try require("directory", fails: .system(errno: ENOTDIR, .rename, app("a.json"))) {
            () throws(FileError) in
            try ground.door.rename(app("d"), to: app("a.json"), .replace)
        }
        try require("itself", fails: .unsupported(.rename, app("d/d"))) { () throws(FileError) in
            try ground.door.rename(app("d"), to: app("d/d"), .exclusive)
        }
        try require(ground.read(app("a.json")), is: .text("a"), "the file")
        try require(ground.read(app("d/inner")), is: .text("inner"), "the directory's")
    }

    static func renamesTwins(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        try ground.door.link(app("a.json"), to: app("b.json"))
        for mode in [RenameMode.replace, .exchange] {
            try ground.door.rename(app("a.json"), to: app("b.json"), mode)
            try require(ground.read(app("a.json")), is: .text("a"), "the one, \(mode)")
            try require(ground.read(app("b.json")), is: .text("a"), "the other, \(mode)")
        }
    }

    static func links(_ ground: some Ground) throws {
        ground.makeDirectory(group("d"))
        ground.save(app("a.json"), .text("a"))
        try ground.door.link(app("a.json"), to: group("d/b.json"))
        let status = try ground.door.status(of: app("a.json"))
        try require(status, is: ground.door.status(of: group("d/b.json")), "by either name")
        try require(status.links, is: 2, "names")
        ground.overwrite(app("a.json"), .text("both"))
        try require(ground.read(group("d/b.json")), is: .text("both"), "after a change in place")
    }

    static func linksOnlyFree(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.save(app("b.json"), .text("b"))
        ground.makeSymbolicLink(app("link"))
        ground.makeDirectory(app("d"))
        let nowhere = app("absent/b.json")
        for taken in [app("b.json"), app("link"), app("d")] {
            try require("\(taken)", fails: .exists(taken)) { () throws(FileError) in
                try ground.door.link(app("a.json"), to: taken)
            }
        }
        try require("nowhere", fails: .noDirectory(nowhere.directory)) { () throws(FileError) in
            try ground.door.link(app("a.json"), to: nowhere)
        }
        try require("nothing", fails: .missing(app("absent"))) { () throws(FileError) in
            try ground.door.link(app("absent"), to: app("c.json"))
        }
        try require("directory", fails: .unsupported(.link, app("c.json"))) { () throws(FileError) in
            try ground.door.link(app("d"), to: app("c.json"))
        }
        try require(ground.read(app("b.json")), is: .text("b"), "the other")
        try require(ground.door.status(of: app("a.json")).links, is: 1, "names")
    }

    static func removes(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        ground.save(app("d/a.json"), .text("a"))
        try ground.door.link(app("d/a.json"), to: app("b.json"))
        try ground.door.remove(app("d/a.json"))
        try require(ground.read(app("d/a.json")), is: nil, "the name")
        try require(ground.read(app("b.json")), is: .text("a"), "the other name")
        try require(ground.door.status(of: app("b.json")).links, is: 1, "names")
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        ground.save(group("inside"), .text("inside"))
        try ground.door.remove(app("link"))
        try ground.door.remove(app("fifo"))
        try require(ground.read(group("inside")), is: .text("inside"), "where the link led")
        try require(
            ground.door.list(directory(.app)).map(\.bytes),
            is: [.text("b.json"), .text("d")],
            "left"
        )
    }

    static func removesOnlyFiles(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        try require("directory", fails: .notRegular(app("d"), .directory)) { () throws(FileError) in
            try ground.door.remove(app("d"))
        }
        for path in ["absent", "absent/deeper"] {
            try require(path, fails: .missing(app(path))) { () throws(FileError) in
                try ground.door.remove(app(path))
            }
        }
        try require(ground.door.status(of: app("d")).kind, is: .directory, "the directory")
    }
}
