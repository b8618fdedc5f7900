import AgentClient
import BridgeRuntime
import Foundation
import Model
import TestBridge
import Testing

@testable import AgentServer

@Suite(.timeLimit(.minutes(2))) struct HTTPRouteTests {
    let bridge = FakeBridge()

    private func request(_ line: String, _ headers: String = "", body: String = "") async throws -> String {
        try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
            let head = "\(line) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(length)\(headers)\r\n"
            try await connection.send(head + body)
            return await connection.receiveAll()
        }
    }

    private func save() async throws -> Digest {
        let name = try #require(RelativePath("a.json"))
        return try await bridge.put(Array("{}".utf8), as: name, side: .group, expecting: .anything).hash
    }

    @Test(arguments: [
        ("POST /v1/status", "GET, HEAD"), ("DELETE /v1/documents", "GET, HEAD"),
        ("POST /v1/documents/a.json", "DELETE, GET, HEAD, PUT"), ("GET /v1/wait", "POST"),
        ("GET /v1/undo/12", "POST"), ("PATCH /v1/documents/a/b.json", "DELETE, GET, HEAD, PUT"),
        ("PUT /v1/metrics", "GET, HEAD"), ("PURGE /v1/reloads", "GET, HEAD"),
    ])
    func `A known path answers a wrong method with the allowed ones`(_ line: String, _ allowed: String)
        async throws
    {
        let answer = try await request(line)
        #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"), "\(answer)")
        #expect(answer.contains("Allow: \(allowed)\r\n"), "\(answer)")
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
    }

    @Test(arguments: ["/v1/undo", "/v1/undo/1/2", "/v1/nothing"])
    func `An unknown path is 404`(_ path: String) async throws {
        #expect(try await request("POST \(path)").hasPrefix("HTTP/1.1 404 "))
    }

    @Test(arguments: [
        ("POST /v1/sync?dryrun", "dry-run"), ("GET /v1/documents/a.json?sides=app", "side"),
        ("PUT /v1/documents/a.json?Side=app", "side"), ("DELETE /v1/documents/a.json?sid=app", "side"),
        ("GET /v1/reloads?kinds=x", "kind"), ("GET /v1/history?documents=a.json", "document"),
        ("POST /v1/conflicts/1?tak%65s=app", "take"),
    ])
    func `A name in the query that is unknown is refused, with the one that was meant`(
        _ line: String,
        _ meant: String
    ) async throws {
        let answer = try await request(line)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.contains("Did you mean `\(meant)`?"), "\(answer)")
        #expect(answer.contains(#""known":["#) && answer.contains("\"\(meant)\""))
    }

    @Test func `No route takes a name that it does not know, or one twice`() async throws {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../Sources/WidgetBridge/WidgetBridge.docc/HTTPAPI.md").standardized
        let routes = try String(contentsOf: page, encoding: .utf8).matches(of: /\| `([A-Z]+) (\/v1\/\S+)`/)
        #expect(routes.count > 15)
        for route in routes {
            let target = route.2.replacing("NAME", with: "a.json").replacing("ID", with: "1")
            let answer = try await request("\(route.1) \(target)?xyzzy=1")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(target): \(answer)")
            #expect(answer.contains("`xyzzy` is unknown in the query of \(target)"), "\(answer)")
        }
        let twice = try await request("GET /v1/documents/a.json?side=app&side=group")
        #expect(twice.hasPrefix("HTTP/1.1 400 ") && twice.contains("`side` is given twice"), "\(twice)")
        let other = try await request("POST /v1/sync?dry-run=maybe")
        #expect(other.hasPrefix("HTTP/1.1 400 "), "\(other)")
    }

    @Test(arguments: [
        ("wait", #"{"timeoutMs":5}"#, "`timeoutMs` is unknown in the body"),
        ("wait", #"{"rehash":true,"rehash":false}"#, "`rehash` is given twice"),
        ("wait", #"[]"#, "the body must be {"), ("wait", #"{"timeout_ms":"5"}"#, "the body must be {"),
        ("conflicts/1", #"{"taken":"app"}"#, "Did you mean `take`?"),
        ("conflicts/1", #"{"take":"both"}"#, "send {"),
        ("conflicts/1?take=app", #"{"take":"group"}"#, "send {"),
    ])
    func `A body with a member that is unknown, repeated or wrong is refused`(
        _ path: String,
        _ body: String,
        _ detail: String
    ) async throws {
        let length = "Content-Length: \(body.utf8.count)\r\n\r\n"
        let answer = try await request("POST /v1/\(path)", "\(length)\(body)")
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        #expect(answer.contains(detail), "\(answer)")
    }

    @Test(arguments: ["7", "i1:", ":7", "i1:x", "i1:-1"])
    func `An invalid cursor is refused`(_ cursor: String) async throws {
        for answer in [
            try await request("GET /v1/reloads?since=\(cursor)"),
            try await request("GET /v1/reloads", "Last-Event-ID: \(cursor)\r\n"),
        ] {
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        }
    }

    @Test func `An unchanged document is answered with 304`() async throws {
        let hash = try await save()
        for tag in ["\"\(hash)\"", "\"x\", \"\(hash)\"", "W/\"\(hash)\"", "*"] {
            let answer = try await request("GET /v1/documents/a.json", "If-None-Match: \(tag)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 304 "), "\(tag)")
            #expect(answer.contains("ETag: \"\(hash)\"\r\n") && answer.hasSuffix("\r\n\r\n"))
        }
        let other = try await request("GET /v1/documents/a.json", "If-None-Match: \"x\"\r\n")
        #expect(other.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `A document is deleted only if the condition holds`() async throws {
        let hash = try await save()
        let target = "DELETE /v1/documents/a.json"
        let other = "If-Match: \"\(Digest(of: [1]))\"\r\n"
        #expect(try await request(target, other).hasPrefix("HTTP/1.1 412 "))
        #expect(try await request(target, "If-None-Match: *\r\n").hasPrefix("HTTP/1.1 400 "))
        #expect(try await request(target, "If-Match: \"\(hash)\"\r\n").hasPrefix("HTTP/1.1 204 "))
        #expect(try await request(target).hasPrefix("HTTP/1.1 404 "))
        #expect(try await request(target, other).hasPrefix("HTTP/1.1 412 "))
    }

    @Test func `Any content that there is may be replaced and deleted`() async throws {
        let (target, any) = ("/v1/documents/a.json", "If-Match: *\r\n")
        let refused = try await request("PUT \(target)", any, body: #"{"a":1}"#)
        #expect(refused.hasPrefix("HTTP/1.1 412 ") && refused.contains(#""actual":null"#), "\(refused)")
        #expect(try await request("DELETE \(target)", any).hasPrefix("HTTP/1.1 412 "))
        _ = try await save()
        #expect(try await request("PUT \(target)", any, body: #"{"a":1}"#).hasPrefix("HTTP/1.1 200 "))
        #expect(try await request("GET \(target)").hasSuffix(#"{"a":1}"#))
        #expect(try await request("DELETE \(target)", any).hasPrefix("HTTP/1.1 204 "))
        let listed = try await request("DELETE \(target)", "If-Match: \"x\", \"y\"\r\n")
        #expect(listed.hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `The client deletes, and throws the error of the bridge`() async throws {
        let hash = try await save()
        let bridge = bridge
        try await withServer(of: bridge) { socketPath in
            let client = AgentClient(socketPath: socketPath)
            let name = try #require(RelativePath("a.json"))
            let mismatch = BridgeError.mismatch("a.json", .group, actual: hash)
            await #expect(throws: mismatch) {
                try await client.delete(name, side: .group, expecting: Digest(of: [1]))
            }
            try await client.delete(name, side: .group, expecting: hash)
            await #expect(throws: BridgeError.noDocument("a.json", .group)) {
                try await client.delete(name, side: .group, expecting: nil)
            }
        }
    }

    @Test func `Health is 200 while the bridge runs and 503 when it does not answer`() async throws {
        let well = try await request("GET /v1/health")
        #expect(well.hasPrefix("HTTP/1.1 200 ") && well.contains(#"{"state":"running","reason":null"#))
        bridge.fail(with: .noAgent(socket: ""))
        let ill = try await request("GET /v1/health")
        #expect(ill.hasPrefix("HTTP/1.1 503 ") && ill.contains(#"{"state":"stopped","reason":null}"#))
    }

    @Test func `Metrics have the format of Prometheus`() async throws {
        _ = try await save()
        let answer = try await request("GET /v1/metrics")
        #expect(answer.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        #expect(body.contains("# TYPE widgetbridge_changes_total counter\n"))
        #expect(body.contains("widgetbridge_changes_total{bridge=\"/state\"} 0\n"))
        #expect(body.contains("widgetbridge_documents{bridge=\"/state\",state=\"synced\"} 1\n"))
        #expect(body.contains("widgetbridge_latency_seconds{bridge=\"/state\",quantile=\"0.5\"} NaN\n"))
        let comment = #/# (HELP|TYPE) widgetbridge_[a-z_]+ .+/#
        let sample = #/widgetbridge_[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} ([0-9.]+|NaN)/#
        for line in body.split(separator: "\n") {
            #expect(line.wholeMatch(of: comment) != nil || line.wholeMatch(of: sample) != nil, "\(line)")
        }
    }
}
