import Model
import Replica
import TestWorld
import Testing

/// Commits that are answered later, or never.
@Suite struct PendingContract {
    private let document = path("b/a.json")
    private let ground = KeyedGround()

    /// Sends a replacement of "1".
    private func send(_ fate: CommitFate) throws -> Staged {
        ground.store.fate = { _ in fate }
        defer { ground.store.fate = { _ in .answered } }
        let staged = try ground.prepare("b/a.json", "2", over: "1")
        #expect(try ground.commit(staged, over: "1") == .pending)
        #expect(ground.replica.isPending(document))
        return staged
    }

    /// Advances from deadline to deadline; returns when the document was returned.
    private func tellings() -> [Duration] {
        var times: [Duration] = []
        while let deadline = ground.replica.deadline {
            let before = ground.replica.step(at: deadline - .nanoseconds(1))
            #expect(before.isEmpty, "nothing is told before its time")
            #expect(ground.replica.isPending(document) == times.isEmpty)
            let told = ground.replica.step(at: deadline)
            #expect(told == [document])
            #expect(!ground.replica.isPending(document))
            times.append(deadline)
        }
        return times
    }

    @Test(arguments: GroundKind.allCases)
    func `If every commit is answered at once, nothing is waited for`(kind: GroundKind) throws {
        let ground = kind.ground()
        func expectNothing() {
            #expect(ground.replica.deadline == nil)
            #expect(!ground.replica.isPending(path("a.json")))
            #expect(ground.replica.step(at: .seconds(100)).isEmpty)
        }
        expectNothing()
        _ = try ground.commit(try ground.prepare("a.json", "1"), over: nil)
        expectNothing()
        _ = try ground.commit(try ground.prepare("a.json", "2", over: "1"), over: "1")
        expectNothing()
        _ = try ground.commit(try ground.prepare("a.json", "3", over: "1", number: 2), over: "1")
        expectNothing()
    }

    @Test func `A document is returned once per answer, and once if no answer comes`() throws {
        let expected: [(CommitFate, [Duration])] = [
            (.late, [.milliseconds(100)]),
            (.twice, [.milliseconds(100), .milliseconds(300)]),
            (.lost, [.seconds(2)]),
            (.unanswered, [.seconds(2)]),
            (.overdue, [.seconds(2), .seconds(4)]),
        ]
        var start = Duration.zero
        for (fate, times) in expected {
            ground.store.save(document, .text("1"))
            _ = try send(fate)
            #expect(tellings() == times.map { start + $0 }, "\(fate)")
            start += times.last ?? .zero
            #expect(ground.text("b/a.json") == (fate == .lost ? "1" : "2"), "\(fate)")
            #expect(try ground.temporaries().isEmpty)
        }
    }

    @Test func `A pending commit replaces only the expected content, whenever it arrives`() throws {
        for fate in [CommitFate.late, .twice, .overdue] {
            ground.store.save(document, .text("1"))
            _ = try send(fate)
            #expect(ground.text("b/a.json") == "1", "it has not arrived yet")
            ground.store.save(document, .text("racer"))
            _ = tellings()
            #expect(ground.text("b/a.json") == "racer")
        }
    }

    @Test func `An arriving content is recognized by its preparation`() throws {
        ground.store.save(document, .text("1"))
        let staged = try send(.late)
        _ = tellings()
        #expect(try ground.signature("b/a.json").isRenamed(staged.signature))
    }

    @Test func `An announced content stays beside its document until it arrives`() throws {
        for fate in [CommitFate.late, .lost] {
            ground.store.delete(document)
            ground.store.fate = { _ in fate }
            let staged = try ground.prepare("b/a.json", "2")
            #expect(try ground.replica.create(staged) == .pending)
            #expect(try ground.temporaries() == [staged.temporary])
            _ = tellings()
            #expect(try ground.temporaries() == (fate == .lost ? [staged.temporary] : []))
            #expect(ground.text("b/a.json") == (fate == .lost ? nil : "2"))
        }
    }

    @Test func `Documents are waited for separately, and a copy receives the original's answers`() throws {
        ground.store.save(document, .text("1"))
        ground.store.save(path("c.json"), .text("1"))
        _ = try send(.late)
        #expect(!ground.replica.isPending(path("c.json")))
        var copy = ground.replica
        #expect(copy.step(at: .seconds(1)) == [document])
        #expect(ground.replica.isPending(document))
        #expect(ground.replica.step(at: .seconds(1)) == [document])
        #expect(ground.replica.step(at: .seconds(1)).isEmpty)
    }

    @Test func `The next run does not wait for commits of an earlier one, which still arrive`()
        throws
    {
        ground.store.save(document, .text("1"))
        _ = try send(.late)
        ground.replica = KeyedReplica(.app, of: ground.store)
        #expect(ground.replica.deadline == nil && !ground.replica.isPending(document))
        #expect(ground.replica.step(at: .seconds(1)).isEmpty)
        #expect(ground.text("b/a.json") == "2")
    }

    @Test func `A pending commit to a store that goes away does not change its replacement`() throws {
        ground.store.save(document, .text("1"))
        let backup = try #require(ground.store.copy())
        _ = try send(.late)
        ground.store.restore(backup)
        _ = tellings()
        #expect(ground.text("b/a.json") == "1")
        #expect(throws: ReadObstacle.self) { try ground.read("b/a.json") }
        try ground.replica.reopen()
        #expect(try ground.content("b/a.json").bytes == .text("1"))
    }

    @Test(arguments: UInt64(1)...50)
    func `Whatever happens to commits, each has the reported outcome and no save is lost`(seed: UInt64) throws
    {
        var chance = SplitMix(seed)
        var count = 0
        ground.store.save(document, .text("1"))
        for round in 0..<20 {
            let fate = CommitFate.any(&chance)
            ground.store.fate = { _ in fate }
            let before = try ground.content("b/a.json").bytes
            let bytes = [UInt8].text("commit \(round)")
            let write = DocumentWrite(
                document,
                bytes: bytes,
                digest: Digest(of: bytes),
                over: Digest(of: before),
                like: nil,
                number: UInt64(round),
                isSynced: false
            )
            let isRaced = Bool.random(using: &chance)
            let save = [UInt8].text("save \(round)")
            if isRaced { ground.race { [ground, document] in ground.store.save(document, save) } }
            let publication = try ground.replica.commit(
                try ground.replica.prepare(write),
                over: write.expected,
                waits: true
            )
            if publication == .pending { count += tellings().count }
            let after = try ground.content("b/a.json").bytes
            #expect(isRaced ? after == save : [before, bytes].contains(after))
            if case .replaced = publication { #expect(after == bytes) }
            if publication == .raced, !isRaced { #expect(after == before) }
        }
        #expect(count > 0)
        #expect(ground.replica.deadline == nil)
    }
}
