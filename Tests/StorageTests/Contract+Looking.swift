import FileSystem
import Glibc
import Model

extension Contract {
    static let looking = [
        Check("a listing has every name, as bytes and in their order") { try listing($0) },
        Check("a listing tells what each name is") { try listingKinds($0) },
        Check("a listing of what is no directory is refused") { try listingOfNone($0) },
        Check("a status tells kind, size, mode and links") { try statuses($0) },
        Check("a status of what is not there is missing, wherever the way ends") { try statusOfNone($0) },
        Check("a status of a directory is of nothing else") { try statusOfDirectories($0) },
        Check("a directory that tells case apart is known for it") { try caseApart($0) },
        Check("a signature changes with every change") { try signatures($0) },
        Check("a signature stays while nothing changes") { try steadySignatures($0) },
        Check("names may be long, and hold a line break") { try oddNames($0) },
        Check("no verb goes through a symbolic link") { try throughLinks($0) },
        Check("no verb goes through a file") { try throughFiles($0) },
    ]

    static func listing(_ ground: some Ground) throws {
        for name in ["b.json", "a.json", ".hidden", "ä.json", "B.json", "a.json.bak"] {
            ground.save(app(name), .text(name))
        }
        ground.save(name: [0x66, 0xFF, 0xFE], in: .app, [])
        ground.makeDirectory(app("d"))
        ground.save(app("d/inner.json"), [])
        let names = try ground.door.list(directory(.app)).map(\.bytes)
        let wanted: [[UInt8]] =
            [".hidden", "B.json", "a.json", "a.json.bak", "b.json", "d"].map { .text($0) }
            + [[0x66, 0xFF, 0xFE], .text("ä.json")]
        try require(names, is: wanted, "names")
        try require(ground.door.list(directory(.app, "d")).map(\.bytes), is: [.text("inner.json")], "d")
        try require(ground.door.list(directory(.group)).isEmpty, "nothing is in the group container")
    }

    static func caseApart(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        for directory in [directory(.app), directory(.app, "d"), directory(.state)] {
            try require(!ground.door.foldsCase(directory), "\(directory) folds case")
        }
        for name in ["a.json", "A.json"] { ground.save(app(name), .text(name)) }
        try require(ground.door.list(directory(.app)).count, is: 3, "names")
    }

    static func listingKinds(_ ground: some Ground) throws {
        ground.save(app("1"), [])
        ground.makeDirectory(app("2"))
        ground.makeSymbolicLink(app("3"))
        ground.makeSpecial(app("4"))
        let kinds = try ground.door.list(directory(.app)).map(\.kind)
        let wanted: [FileKind] = [.regular, .directory, .symbolicLink, .special]
        for (kind, wanted) in zip(kinds, wanted) {
            try require(kind == nil || kind == wanted, "\(wanted) is told as \(kind as Any)")
        }
        try require(kinds.count, is: 4, "entries")
    }

    static func listingOfNone(_ ground: some Ground) throws {
        ground.save(app("file"), [])
        ground.makeSymbolicLink(app("link"))
        for path in ["absent", "file", "link", "link/app", "absent/deeper"] {
            let directory = directory(.app, path)
            try require(path, fails: .noDirectory(directory)) { () throws(FileError) in
                try ground.door.list(directory)
            }
        }
    }

    static func statuses(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("twelve bytes"))
        ground.setMode(app("a.json"), 0o640)
        ground.makeDirectory(app("d"))
        ground.save(app("d/b"), [])
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        let status = try ground.door.status(of: app("a.json"))
        try require(status.kind, is: .regular, "kind")
        try require(status.signature.size, is: 12, "size")
        try require(status.mode, is: 0o640, "mode")
        try require(status.links, is: 1, "links")
        try require(!status.isMountPoint, "nothing is mounted")
        let kinds: [(String, FileKind)] = [
            ("d", .directory), ("d/b", .regular), ("link", .symbolicLink), ("fifo", .special),
        ]
        for (path, kind) in kinds { try require(ground.door.status(of: app(path)).kind, is: kind, path) }
        let same = try ground.door.with(app("a.json")) { try ground.door.status(of: $0) }
        try require(same, is: status, "the status of the open file")
    }

    static func statusOfNone(_ ground: some Ground) throws {
        for path in ["absent", "absent/deeper", "absent/deeper/yet"] {
            try require(path, fails: .missing(app(path))) { () throws(FileError) in
                try ground.door.status(of: app(path))
            }
            try require(path, fails: .missing(app(path))) { () throws(FileError) in
                try ground.door.open(app(path))
            }
        }
    }

    static func statusOfDirectories(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        ground.save(app("file"), [])
        ground.makeSymbolicLink(app("link"))
        try require(ground.door.status(of: directory(.app)).kind, is: .directory, "the root")
        let nested = try ground.door.status(of: directory(.app, "d"))
        try require(nested, is: ground.door.status(of: app("d")), "by either way")
        for path in ["absent", "file", "link"] {
            let directory = directory(.app, path)
            try require(path, fails: .noDirectory(directory)) { () throws(FileError) in
                try ground.door.status(of: directory)
            }
        }
    }

    /// The size never differs: all contents have one byte.
    static func signatures(_ ground: some Ground) throws {
        guard ground.door.timestampGrain == .zero else { return }
        let file = app("a.json")
        var seen: [Signature] = []
        func look(_ what: String, _ file: Location) throws {
            let signature = try ground.door.status(of: file).signature
            try require(!seen.contains(signature), "a signature came again after \(what)")
            seen.append(signature)
        }
        ground.save(file, .text("1"))
        try look("a save", file)
        for _ in 0..<50 {
            ground.overwrite(file, .text("2"))
            try look("a save in place", file)
        }
        for _ in 0..<50 {
            ground.save(file, .text("3"))
            try look("a save by rename", file)
        }
        ground.setMode(file, 0o600)
        try look("a change of mode", file)
        try ground.door.rename(file, to: app("b.json"), .exclusive)
        try look("a rename", app("b.json"))
        try ground.door.link(app("b.json"), to: app("c.json"))
        try look("a second name", app("b.json"))
    }

    static func steadySignatures(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("1"))
        let first = try ground.door.status(of: app("a.json"))
        _ = try ground.door.contents(app("a.json"))
        ground.save(app("b.json"), .text("2"))
        try require(ground.door.status(of: app("a.json")), is: first, "after a look and another's change")
    }

    static func oddNames(_ ground: some Ground) throws {
        let longest = String(repeating: "n", count: 255)
        for name in ["two\nlines", longest, " ", "-rf", "a\u{301}"] {
            try ground.door.make(app(name), .text(name))
            try require(ground.door.contents(app(name)), is: .text(name), name)
        }
        let tooLong = app(longest + "n")
        try require("a name too long", fails: .system(errno: ENAMETOOLONG, .stat, tooLong)) {
            () throws(FileError) in
            try ground.door.status(of: tooLong)
        }
        try require("a name too long", fails: .system(errno: ENAMETOOLONG, .create, tooLong)) {
            () throws(FileError) in
            try ground.door.create(tooLong)
        }
    }

    static func throughLinks(_ ground: some Ground) throws {
        ground.save(group("inside"), .text("outside"))
        ground.makeSymbolicLink(app("link"))
        ground.save(app("a.json"), .text("a"))
        let inside = app("link/inside")
        let refusal = FileError.notRegular(inside, .symbolicLink)
        try require("status", fails: refusal) { () throws(FileError) in try ground.door.status(of: inside) }
        try require("open", fails: refusal) { () throws(FileError) in try ground.door.open(inside) }
        try require("create", fails: refusal) { () throws(FileError) in try ground.door.create(inside) }
        try require("remove", fails: refusal) { () throws(FileError) in try ground.door.remove(inside) }
        try require("make", fails: refusal) { () throws(FileError) in try ground.door.makeDirectory(inside) }
        try require("unmake", fails: refusal) { () throws(FileError) in
            try ground.door.removeDirectory(inside)
        }
        for mode in [RenameMode.exclusive, .exchange, .replace] {
            try require("rename from", fails: refusal) { () throws(FileError) in
                try ground.door.rename(inside, to: app("b.json"), mode)
            }
            try require("rename to", fails: refusal) { () throws(FileError) in
                try ground.door.rename(app("a.json"), to: inside, mode)
            }
        }
        try require("link from", fails: refusal) { () throws(FileError) in
            try ground.door.link(inside, to: app("b.json"))
        }
        try require("link to", fails: refusal) { () throws(FileError) in
            try ground.door.link(app("a.json"), to: inside)
        }
        try require(ground.read(group("inside")), is: .text("outside"), "what is outside")
        try require(ground.door.list(directory(.group)).count, is: 1, "files outside")
    }

    static func throughFiles(_ ground: some Ground) throws {
        ground.save(app("file"), .text("file"))
        ground.save(app("a.json"), .text("a"))
        let inside = app("file/inside")
        let refusal = FileError.noDirectory(directory(.app, "file"))
        try require("status", fails: refusal) { () throws(FileError) in try ground.door.status(of: inside) }
        try require("open", fails: refusal) { () throws(FileError) in try ground.door.open(inside) }
        try require("create", fails: refusal) { () throws(FileError) in try ground.door.create(inside) }
        try require("remove", fails: refusal) { () throws(FileError) in try ground.door.remove(inside) }
        try require("make", fails: refusal) { () throws(FileError) in try ground.door.makeDirectory(inside) }
        try require("rename", fails: refusal) { () throws(FileError) in
            try ground.door.rename(app("a.json"), to: inside, .replace)
        }
        try require(ground.read(app("file")), is: .text("file"), "the file")
    }
}
