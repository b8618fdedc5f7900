import FileSystem
import FileSystemSimulation
import Model
import Replica
import Stores
import Testing

@testable import StoreReplica

/// What concerns the other keys of a store.
@Suite struct StoreReplicaTests {
    private let ground = StoreGround(canExchange: true)

    init() { ground.replica.begin(ReplicaSettings(maxBytes: 1000)) }

    private func text(_ key: String) -> String? {
        guard case .data(let bytes) = ground.lines[key] else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `Other keys stay, and their order with them`() throws {
        ground.set("z", .data(.text("1")))
        ground.save("a.json", "1")
        ground.set("y", .data(.text("2")))
        let publication = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        #expect(
            try ground.examine(try #require(publication.displaced), expecting: "1") == .expected(digest("1"))
        )
        #expect(ground.lines.keys == ["z", "y", "a.json"])
    }

    @Test func `A displaced store is forgotten when it is examined`() throws {
        ground.save("a.json", "1")
        let publication = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        _ = try ground.examine(try #require(publication.displaced), expecting: "1")
        #expect(try #require(ground.replica as? StoreReplica).unsettled.isEmpty)
    }

    @Test(arguments: [true, false])
    func `A racing change of another key survives`(canExchange: Bool) throws {
        let ground = StoreGround(canExchange: canExchange)
        ground.replica.begin(ReplicaSettings(maxBytes: 1000))
        ground.set("y", .data(.text("1")))
        ground.set("gone", .data(.text("1")))
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        ground.race {
            ground.set("y", .data(.text("2")))
            ground.set("new", .data(.text("3")))
            ground.set("gone", nil)
        }
        var publication = try ground.commit(staged, over: "1")
        if publication == .raced {
            publication = try ground.commit(
                try ground.prepare("a.json", "2", over: "1", number: 2),
                over: "1"
            )
        }
        let displaced = try #require(publication.displaced)
        #expect(try ground.examine(displaced, expecting: "1") == .expected(digest("1")))
        #expect(ground.text("a.json") == "2")
        #expect(Set(ground.lines.keys) == ["y", "new", "a.json"])
        #expect(ground.lines["y"] == .data(.text("2")))
        try ground.replica.remove(displaced)
        #expect(try ground.temporaries().isEmpty)
    }

    @Test func `Racing changes of another key and of the document are told apart`() throws {
        ground.set("y", .data(.text("1")))
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        ground.race {
            ground.set("y", .data(.text("2")))
            ground.save("a.json", "racer")
        }
        let displaced = try #require(try ground.commit(staged, over: "1").displaced)
        #expect(try ground.examine(displaced, expecting: "1") == .overtook(.text("racer")))
        #expect(ground.text("a.json") == "2" && text("y") == "2")
    }

    @Test func `Programs that save during each exchange lose nothing`() throws {
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        var count = 0
        ground.disk.meanwhile = { [ground] call, _ in
            guard call == .rename, count < 5 else { return }
            count += 1
            ground.set("k\(count)", .data(.text("\(count)")))
        }
        let displaced = try #require(try ground.commit(staged, over: "1").displaced)
        #expect(try ground.examine(displaced, expecting: "1") == .expected(digest("1")))
        #expect(count == 5)
        for number in 1...count { #expect(text("k\(number)") == "\(number)") }
        #expect(ground.text("a.json") == "2")
    }

    /// How often a call is made meanwhile.
    private func count(_ call: SystemCall, during body: () throws -> Void) rethrows -> Int {
        var count = 0
        ground.disk.meanwhile = { made, _ in if made == call { count += 1 } }
        defer { ground.disk.meanwhile = { _, _ in } }
        try body()
        return count
    }

    @Test func `A store is not read for the status of what was committed last`() throws {
        ground.save("a.json", "1")
        _ = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        func status() throws -> Signature { try ground.replica.status(of: place("a.json")).signature }
        let own = try ground.signature("a.json")
        var seen: Signature?
        #expect(try count(.read) { seen = try status() } == 0)
        #expect(seen == own)
        ground.set("y", .data(.text("1")))
        #expect(try count(.read) { seen = try status() } > 0)
        #expect(seen != own)
        ground.save("a.json", "3")
        _ = try ground.replica.displace(path("a.json"), expected: digest("3"), number: 2)
        #expect(throws: FileError.missing(place("a.json"))) { try status() }
    }

    @Test func `A store that was committed last is not read to find out whether a change is possible`() throws
    {
        ground.set("y", .data(.text("1")))
        ground.save("a.json", "1")
        _ = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        _ = try ground.replica.status(of: place("a.json"))
        func look() { #expect(ground.replica.obstacle(to: .text("3"), as: path("a.json")) == nil) }
        #expect(count(.read) { look() } == 0)
        // Nor to make it.
        let staged = try ground.prepare("a.json", "3", over: "2", number: 2)
        #expect(try count(.read) { _ = try ground.commit(staged, over: "2") } == 0)
        #expect(ground.text("a.json") == "3" && text("y") == "1")
        ground.set("y", .data(.text("2")))
        #expect(count(.read) { look() } == 1)
        ground.disk.timestampGrain = .milliseconds(4)
        #expect(count(.read) { look() } == 1, "two contents may have the same signature")
    }

    @Test func `A store whose signature has changed is opened once to read it`() throws {
        ground.save("a.json", "1")
        #expect(try ground.content("a.json").bytes == .text("1"))
        ground.save("a.json", "2")
        _ = try ground.signature("a.json")
        var bytes: [UInt8] = []
        #expect(try count(.open) { bytes = try ground.content("a.json").bytes } == 1)
        #expect(bytes == .text("2"))
    }

    @Test func `Only a creation is synced before it is committed`() throws {
        #expect(try count(.sync) { _ = try ground.prepare("b.json", "1") } == 1)
        ground.save("a.json", "1")
        #expect(try count(.sync) { _ = try ground.prepare("a.json", "2", over: "1") } == 0)
    }

    @Test func `A deletion leaves the store's other keys`() throws {
        ground.save("a.json", "1")
        ground.save("b.json", "2")
        let place = try #require(
            try ground.replica.displace(path("a.json"), expected: digest("1"), number: 1)
        )
        #expect(try ground.examine(place, expecting: "1") == .expected(digest("1")))
        #expect(ground.text("a.json") == nil && ground.text("b.json") == "2")
    }

    @Test func `A store that cannot be parsed is named, and not replaced`() throws {
        ground.save("a.json", "1")
        let staged = try ground.prepare("a.json", "2", over: "1")
        ground.disk.world.save(Location(Side.app, StoreGround.file), .text("no lines"))
        #expect(
            throws: ReadObstacle.store(StoreProblem(StoreGround.file, .file(.notTheFormat(.asyncStorage))))
        ) {
            try ground.read("a.json")
        }
        #expect(try ground.commit(staged, over: "1") == .raced)
        #expect(ground.disk.world.read(Location(Side.app, StoreGround.file)) == .text("no lines"))
        #expect(try ground.replica.list(nil).files.count == StoreGround.names.count, "held, and not deleted")
    }

    @Test func `A store that is gone does not mean that its documents were deleted`() throws {
        ground.save("a.json", "1")
        ground.disk.world.delete(Location(Side.app, StoreGround.file))
        let missing = ReadObstacle.store(StoreProblem(StoreGround.file, .missing))
        #expect(throws: missing) { try ground.read("a.json") }
        #expect(throws: missing) { try ground.signature("a.json") }
        #expect(try ground.read("a.json", isKnown: false) == .absent)
        // A key that is gone does.
        ground.save("b.json", "1")
        #expect(try ground.read("a.json") == .absent)
    }

    @Test func `A file that has a document's name is not the document`() throws {
        ground.disk.world.save(place("a.json"), .text("another"))
        #expect(try ground.read("a.json", isKnown: false) == .absent)
        #expect(try ground.replica.list(nil).files.isEmpty)
        #expect(ground.replica.documents(in: path("a.json")) == [])
        #expect(ground.replica.documents(in: StoreGround.file).count == StoreGround.names.count)
        #expect(ground.replica.documents(in: path("x.json")) == [path("x.json")])
    }

    // MARK: - After a crash

    /// The bridge is killed after each call of a commit.
    @Test(arguments: 1..<40)
    func `A killed commit leaves a whole store, and nothing that a new run would lose`(calls: Int) throws {
        ground.set("y", .data(.text("1")))
        ground.save("a.json", "1")
        var rest = calls
        var raced = false
        ground.disk.meanwhile = { [ground] call, _ in
            if call == .rename, !raced {
                raced = true
                ground.set("y", .data(.text("2")))
            }
        }
        ground.disk.fail = { _, _ in
            rest -= 1
            return rest < 0 ? .error(5) : nil
        }
        if let staged = try? ground.prepare("a.json", "2", over: "1"),
            let displaced = try? ground.commit(staged, over: "1").displaced
        {
            _ = try? ground.examine(displaced, expecting: "1")
        }
        ground.disk.fail = { _, _ in nil }
        ground.disk.meanwhile = { _, _ in }
        ground.replica = StoreReplica(
            .app,
            of: ground.disk,
            at: "",
            BothSides(app: StoreGround.layout, group: StoreLayout())
        )
        ground.replica.begin(ReplicaSettings(maxBytes: 1000))
        // The one of two that the other was made from goes with it.
        for (place, name) in try ground.replica.list(nil).temporaries
        where (try? ground.disk.status(of: place)) != nil {
            _ = try ground.replica.examine(place, trustUnknown: true, isExpected: name.isKnown)
            try ground.replica.remove(place)
        }
        #expect(["1", "2"].contains(ground.text("a.json")))
        #expect(text("y") == (raced ? "2" : "1"))
        #expect(try ground.temporaries().isEmpty)
    }
}
