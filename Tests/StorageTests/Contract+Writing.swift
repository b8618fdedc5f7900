import DirectoryReplica
import FileSystem
import Glibc
import Model

extension Contract {
    static let writing = [
        Check("a new file is empty, private and for writing") { try creates($0) },
        Check("nothing is created over anything") { try createsOnlyNew($0) },
        Check("nothing is created where there is no directory") { try createsOnlyInDirectories($0) },
        Check("each write goes behind the last") { try writesOn($0) },
        Check("what is written can be read by its name at once") { try writesVisibly($0) },
        Check("a file for writing is not for reading, nor the other way") { try keepsDirections($0) },
        Check("a sync of what is there succeeds, of what is not fails") { try syncs($0) },
    ]

    static let attributes = [
        Check("mode and user attributes are copied") { try copiesAttributes($0) },
        Check("an open file's attribute is what was set last") { try setsAttributes($0) },
        Check("the mark of a publication is not copied") { try copiesNoMark($0) },
        Check("attributes are copied only from a regular file") { try copiesFromFilesOnly($0) },
        Check("the rights of a file are kept with one in the state, and given again") { try keepsRights($0) },
        Check("a file can be made read-only") { try makesReadOnly($0) },
        Check("a directory's mode is copied") { try copiesDirectoryMode($0) },
        Check("a root's attribute is what was set, and nil before") { try rootAttributes($0) },
    ]

    static func creates(_ ground: some Ground) throws {
        let handle = try ground.door.create(app("a.json"))
        defer { ground.door.close(handle) }
        let status = try ground.door.status(of: handle)
        try require(status.kind, is: .regular, "kind")
        try require(status.mode, is: 0o600, "mode")
        try require(status.signature.size, is: 0, "size")
        try require(status, is: ground.door.status(of: app("a.json")), "by its name")
        ground.makeDirectory(app("d"))
        try ground.door.make(app("d/b.json"), .text("b"))
        try require(ground.read(app("d/b.json")), is: .text("b"), "in a directory")
    }

    static func createsOnlyNew(_ ground: some Ground) throws {
        ground.save(app("file"), .text("file"))
        ground.makeDirectory(app("d"))
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        for path in ["file", "d", "link", "fifo"] {
            try require(path, fails: .exists(app(path))) { () throws(FileError) in
                try ground.door.create(app(path))
            }
        }
        try require(ground.read(app("file")), is: .text("file"), "the file")
    }

    static func createsOnlyInDirectories(_ ground: some Ground) throws {
        for path in ["absent/a", "absent/deeper/a"] {
            let file = app(path)
            try require(path, fails: .noDirectory(file.directory)) { () throws(FileError) in
                try ground.door.create(file)
            }
            try require(path, fails: .noDirectory(file.directory)) { () throws(FileError) in
                try ground.door.makeDirectory(file)
            }
        }
    }

    static func writesOn(_ ground: some Ground) throws {
        let bytes = [UInt8].pattern(300_000)
        let handle = try ground.door.create(app("a.json"))
        defer { ground.door.close(handle) }
        try ground.door.write([], to: handle)
        try ground.door.write(Array(bytes[..<10]), to: handle)
        try ground.door.write(Array(bytes[10..<200_000]), to: handle)
        try ground.door.write(Array(bytes[200_000...]), to: handle)
        try require(ground.read(app("a.json")) == bytes, "the bytes are not as written")
    }

    static func writesVisibly(_ ground: some Ground) throws {
        let handle = try ground.door.create(app("a.json"))
        defer { ground.door.close(handle) }
        for text in ["one", "two"] {
            let size = try ground.door.status(of: handle).signature.size
            try ground.door.write(.text(text), to: handle)
            try require(ground.door.status(of: app("a.json")).signature.size, is: size + 3, "size")
        }
        try require(ground.door.contents(app("a.json")), is: .text("onetwo"), "contents")
        try ground.door.rename(app("a.json"), to: app("b.json"), .exclusive)
        try ground.door.write(.text("three"), to: handle)
        try require(ground.read(app("b.json")), is: .text("onetwothree"), "after a rename")
    }

    static func keepsDirections(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        try ground.door.with(app("a.json")) { handle in
            let refusal = FileError.system(errno: EBADF, .write, app("a.json"))
            try require("write", fails: refusal) { () throws(FileError) in
                try ground.door.write(.text("b"), to: handle)
            }
        }
        let handle = try ground.door.create(app("b.json"))
        defer { ground.door.close(handle) }
        try require("read", fails: .system(errno: EBADF, .read, app("b.json"))) { () throws(FileError) in
            try ground.door.read(handle, limit: 1)
        }
        try require(ground.read(app("a.json")), is: .text("a"), "the file")
    }

    static func syncs(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        ground.makeSymbolicLink(app("link"))
        let handle = try ground.door.create(app("d/a.json"))
        defer { ground.door.close(handle) }
        try ground.door.write(.text("a"), to: handle)
        try ground.door.sync(handle)
        try ground.door.sync(directory(.app, "d"))
        for root in Root.allCases {
            try ground.door.sync(directory(root))
        }
        for path in ["absent", "d/a.json", "link"] {
            let directory = directory(.app, path)
            try require(path, fails: .noDirectory(directory)) { () throws(FileError) in
                try ground.door.sync(directory)
            }
        }
    }

    static func copiesAttributes(_ ground: some Ground) throws {
        guard ground.hasAttributes else { return }
        let long = [UInt8].pattern(1_000)
        ground.save(app("a.json"), .text("a"))
        ground.setMode(app("a.json"), 0o664)
        ground.setAttribute("user.tag", of: app("a.json"), to: .text("blue"))
        ground.setAttribute("user.empty", of: app("a.json"), to: [])
        ground.setAttribute("user.long", of: app("a.json"), to: long)
        let handle = try ground.door.create(group("b.json"))
        defer { ground.door.close(handle) }
        // The second call changes nothing.
        for _ in 0..<2 {
            try ground.door.copyAttributes(of: app("a.json"), to: handle)
            try require(ground.door.status(of: handle).mode, is: 0o664, "mode")
            try require(ground.attribute("user.tag", of: group("b.json")), is: .text("blue"), "user.tag")
            try require(ground.attribute("user.empty", of: group("b.json")), is: [], "user.empty")
            try require(ground.attribute("user.long", of: group("b.json")) == long, "user.long differs")
        }
        let source = try ground.door.status(of: app("a.json"))
        let copy = try ground.door.status(of: handle)
        try require(copy.owner, is: source.owner, "owner")
        try require(copy.ownerGroup, is: source.ownerGroup, "group")
        try require(ground.read(app("a.json")), is: .text("a"), "the source")
    }

    static func setsAttributes(_ ground: some Ground) throws {
        guard ground.hasAttributes else { return }
        let handle = try ground.door.create(app("a.json"))
        for value in [.text("one"), [0, 255], []] as [[UInt8]] {
            try ground.door.setAttribute("widgetbridge.tag", of: handle, to: value)
            try require(ground.attribute("user.widgetbridge.tag", of: app("a.json")), is: value, "as set")
        }
        ground.door.close(handle)
        let reader = try ground.door.open(app("a.json"))
        defer { ground.door.close(reader) }
        try require(ground.door.attribute("widgetbridge.tag", of: reader), is: [], "as read")
        try require(ground.door.attribute("widgetbridge.none", of: reader), is: nil, "one that is not there")
    }

    static func copiesNoMark(_ ground: some Ground) throws {
        guard ground.hasAttributes else { return }
        let name = "user." + OwnAttribute.publication
        ground.save(app("a.json"), .text("a"))
        ground.setAttribute(name, of: app("a.json"), to: .text("theirs"))
        let handle = try ground.door.create(group("b.json"))
        defer { ground.door.close(handle) }
        try ground.door.copyAttributes(of: app("a.json"), to: handle)
        try require(ground.attribute(name, of: group("b.json")), is: nil, "without a mark of its own")
        try ground.door.setAttribute(OwnAttribute.publication, of: handle, to: .text("own"))
        try ground.door.copyAttributes(of: app("a.json"), to: handle)
        try require(ground.attribute(name, of: group("b.json")), is: .text("own"), "with one")
    }

    static func copiesFromFilesOnly(_ ground: some Ground) throws {
        ground.makeSymbolicLink(app("link"))
        ground.makeSpecial(app("fifo"))
        ground.makeDirectory(app("d"))
        let handle = try ground.door.create(group("b.json"))
        defer { ground.door.close(handle) }
        let refusals: [FileError] = [
            .notRegular(app("link"), .symbolicLink), .notRegular(app("fifo"), .special),
            .notRegular(app("d"), .directory), .missing(app("absent")), .missing(app("absent/deeper")),
        ]
        for refusal in refusals {
            let file: Location
            switch refusal {
            case .notRegular(let place, _), .missing(let place): file = place
            default: continue
            }
            try require("\(file)", fails: refusal) { () throws(FileError) in
                try ground.door.copyAttributes(of: file, to: handle)
            }
        }
        try require(ground.door.status(of: handle).mode, is: 0o600, "mode")
    }

    static func keepsRights(_ ground: some Ground) throws {
        guard ground.hasAttributes else { return }
        let name = "user." + OwnAttribute.rights
        ground.save(app("a.json"), .text("a"))
        ground.setMode(app("a.json"), 0o664)
        ground.setAttribute(name, of: app("a.json"), to: .text("somebody's"))
        ground.save(state("kept"), .text("a"))
        // From another file, and then from the current one, as it was renamed.
        let models: [(Location, UInt32)] = [
            (app("a.json"), 0o664), (state("kept"), 0o640), (state("kept"), 0o600),
        ]
        for (model, mode) in models {
            if model.root == .state { ground.setMode(model, mode) }
            try ground.door.keepRights(of: model, with: state("kept"))
            try require(ground.door.status(of: state("kept")).mode, is: 0o600, "mode of what is kept")
            let handle = try ground.door.create(group("b.json"))
            defer { ground.door.close(handle) }
            try ground.door.copyAttributes(of: state("kept"), to: handle)
            try require(ground.door.status(of: handle).mode, is: mode, "mode of what is made of it")
            try require(ground.attribute(name, of: group("b.json")), is: nil, "without what was kept")
            try ground.door.remove(group("b.json"))
        }
    }

    static func makesReadOnly(_ ground: some Ground) throws {
        ground.save(app("a.json"), .text("a"))
        ground.setMode(app("a.json"), 0o664)
        let handle = try ground.door.create(app("b.json"))
        defer { ground.door.close(handle) }
        try ground.door.copyAttributes(of: app("a.json"), to: handle)
        for _ in 0..<2 {
            try ground.door.makeReadOnly(handle)
            try require(ground.door.status(of: handle).mode, is: 0o444, "mode")
        }
        try ground.door.write(.text("b"), to: handle)
        try require(ground.read(app("b.json")), is: .text("b"), "content")
    }

    static func copiesDirectoryMode(_ ground: some Ground) throws {
        ground.makeDirectory(app("d"))
        ground.setMode(app("d"), 0o750)
        try ground.door.makeDirectory(group("d"))
        try require(ground.door.status(of: group("d")).mode, is: 0o700, "mode of a new one")
        try ground.door.copyAttributes(of: directory(.app, "d"), to: directory(.group, "d"))
        try require(ground.door.status(of: group("d")).mode, is: 0o750, "mode")
        for (from, to) in [("absent", "d"), ("d", "absent")] {
            let source = directory(.app, from)
            let target = directory(.group, to)
            let refusal = FileError.noDirectory(from == "absent" ? source : target)
            try require("\(from) to \(to)", fails: refusal) { () throws(FileError) in
                try ground.door.copyAttributes(of: source, to: target)
            }
        }
    }

    static func rootAttributes(_ ground: some Ground) throws {
        guard ground.hasAttributes else { return }
        let name = "widgetbridge.id"
        for root in Root.allCases {
            try require(ground.door.attribute(name, at: root), is: nil, "at first")
            for (place, value) in ([.text("first"), [], [0, 255]] as [[UInt8]]).enumerated() {
                let name = "\(name)\(place)"
                try ground.door.addAttribute(name, to: root, value)
                try require(ground.door.attribute(name, at: root), is: value, "\(root)")
                let refusal = FileError.directory(errno: EEXIST, .attributes, Directory(root))
                try require("again", fails: refusal) { () throws(FileError) in
                    try ground.door.addAttribute(name, to: root, .text("other"))
                }
                try require(ground.door.attribute(name, at: root), is: value, "\(root), again")
            }
        }
        try ground.door.addAttribute(name, to: .app, .text("app"))
        try require(ground.door.attribute(name, at: .group), is: nil, "the other root")
    }
}
