import AgentClient
import BridgeRuntime
import Model
import SyncEngine
import TestBridge
import Testing

@Suite struct HTTPReloadTests {
    private let document = Array("{}".utf8)

    @Test func `A notice is one event with the documented JSON`() async throws {
        let bridge = FakeBridge()
        let name = try path("budget.json")
        let text = try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send("GET /v1/reloads?since=i1:0 HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = await connection.receive(until: "\r\n\r\n")
            bridge.notify(name, hash: Digest(of: [1]), cause: .app)
            // A keep-alive comment may come in between on a slow machine.
            let first = await connection.receive(until: "}\n\n\r\n")
            bridge.notify(name, hash: nil, cause: .group)
            return await head + first + connection.receive(until: "}\n\n\r\n")
        }
        #expect(text.contains("Content-Type: text/event-stream\r\n"))
        let start = #""kind":"budget.json","document":"budget.json","generation""#
        let time = #""at":"2026-01-18T14:30:00.123Z""#
        let hash = Digest(of: [1])
        #expect(
            text.contains(
                "id: i1:1\ndata: {\"cursor\":\"i1:1\",\(start):1,\"hash\":\"\(hash)\","
                    + "\"cause\":\"app\",\(time)}\n\n"
            )
        )
        #expect(
            text.contains(
                "id: i1:2\ndata: {\"cursor\":\"i1:2\",\(start):2,\"hash\":null,"
                    + "\"cause\":\"group\",\(time)}\n\n"
            )
        )
    }

    @Test func `A subscriber gets the current state, then the changes`() async throws {
        let bridge = FakeBridge()
        let (one, two) = try (path("a.json"), path("b/ü.json"))
        _ = try await bridge.put(document, as: one, side: .group, expecting: .anything)
        let events = try await withServer(of: bridge) { socketPath in
            var events = AgentClient(socketPath: socketPath).reloads(ReloadFilter()).makeAsyncIterator()
            let current = try await events.next()
            _ = try await bridge.put(document, as: two, side: .group, expecting: .anything)
            return [current, try await events.next()]
        }
        #expect(events.map(\.?.document) == [one, two])
        #expect(events.map(\.?.cause) == [.current, .group])
    }

    @Test func `A subscriber gets only the notices it requested`() async throws {
        let bridge = FakeBridge()
        let (one, two) = try (path("a.json"), path("b?&=.json"))
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            for filter in [
                ReloadFilter(kind: "b?&=.json", since: "i1:0"), ReloadFilter(document: two, since: "i1:0"),
            ] {
                var events = client.reloads(filter).makeAsyncIterator()
                bridge.notify(one, hash: nil, cause: .app)
                bridge.notify(two, hash: nil, cause: .app)
                let event = try await events.next()
                #expect(event?.document == two)
            }
        }
    }

    @Test func `A returning subscriber misses nothing, or gets a gap`() async throws {
        let bridge = FakeBridge(capacity: 3)
        let name = try path("a.json")
        _ = try await bridge.put(document, as: name, side: .group, expecting: .anything)
        for _ in 0..<4 { bridge.notify(name, hash: nil, cause: .app) }
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            var kept = client.reloads(ReloadFilter(since: "i1:2")).makeAsyncIterator()
            let sequences = [try await kept.next(), try await kept.next(), try await kept.next()].map(
                \.?.cursor
            )
            #expect(sequences == ["i1:3", "i1:4", "i1:5"])
            var lost = client.reloads(ReloadFilter(since: "i1:1")).makeAsyncIterator()
            #expect(try await lost.next() == .gap(instance: "i1", sequence: 5))
            #expect(try await lost.next()?.cause == .current)

            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\nLast-Event-ID: i1:1\r\n\r\n")
            let text = await connection.receive(until: "current")
            #expect(text.contains("event: gap\nid: i1:5\ndata: {\"gap\":true,\"cursor\":\"i1:5\"}\n\n"))
        }
    }

    @Test func `A slow subscriber delays no other and gets a gap`() async throws {
        let bridge = FakeBridge(capacity: 16)
        let name = try path(String(repeating: "long/", count: 400) + "a.json")
        try await withServer(of: bridge) { socketPath in
            let slow = try RawConnection(socketPath: socketPath)
            try await slow.send("GET /v1/reloads?since=i1:0 HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = await slow.receive(until: "\r\n\r\n")
            var quick = AgentClient(socketPath: socketPath).reloads(ReloadFilter(since: "i1:0"))
                .makeAsyncIterator()
            // 4 kB each: more than the sockets buffer.
            for sequence in 1...1000 {
                bridge.notify(name, hash: nil, cause: .app)
                #expect(try await quick.next()?.cursor == "i1:\(sequence)")
            }
            #expect(await slow.receive(until: "event: gap\n").contains("event: gap\n"))
            bridge.notify(name, hash: nil, cause: .app)
            #expect(await slow.receive(until: "\"i1:1001\"").contains("\"i1:1001\""))
        }
    }

    /// Each has two ends here. With more than some 1,300 open files Foundation, asked to start a process by a
    /// test that runs beside this one, reads beyond the list of them.
    @Test func `Five hundred subscribers all get the notice`() async throws {
        let bridge = FakeBridge()
        let name = try path("a.json")
        _ = try await bridge.put(document, as: name, side: .group, expecting: .anything)
        try await withServer(of: bridge) { socketPath in
            var subscribers: [RawConnection] = []
            for _ in 0..<500 {
                let subscriber = try RawConnection(socketPath: socketPath)
                try await subscriber.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
                subscribers.append(subscriber)
            }
            for subscriber in subscribers {
                #expect(await subscriber.receive(until: "i1:1\"").contains("current"))
            }
            bridge.notify(name, hash: nil, cause: .app)
            for subscriber in subscribers {
                #expect(await subscriber.receive(until: "i1:2\"").contains("null"))
            }
        }
    }

    @Test func `The stream of a subscriber that disconnects is closed`() async throws {
        let bridge = FakeBridge()
        let released = AsyncStream<Void>.makeStream()
        bridge.whenSubscriberLeaves { released.continuation.yield() }
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = await connection.receive(until: "\r\n\r\n")
            connection.hangUp()
            #expect(await released.stream.first { _ in true } != nil)
        }
    }
}

extension ReloadEvent {
    fileprivate var notice: Notice? {
        if case .notice(let notice, _) = self { notice } else { nil }
    }
    fileprivate var document: RelativePath? { notice?.document }
    fileprivate var cause: Cause? { notice?.cause }
}
