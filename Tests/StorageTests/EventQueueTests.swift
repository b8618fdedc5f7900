import Model
import StateStore
import Testing

private func event(_ id: String, _ data: String? = nil) -> NewEvent {
    let content = Digest(of: Array("\(data ?? "")".utf8))
    return NewEvent(id: id, kind: "HabitWidget", name: "toggle", data: data, content: content)
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
        for day in 1..<30 { _ = try queue.push(event("a", "1"), at: 1_000 + Int64(day) * (days / 30)) }
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

    @Test func `A clock that is set forward, and back again, forgets no ID`() throws {
        let queue = try EventQueue(path: nil)
        let start: Int64 = 1_768_737_600_000
        _ = try queue.push(event("a", "1"), at: start)
        _ = try queue.acknowledge(["a"], at: start)
        for time in [start + 40 * 86_400_000, .max, start, .min, start] {
            guard case .repeated = try queue.push(event("a", "1"), at: time) else {
                Issue.record("the ID was forgotten at \(time)")
                return
            }
        }
    }

    @Test func `A queue of the first schema keeps its events and IDs`() throws {
        try withTemporaryFile { path in
            let first = try EventQueue(path: path)
            _ = try first.push(event("a", "1"), at: 5)
            _ = try first.acknowledge(["a"], at: 6)
            _ = try first.push(event("b"), at: 7)
            first.close()
            try execute("DROP TABLE clock; PRAGMA user_version = 1", on: path)
            let queue = try EventQueue(path: path)
            #expect(try ids(queue) == ["b"])
            guard case .repeated = try queue.push(event("a", "1"), at: 8) else {
                Issue.record("the ID was forgotten")
                return
            }
        }
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
            try execute("PRAGMA user_version = 3", on: path)
            #expect(throws: JournalError.otherSchema(3, known: 2)) { try EventQueue(path: path) }
        }
        try withTemporaryFile { path in
            try fill(path, with: "this is no database, but a text that is long enough to be one")
            #expect { try EventQueue(path: path) } throws: { ($0 as? JournalError)?.isBroken == true }
        }
    }
}
