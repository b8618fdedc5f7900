import FileSystem
import Model
import Replica
import Testing

/// How each side distinguishes what it knows from changes: by marks, signatures and its identity.
@Suite struct KnownAgainContract {
    private let mark = PublicationMark(.carried, pair: 7, generation: 3, source: digest("0"))

    @Test(arguments: GroundKind.marking)
    func `Only the pair that published a mark recognizes it`(kind: GroundKind) throws {
        let ground = kind.ground()
        _ = try ground.commit(try ground.prepare("b/a.json", "1", mark: mark), over: nil)
        #expect(try ground.content("b/a.json", pair: 7).mark == mark)
        #expect(try ground.content("b/a.json", pair: 8).mark == nil)
        #expect(try ground.content("b/a.json").mark == nil)
        let next = PublicationMark(.merged, pair: 7, generation: 4, source: nil)
        let staged = try ground.prepare("b/a.json", "2", over: "1", number: 2, mark: next)
        _ = try ground.commit(staged, over: "1")
        #expect(try ground.content("b/a.json", pair: 7).mark == next)
    }

    @Test(arguments: GroundKind.moving)
    func `A program's save or move has no mark, even with the same bytes`(kind: GroundKind) throws {
        let ground = kind.ground()
        _ = try ground.commit(try ground.prepare("a.json", "1", mark: mark), over: nil)
        try ground.replica.move(path("a.json"), to: path("b.json"))
        #expect(try ground.content("b.json", pair: 7).mark == nil)
        _ = try ground.commit(try ground.prepare("a.json", "1", number: 2, mark: mark), over: nil)
        ground.save("a.json", "1")
        #expect(try ground.content("a.json", pair: 7).mark == nil)
    }

    @Test(arguments: GroundKind.marking)
    func `A signature stays while nothing changes, and changes with every save`(kind: GroundKind) throws {
        let ground = kind.ground()
        #expect(ground.replica.timestampGrain == .zero)
        var seen: Set<Signature> = []
        for count in 0..<50 {
            // The size never differs, and with every second save the bytes do not either.
            ground.save("a.json", "\(count / 2 % 10)")
            let signature = try ground.signature("a.json")
            #expect(seen.insert(signature).inserted)
            _ = try ground.content("a.json")
            ground.save("b.json", "1")
            #expect(try ground.signature("a.json") == signature)
        }
        ground.delete(path("a.json"))
        ground.save("a.json", "1")
        #expect(try seen.insert(ground.signature("a.json")).inserted, "after a deletion")
        _ = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        #expect(try seen.insert(ground.signature("a.json")).inserted, "after a publication")
    }

    // MARK: - Itself

    @Test(arguments: GroundKind.allCases)
    func `A replica keeps the first mark it gets, and is recognized by it`(kind: GroundKind) throws {
        let ground = kind.ground()
        #expect(try ground.replica.mark() == nil)
        #expect(ground.replica.standing(knownBy: nil) == .same)
        ground.replica.bear("one")
        ground.replica.bear("two")
        #expect(try ground.replica.mark() == "one")
        for mark in ["one", nil] { #expect(ground.replica.standing(knownBy: mark) == .same) }
        guard case .unmarked = ground.replica.standing(knownBy: "two") else {
            Issue.record("it is taken for another")
            return
        }
    }

    @Test(arguments: GroundKind.allCases)
    func `An unknown store stays unknown until it goes away or is accepted`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.replica.bear("one")
        ground.save("a.json", "1")
        ground.bringStranger()
        guard case .stranger(let words) = ground.replica.standing(knownBy: "one") else {
            Issue.record("it is taken for another")
            return
        }
        #expect(ground.replica.standing(knownBy: "one") == .stranger(words), "the same stranger")
        ground.putBack()
        #expect(ground.replica.standing(knownBy: "one") == .same)
        #expect(try ground.content("a.json").bytes == .text("1"))
        ground.bringStranger()
        try ground.replica.reopen()
        #expect(ground.replica.standing(knownBy: nil) == .same)
        #expect(try ground.read("a.json", isKnown: false) == .absent)
    }

    @Test(arguments: GroundKind.allCases)
    func `A missing store is reported, and its documents do not count as deleted`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.replica.bear("one")
        ground.lose()
        #expect(ground.replica.standing(knownBy: "one") == .gone)
        #expect(ground.replica.standing(knownBy: nil) == .gone)
        #expect(throws: FileError.self) { try ground.replica.reopen() }
        #expect(throws: FileError.self) { try ground.replica.list(nil) }
        #expect(throws: FileError.self) { try ground.prepare("a.json", "1") }
    }

    @Test(arguments: GroundKind.allCases)
    func `A backup with the same mark counts as the returned store once the opened one is gone`(
        kind: GroundKind
    ) throws {
        let ground = kind.ground()
        ground.replica.bear("one")
        ground.save("a.json", "1")
        let before = try ground.signature("a.json")
        ground.restoreBackup()
        #expect(ground.replica.standing(knownBy: "one") == .returned)
        try ground.replica.reopen()
        #expect(ground.replica.standing(knownBy: "one") == .same)
        #expect(try ground.content("a.json").bytes == .text("1"))
        #expect(try ground.signature("a.json") != before, "nothing that is remembered is believed")
    }

    /// A run always begins with a directory.
    @Test func `A run that began without a store accepts the first one, unless it knows one`() throws {
        let store = KeyedStore()
        store.goAway()
        let replica = KeyedReplica(.app, of: store)
        #expect(replica.standing(knownBy: nil) == .gone)
        store.comeBack()
        #expect(replica.standing(knownBy: nil) == .returned)
        #expect(replica.standing(knownBy: "one") == .stranger("1 "))
        replica.bear("one")
        #expect(replica.standing(knownBy: "one") == .returned)
        #expect(throws: FileError.self, "nothing is read before it is opened") { try replica.list(nil) }
        try replica.reopen()
        #expect(replica.standing(knownBy: "one") == .same)
    }

    @Test(arguments: GroundKind.allCases)
    func `A copy of a replica sees the same side`(kind: GroundKind) throws {
        let ground = kind.ground()
        ground.save("a.json", "1")
        var copy = ground.replica
        #expect(try copy.signature(of: path("a.json"), isKnown: true) == ground.signature("a.json"))
        let staged = try ground.prepare("a.json", "2", over: "1")
        _ = try copy.commit(staged, over: digest("1"), waits: true)
        #expect(try ground.content("a.json").bytes == .text("2"))
        #expect(copy.standing(knownBy: nil) == .same)
    }
}
