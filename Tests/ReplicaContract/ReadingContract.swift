import FileSystem
import FileSystemSimulation
import Model
import Replica
import Testing

/// What each replica must satisfy when it is read.
@Suite struct ReadingContract {
    @Test(arguments: GroundKind.allCases)
    func `A missing document is absent, at any depth`(kind: GroundKind) throws {
        let ground = kind.ground()
        for name in ["a.json", "b/a.json", "b/c/a.json"] {
            #expect(try ground.read(name, isKnown: false) == .absent)
            #expect(try ground.replica.signature(of: path(name), isKnown: false) == nil)
            #expect(throws: FileError.missing(place(name))) {
                try ground.replica.status(of: place(name))
            }
        }
    }

    @Test(arguments: GroundKind.allCases)
    func `A deleted document is absent again`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        ground.delete(path("a.json"))
        #expect(try ground.read("a.json") == .absent)
        #expect(try ground.replica.list(nil).files.isEmpty)
    }

    @Test(arguments: GroundKind.allCases)
    func `An expected content is not returned, any other is, as a whole`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("b/a.json", "1")
        let signature = try ground.signature("b/a.json")
        #expect(try ground.read("b/a.json", unless: digest("1")) == .same(signature))
        let content = FileContent(bytes: .text("1"), digest: digest("1"), signature: signature)
        #expect(try ground.read("b/a.json") == .content(content))
        #expect(try ground.read("b/a.json", unless: digest("2")) == .content(content))
        let status = try ground.replica.status(of: place("b/a.json"))
        #expect(status == DocumentStatus(kind: .regular, signature: signature, isReadOnly: false))
    }

    @Test(arguments: GroundKind.allCases)
    func `A document above the size limit is a problem, and never absent`(kind: GroundKind) throws {
        let ground = kind.ground(maxBytes: 4)
        ground.save("most.json", "1234")
        ground.save("large.json", "123456")
        #expect(try ground.content("most.json").bytes == .text("1234"))
        // The signature of a store is that of a file for many documents.
        if GroundKind.marking.contains(kind) {
            #expect(throws: ReadObstacle.tooLarge(6)) { try ground.signature("large.json") }
        }
        #expect(throws: ReadObstacle.self) { try ground.read("large.json") }
    }

    @Test(arguments: GroundKind.allCases)
    func `At most the requested number of bytes is returned`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1234")
        let file = place("a.json")
        #expect(try ground.replica.contents(of: file, limit: 10) == .text("1234"))
        #expect(try ground.replica.contents(of: file, limit: 2) == .text("12"))
        #expect(throws: FileError.missing(place("b.json"))) {
            try ground.replica.contents(of: place("b.json"), limit: 2)
        }
    }

    @Test(arguments: GroundKind.allCases)
    func `A listing finds documents at any depth, except hidden ones`(kind: GroundKind) throws {
        let ground = kind.ground()
        let names = ["a.json", "b/a.json", "b/c/a.json", "bc.json"]
        for name in names + [".hidden.json", ".hidden/a.json"] { ground.save(name, name) }
        let listing = try ground.replica.list(nil)
        #expect(listing.files.sorted() == names.map { path($0) })
        #expect(listing.unlisted.isEmpty && listing.unnamable.isEmpty && listing.temporaries.isEmpty)
        #expect(try ground.replica.list(path("b")).files.sorted() == [path("b/a.json"), path("b/c/a.json")])
    }

    @Test(arguments: GroundKind.allCases)
    func `A listing distinguishes prepared files from documents, and names their document`(kind: GroundKind)
        throws
    {
        let ground = kind.ground()
        ground.save("b/a.json", "1")
        ground.save("b/other.json", "1")
        let staged = try ground.prepare("b/a.json", "2", over: "1")
        let listing = try ground.replica.list(nil)
        #expect(listing.files.sorted() == [path("b/a.json"), path("b/other.json")])
        #expect(listing.temporaries.map(\.0) == [staged.temporary])
        let name = try #require(listing.temporaries.first?.1)
        #expect(name.isContent(digest("2")) && name.isExpected(digest("1")))
        #expect(ground.replica.document(of: name, in: path("b")) == path("b/a.json"))
        #expect(ground.replica.document(of: name, in: nil) == nil)
    }

    /// Only directories can refuse to be listed.
    @Test func `The contents of an unreadable directory are unknown, and do not stop the listing`() throws {
        let ground = DirectoryGround(canExchange: true)
        ground.save("a.json", "1")
        ground.save("b/a.json", "1")
        let closed = place("b")
        ground.disk.fail = { call, place in call == .list && place == closed ? .error(13) : nil }
        let listing = try ground.replica.list(nil)
        #expect(listing.files == [path("a.json")])
        #expect(Array(listing.unlisted.keys) == [path("b")])
    }

    @Test(arguments: GroundKind.marking)
    func `A view is recognized by its bytes or its mark`(kind: GroundKind) throws {
        let ground = kind.ground()
        let mark = PublicationMark(.view, pair: 7, generation: 1, source: nil)
        _ = try ground.commit(try ground.prepare("a.json", "1", mark: mark), over: nil)
        func isView(of text: String?, pair: UInt64?) throws -> Bool {
            try ground.replica.isView(path("a.json"), of: text.map { .text($0) }, limit: 100, pair: pair)
        }
        #expect(try isView(of: "1", pair: nil))
        #expect(try isView(of: nil, pair: 7))
        #expect(try !isView(of: "2", pair: 8))
        ground.save("a.json", "3")
        #expect(try !isView(of: "1", pair: 7))
    }
}
