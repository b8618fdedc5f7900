import AgentClient
import AgentServer
import BridgeRuntime
import Documents
import Foundation
import Glibc
import Model
import StateStore
import SyncEngine
import TestBridge
import Testing

@Suite(.timeLimit(.minutes(2))) struct HTTPServerTests {
    let bridge = FakeBridge()

    private func request(_ text: String) async throws -> String {
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send(text)
            return await connection.receiveAll()
        }
    }

    private func get(_ target: String, _ headers: String = "") async throws -> String {
        try await request("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\r\n")
    }

    @Test func `The client receives what the bridge returns`() async throws {
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            let name = try path("sub dir/ünï?#%.json")
            let stored = try await client.put(Array("{}".utf8), as: name, side: .app, expecting: .nothing)
            #expect(stored.hash == Digest(of: Array("{}".utf8)))
            let read = try await client.document(name, side: .app)
            #expect(read == stored)
            let status = try await client.status()
            let (ownStatus, ownPlan) = try await (bridge.status(), bridge.sync(dryRun: true))
            #expect(status == ownStatus)
            #expect(try await client.sync(dryRun: true) == ownPlan)
            let ownStory = try await bridge.story(of: name)
            #expect(try await client.story(of: name) == ownStory)
            try await client.wait(timeout: .milliseconds(1500), rehash: true)
            let barriers = bridge.barriers
            #expect(barriers.map(\.timeout) == [.milliseconds(1500)] && barriers.map(\.rehash) == [true])
        }
    }

    @Test(arguments: [
        ("", "200"), ("?dry-run", "200"), ("?dry-run=0", "200"), ("?dry-run=yes", "400"),
        ("?dry-run=True", "400"), ("?unknown=yes", "400"),
    ])
    func `A sync with an invalid dry-run parameter is refused`(_ query: String, _ status: String) async throws
    {
        let head = "Host: x\r\nConnection: close\r\nContent-Length: 0"
        let told = try await request("POST /v1/sync\(query) HTTP/1.1\r\n\(head)\r\n\r\n")
        #expect(told.hasPrefix("HTTP/1.1 \(status) "), "\(told)")
    }

    @Test(arguments: ["sync", "wait"])
    func `A request of a disconnected client is cancelled`(_ question: String) async throws {
        let bridge = bridge
        let (told, signal) = AsyncStream<FakeBridge.Endless>.makeStream()
        bridge.takeForEver { signal.yield($0) }
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            let head = "POST /v1/\(question) HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
            try await connection.send(head)
            #expect(await told.first { _ in true } == .begun)
            connection.hangUp()
            #expect(await told.first { _ in true } == .abandoned)
        }
    }

    @Test(arguments: [
        BridgeError.noDocument("a.json", .app), .notADocument("a", .reported("no `.json`")),
        .notADocument("a.json", .known(.excluded(.excluded(by: "a*")))),
        .notADocument("a.json", .known(.excluded(.notIncluded))),
        .notADocument("a.json", .known(.excluded(.notNamed))),
        .invalidDocument("a.json", .reported("too deep")),
        .invalidDocument("a.json", .reported("3:14: no", at: JSONPosition(line: 3, column: 14, offset: 40))),
        .held(document: "a.json", reason: .reported("a link"), .notRegular),
        .journalLocked("/state/journal.sqlite"),
        .mismatch("a.json", .group, actual: nil),
        .mismatch("a.json", .group, actual: Digest(of: [1])),
        .held(document: "a.json", reason: .reported("half-written")),
        .halted(reason: .reported("the app container is gone")), .paused(since: "2026-01-18T14:30:00.123Z"),
        .timedOut(.milliseconds(250)),
        .unknownID(.conflict("0123")), .unknownID(.trash("x/y")), .unknownID(.halt("")),
        .ambiguousID(.trash("01"), ids: ["0123", "0145"]),
        .undecidable(.conflict("0123"), .reported(reason: "nobody knows", advice: "take a file")),
    ])
    func `The client throws the error of the bridge`(_ error: BridgeError) async throws {
        bridge.fail(with: error)
        try await withServer(of: bridge) { socketPath in
            await #expect(throws: error) { try await AgentClient(socketPath: socketPath).status() }
        }
    }

    @Test func `The client shows the text of a fact of the bridge`() async throws {
        let subject = BridgeError.Subject.conflict("0123")
        let errors: [(BridgeError, told: BridgeError)] = [
            (
                .held(document: "a.json", reason: .known(.held(.empty)), .empty),
                .held(document: "a.json", reason: .reported("empty"), .empty)
            ),
            (
                .notADocument("a", .known(.noPath)),
                .notADocument("a", .reported("its name is not a path inside a container"))
            ),
            (
                .invalidDocument("a.json", .json(.tooLarge(bytes: 9, limit: 8))),
                .invalidDocument("a.json", .reported("9 bytes are more than the limit of 8"))
            ),
            (
                .undecidable(subject, .known(.conflictWithoutContent(.app))),
                .undecidable(
                    subject,
                    .reported(
                        reason: "app's content was not kept",
                        advice: "resolve it with a file, or leave it: the document stays as it is"
                    )
                )
            ),
        ]
        for (error, told) in errors {
            bridge.fail(with: error)
            try await withServer(of: bridge) { socketPath in
                await #expect(throws: told) { try await AgentClient(socketPath: socketPath).status() }
            }
        }
    }

    @Test func `The client shows the text of a fact that only the agent knows`() async throws {
        bridge.fail(with: .journal(.other("disk I/O error"), path: "/state/journal.db"))
        try await withServer(of: bridge) { socketPath in
            let told = BridgeError.agent(
                status: 500,
                detail: "cannot use the journal: disk I/O error, /state/journal.db"
            )
            await #expect(throws: told) { try await AgentClient(socketPath: socketPath).status() }
        }
    }

    @Test func `Without an agent the client names the socket it tried`() async {
        await #expect(throws: BridgeError.noAgent(socket: "/nowhere.sock")) {
            try await AgentClient(socketPath: "/nowhere.sock").status()
        }
    }

    @Test func `A document has its hash as its ETag`() async throws {
        let name = try path("a.json")
        _ = try await bridge.put(Array(#"{"a":1}"#.utf8), as: name, side: .group, expecting: .anything)
        let tag = "\"\(Digest(of: Array(#"{"a":1}"#.utf8)))\""
        let answer = try await get("/v1/documents/a.json")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("ETag: \(tag)\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n{\"a\":1}"))
        let again = try await get("/v1/documents/a.json", "If-None-Match: \(tag)\r\n")
        #expect(again.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
        let other = try await get("/v1/documents/a.json?side=app")
        #expect(other.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    }

    @Test func `A write whose condition fails is refused with the current hash`() async throws {
        let name = try path("a.json")
        _ = try await bridge.put(Array("{}".utf8), as: name, side: .group, expecting: .anything)
        let wrong = Digest(of: [1])
        let answer = try await request(
            "PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "If-Match: \"\(wrong)\"\r\nContent-Length: 8\r\n\r\n{\"a\":1}\n"
        )
        let actual = Digest(of: Array("{}".utf8))
        #expect(answer.hasPrefix("HTTP/1.1 412 Precondition Failed\r\n"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(
            answer.hasSuffix(
                "{\"type\":\"urn:widgetbridge:problem:mismatch\",\"title\":\"the document does not "
                    + "have the expected content\","
                    + "\"status\":412,\"detail\":\"the document does not have the expected content, "
                    + "group:a.json is \(actual)\","
                    + "\"document\":\"a.json\",\"side\":\"group\",\"actual\":\"\(actual)\"}\n"
            )
        )
        #expect(try await bridge.document(name, side: .group).bytes == Array("{}".utf8))
    }

    @Test(arguments: [
        ("/v1/documents/../etc/passwd", "400"), ("/v1/documents/%2e%2e/x.json", "400"),
        ("/v1/documents/%ff.json", "400"), ("/v1/documents/%4", "400"),
        ("/v1/documents/a%00b.json", "400"), ("/v1/documents/a.json?side=left", "400"),
        ("/v1/nothing", "404"),
        ("/", "404"), ("/v1/documents/none.json", "404"), ("/v1/reloads?document=/x", "400"),
    ])
    func `A request without a document name is refused`(_ target: String, _ status: String) async throws {
        let answer = try await get(target)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
    }

    @Test func `A body above the limit is refused before it is sent`() async throws {
        let answer = try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send(
                "PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 68000000\r\n\r\n"
            )
            return await connection.receive(until: "}\n")
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 Payload Too Large\r\n"))
    }

    @Test func `A chunked body is refused once it exceeds the limit`() async throws {
        let answer = try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send(
                "PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            let chunk =
                Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
            for _ in 0..<65 { try await connection.send(chunk) }
            return await connection.receive(until: "}\n")
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 Payload Too Large\r\n"))
    }

    @Test func `A client that expects 100-continue gets it`() async throws {
        let answer = try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send(
                "PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                    + "Connection: close\r\nContent-Length: 2\r\n\r\n"
            )
            let first = await connection.receive(until: "\r\n\r\n")
            try await connection.send("{}")
            return await first + connection.receiveAll()
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test func `A header above the limit is refused`() async throws {
        let answer = try await get("/v1/status", "X: \(String(repeating: "x", count: 100_000))\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
    }

    @Test func `A request that is not HTTP is refused`() async throws {
        let answer = try await request("\u{16}\u{3}\u{1} hello\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func `A truncated request changes nothing and delays no other`() async throws {
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send(
                "PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"a\":"
            )
            connection.hangUp()
            let status = try await AgentClient(socketPath: socketPath).status()
            #expect(status.documents.isEmpty)
        }
    }

    @Test(arguments: ["Content-Length: 4\r\n\r\n12", "Transfer-Encoding: chunked\r\n\r\n2\r\n12\r\n"])
    func `A truncated body is refused even if its beginning is valid JSON`(_ rest: String) async throws {
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            for isHalfClosed in [true, false] {
                let connection = try RawConnection(socketPath: socketPath)
                try await connection.send("PUT /v1/documents/a.json HTTP/1.1\r\nHost: x\r\n\(rest)")
                if isHalfClosed {
                    connection.endSending()
                    let answer = await connection.receiveAll()
                    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
                }
                connection.hangUp()
            }
        }
        // By now the server has handled every request.
        #expect(try await bridge.status().documents.isEmpty)
    }

    @Test func `A connection serves several requests`() async throws {
        let answers = try await request(
            "GET /v1/documents HTTP/1.1\r\nHost: x\r\n\r\n"
                + "GET /v1/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        #expect(answers.components(separatedBy: "{\"documents\":[]}\n").count == 3)
    }

    @Test func `Only the owner can use the socket`() async throws {
        try await withServer(of: bridge) { socketPath in
            let attributes = try FileManager.default.attributesOfItem(atPath: socketPath)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let stranger = try await withServer(of: bridge, authorization: .users([12_345])) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send("GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return await connection.receiveAll()
        }
        #expect(stranger.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(!stranger.contains("running"))
    }

    @Test func `A socket left by a dead agent is replaced, and removed at the end`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/wb-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let socketPath = "\(directory)/agent.sock"
        for _ in 0..<2 {
            close(try listeningSocket(at: socketPath))
            try await withServer(of: bridge, on: .socket(socketPath), .owner) { _ in
                #expect(await AgentClient(socketPath: socketPath).isReachable())
            }
            #expect(!FileManager.default.fileExists(atPath: socketPath))
        }
    }

    @Test func `A wait does not hang when the agent does not answer`() async throws {
        let socketPath = "/tmp/wb-deaf-\(UUID().uuidString.prefix(8)).sock"
        let deaf = try listeningSocket(at: socketPath)
        defer {
            close(deaf)
            unsafe unlink(socketPath)
        }
        let client = AgentClient(socketPath: socketPath, grace: .milliseconds(10))
        await #expect(throws: BridgeError.silentAgent(process: nil, socket: socketPath)) {
            try await client.wait(timeout: .milliseconds(20), rehash: false)
        }
    }

    @Test(arguments: [
        ListeningSocket.Address.socket("/tmp/wb-\(UUID().uuidString.prefix(8)).sock"), .loopback(port: 0),
    ])
    func `A client that connects between two servers is answered by the second`(
        _ address: ListeningSocket.Address
    ) async throws {
        let socket = try ListeningSocket(address)
        defer { socket.close() }
        try await withServer(of: bridge, on: socket, .token("s3cret")) {}
        let waiting: RawConnection
        switch address {
        case .socket(let path): waiting = try RawConnection(socketPath: path)
        case .loopback: waiting = try RawConnection(port: socket.port ?? 0)
        }
        try await waiting.send(
            "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer s3cret\r\n\r\n"
        )
        try await withServer(of: bridge, on: socket, .token("s3cret")) {
            #expect(await waiting.receiveAll().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `A connection that a server accepts as it ends is closed`() async throws {
        let path = "/tmp/wb-\(UUID().uuidString.prefix(8)).sock"
        for _ in 0..<100 {
            let socket = try ListeningSocket(.socket(path))
            let clients = try (0..<8).map { _ in try RawConnection(socketPath: path) }
            try await withServer(of: bridge, on: socket, .owner) {}
            socket.close()
            for client in clients { #expect(await client.receiveAll().isEmpty) }
        }
    }

    @Test func `The TCP port requires the token`() async throws {
        try await withServer(of: bridge, on: .loopback(port: 0), .token("s3cret")) { port in
            let cases = [
                ("", "401"), ("Authorization: Bearer s3creT\r\n", "401"),
                ("Authorization: Bearer s3cret\r\n", "200"), ("Authorization: bearer s3cret\r\n", "200"),
                ("Authorization: BEARER  s3cret\r\n", "200"), ("Authorization: s3cret\r\n", "401"),
                ("Authorization: Basic s3cret\r\n", "401"), ("Authorization: Bearers3cret\r\n", "401"),
                ("Authorization: bearer s3cretx\r\n", "401"), ("Authorization: Bearer\r\n", "401"),
            ]
            for (header, status) in cases {
                let connection = try RawConnection(port: port ?? 0)
                try await connection.send(
                    "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(header)\r\n"
                )
                #expect(await connection.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test(arguments: ["{", #"{"timeout_ms":-1}"#, #"{"timeout_ms":"5"}"#, #"{"timeout_ms":99999999999}"#])
    func `A wait with invalid parameters is refused`(_ body: String) async throws {
        let answer = try await request(
            "POST /v1/wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
                + "\(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(bridge.barriers.isEmpty)
    }
}
