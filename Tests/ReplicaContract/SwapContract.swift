import FileSystem
import Model
import Replica
import Testing

/// What each replica must satisfy when it is written: no save is lost.
@Suite struct SwapContract {
    @Test(arguments: GroundKind.allCases)
    func `No reader sees a prepared content, and it can be abandoned`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        let before = try ground.signature("a.json")
        let staged = try ground.prepare("a.json", "2", over: "1")
        try ground.replica.sync(staged)
        #expect(try ground.content("a.json").bytes == .text("1"))
        #expect(try ground.signature("a.json") == before)
        let prepared = try staged.content ?? ground.replica.contents(of: staged.temporary, limit: 10)
        #expect(prepared == .text("2"))
        try ground.replica.abandon(staged)
        #expect(try ground.temporaries().isEmpty)
        #expect(throws: FileError.missing(staged.temporary)) { try ground.replica.remove(staged.temporary) }
    }

    @Test(arguments: GroundKind.allCases)
    func `A document is created where none exists, at any depth`(kind: GroundKind) throws {
        let ground = kind.ground()
        for name in ["a.json", "b/c/a.json"] {
            let staged = try ground.prepare(name, "1")
            #expect(try ground.commit(staged, over: nil) == .created)
            #expect(ground.text(name) == "1")
            let announced = try ground.prepare(name + "2", "2")
            #expect(try ground.replica.create(announced) == .created)
            #expect(ground.text(name + "2") == "2")
        }
        #expect(try ground.temporaries().isEmpty)
    }

    @Test(arguments: GroundKind.allCases)
    func `A published content equals the prepared one`(kind: GroundKind) throws {
        let ground = kind.ground()
        let first = try ground.prepare("a.json", "1")
        _ = try ground.commit(first, over: nil)
        #expect(try ground.isUnchanged("a.json", since: first))
        let second = try ground.prepare("a.json", "2", over: "1", number: 2)
        _ = try ground.commit(second, over: "1")
        #expect(try ground.isUnchanged("a.json", since: second))
        #expect(try !ground.isUnchanged("a.json", since: first))
        ground.save("a.json", "3")
        #expect(try !ground.isUnchanged("a.json", since: second))
    }

    @Test(arguments: GroundKind.allCases)
    func `The expected content is replaced and returned as a whole`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        let publication = try ground.commit(staged, over: "1")
        let displaced = try #require(publication.displaced)
        #expect(ground.text("a.json") == "2")
        #expect(try ground.replica.list(nil).files == [path("a.json")])
        #expect(try ground.examine(displaced, expecting: "1") == .expected(digest("1")))
        #expect(try ground.replica.contents(of: displaced, limit: 10) == .text("1"))
        try ground.replica.remove(displaced)
        #expect(try ground.temporaries().isEmpty)
    }

    @Test(arguments: GroundKind.allCases, [true, false])
    func `A racing save is never lost`(kind: GroundKind, isLate: Bool) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        // After the document was read, or in the call itself.
        if isLate { ground.race { ground.save("a.json", "racer") } } else { ground.save("a.json", "racer") }
        let publication = try ground.commit(staged, over: "1")
        if let displaced = publication.displaced {
            #expect(ground.text("a.json") == "2")
            #expect(try ground.examine(displaced, expecting: "1") == .overtook(.text("racer")))
        } else {
            #expect(publication == .raced)
            #expect(ground.text("a.json") == "racer")
            #expect(try ground.temporaries().isEmpty, "what was prepared is dropped")
        }
    }

    @Test(arguments: GroundKind.allCases)
    func `The name of a displaced save can be restored`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "racer")
        let aside = try #require(
            try ground.replica.displace(path("a.json"), expected: digest("1"), number: 3)
        )
        #expect(try ground.examine(aside, expecting: "1") == .overtook(.text("racer")))
        ground.save("a.json", "2")
        #expect(throws: FileError.exists(place("a.json"))) {
            try ground.replica.restore(aside, as: path("a.json"))
        }
        ground.delete(path("a.json"))
        try ground.replica.restore(aside, as: path("a.json"))
        #expect(ground.text("a.json") == "racer")
        #expect(try ground.temporaries().isEmpty)
    }

    @Test(arguments: [GroundKind.directory, .keyed, .store])
    func `A displaced file can change places with the current one`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        let publication = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        let displaced = try #require(publication.displaced)
        try ground.replica.exchange(displaced, with: path("a.json"))
        #expect(ground.text("a.json") == "1")
        #expect(try ground.replica.contents(of: displaced, limit: 10) == .text("2"))
    }

    @Test(arguments: GroundKind.allCases, [true, false])
    func `A document created in the meantime stays`(kind: GroundKind, isLate: Bool) throws {
        let ground = kind.ground()
        func come() { ground.save("a.json", "racer") }
        let staged = try ground.prepare("a.json", "2")
        if isLate { ground.race(come) } else { come() }
        #expect(try ground.commit(staged, over: nil) == .raced)
        #expect(ground.text("a.json") == "racer")
        #expect(try ground.temporaries().isEmpty)
        let announced = try ground.prepare("a.json", "2", number: 2)
        #expect(try ground.replica.create(announced) == .raced)
        #expect(ground.text("a.json") == "racer")
        #expect(try ground.temporaries() == [announced.temporary], "what is announced stays")
    }

    @Test(arguments: GroundKind.marking)
    func `A document deleted in the meantime is not created again`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        ground.race { ground.delete(path("a.json")) }
        #expect(try ground.commit(staged, over: "1") == .raced)
        #expect(ground.text("a.json") == nil)
        #expect(try ground.temporaries().isEmpty)
    }

    @Test(arguments: GroundKind.allCases)
    func `A displaced content is returned as a whole, or reported if it exceeds the size limit`(
        kind: GroundKind
    )
        throws
    {
        let ground = kind.ground(maxBytes: 4)
        #expect(try ground.replica.displace(path("b/a.json"), expected: digest("1"), number: 1) == nil)
        ground.save("a.json", "1")
        let known = try #require(
            try ground.replica.displace(path("a.json"), expected: digest("1"), number: 1)
        )
        #expect(ground.text("a.json") == nil)
        #expect(try ground.read("a.json") == .absent)
        #expect(TemporaryName(known.path.name)?.isExpected(digest("1")) == true)
        #expect(try ground.examine(known, expecting: "1") == .expected(digest("1")))
        ground.save("a.json", "123456")
        let large = try #require(
            try ground.replica.displace(path("a.json"), expected: digest("1"), number: 2)
        )
        #expect(try ground.examine(large, expecting: "1") == .tooLarge)
        #expect(try ground.replica.contents(of: large, limit: 10) == .text("123456"))
    }

    /// The engine then carries it as a new document.
    @Test func `A move is refused where no free name can be taken for certain`() throws {
        let ground = GroundKind.directoryWithoutRenameFlags.ground()
        ground.save("a.json", "1")
        #expect(throws: FileError.unsupported(.rename, place("c.json"))) {
            try ground.replica.move(path("a.json"), to: path("c.json"))
        }
        #expect(ground.text("a.json") == "1" && ground.text("c.json") == nil)
    }

    @Test(arguments: GroundKind.moving)
    func `A move to an existing name is refused`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        ground.save("b.json", "2")
        #expect(throws: FileError.exists(place("b.json"))) {
            try ground.replica.move(path("a.json"), to: path("b.json"))
        }
        #expect(ground.text("a.json") == "1" && ground.text("b.json") == "2")
        try ground.replica.move(path("a.json"), to: path("c.json"))
        #expect(ground.text("a.json") == nil && ground.text("c.json") == "1")
        #expect(throws: FileError.missing(place("a.json"))) {
            try ground.replica.move(path("a.json"), to: path("d.json"))
        }
    }
}

extension Publication {
    var displaced: Location? { if case .replaced(let place) = self { place } else { nil } }
}
