import Model
import StateStore
import Testing

private func event(_ id: String, _ data: String? = nil) -> NewEvent {
    let content = Digest(of: Array("\(data ?? "")".utf8))
    return NewEvent(id: id, kind: "HabitsWidget", name: "toggle", data: data, content: content)
}

@Suite struct EventRulesTests {
    private let load = EventRules.Load(count: 0, bytes: 0)

    @Test func `An event is queued while there is room for it`() {
        var rules = EventRules()
        rules.mostWaiting = 2
        rules.mostBytes = 100
        let size = event("a").size
        func verdict(_ count: Int, _ bytes: Int) -> EventRules.Verdict {
            rules.verdict(on: event("a"), known: nil, EventRules.Load(count: count, bytes: bytes))
        }
        #expect(verdict(1, 100 - size) == .append)
        #expect(verdict(2, 0) == .full)
        #expect(verdict(1, 101 - size) == .full)
    }

    @Test func `A known ID is a repetition or another event, even if there is no room`() {
        var rules = EventRules()
        rules.mostWaiting = 0
        let (one, other) = (event("a", "1"), event("a", "2"))
        #expect(rules.verdict(on: one, known: one.content, load) == .repetition)
        #expect(rules.verdict(on: one, known: other.content, load) == .otherContent)
    }
}

@Suite struct EventQueueTests {
    private func ids(_ queue: EventQueue) throws -> [String] { try queue.waiting().map(\.id) }

    @Test func `Events are returned every time, oldest first, until they are acknowledged`() throws {
        let queue = try EventQueue(path: nil)
        for id in ["c", "a", "b"] { _ = try queue.push(event(id), at: 5) }
        #expect(try ids(queue) == ["c", "a", "b"])
        #expect(try ids(queue) == ["c", "a", "b"])
        #expect(try queue.acknowledge(["a"], at: 6) == nil)
        #expect(try ids(queue) == ["c", "b"])
        #expect(try queue.waiting(limit: 1).map(\.seq) == [1])
        #expect(try queue.waiting(after: 1).map(\.id) == ["b"])
    }

    @Test func `With an unknown ID none is acknowledged`() throws {
        let queue = try EventQueue(path: nil)
        _ = try queue.push(event("a"), at: 5)
        #expect(try queue.acknowledge(["a", "x"], at: 6) == "x")
        #expect(try ids(queue) == ["a"])
    }

    @Test func `An ID is remembered for 30 days after it was acknowledged`() throws {
        let queue = try EventQueue(path: nil)
        _ = try queue.push(event("a", "1"), at: 5)
        _ = try queue.acknowledge(["a"], at: 1_000)
        _ = try queue.acknowledge(["a"], at: 2_000)
        let days = EventRules().memory
        guard case .repeated(let same) = try queue.push(event("a", "1"), at: 1_000 + days) else {
            Issue.record("the event was queued again")
            return
        }
        #expect(same.seq == 1 && same.at == 5)
        #expect(try queue.push(event("a", "2"), at: 1_000 + days) == .otherContent)
        #expect(try ids(queue) == [])
        guard case .appended(let new) = try queue.push(event("a", "2"), at: 1_001 + days) else {
            Issue.record("the ID was still known")
            return
        }
        // The number of a forgotten event is not given again.
        #expect(new.seq == 2)
    }

    @Test func `A full queue takes no more until an event is acknowledged`() throws {
        var rules = EventRules()
        rules.mostWaiting = 1
        let queue = try EventQueue(path: nil, rules: rules)
        _ = try queue.push(event("a"), at: 5)
        #expect(try queue.push(event("b"), at: 5) == .full)
        _ = try queue.acknowledge(["a"], at: 6)
        guard case .appended = try queue.push(event("b"), at: 7) else {
            Issue.record("the queue was still full")
            return
        }
    }

    @Test func `The queue of a later release, or a file that is none, is refused`() throws {
        try withTemporaryFile { path in
            let later = try EventQueue(path: path)
            later.close()
            try setVersion(2, of: path)
            #expect(throws: JournalError.laterSchema(2, known: 1)) { try EventQueue(path: path) }
        }
        try withTemporaryFile { path in
            try fill(path, with: "this is no database, but a text that is long enough to be one")
            #expect { try EventQueue(path: path) } throws: { ($0 as? JournalError)?.isBroken == true }
        }
    }
}
