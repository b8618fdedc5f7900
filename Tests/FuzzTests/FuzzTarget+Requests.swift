import BridgeRuntime
import Documents
import HTTPTypes
import HummingbirdCore
import Model
import NIOCore

@testable import AgentAPI
@testable import AgentClient
@testable import AgentServer

extension FuzzTarget {
    /// Path with query, `If-Match`, `If-None-Match` and body.
    static func asking(_ parts: [[UInt8]]) -> String? {
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        var head = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: texts.first ?? "")
        if texts.count > 1, !texts[1].isEmpty { head.headerFields[.ifMatch] = texts[1] }
        if texts.count > 2, !texts[2].isEmpty { head.headerFields[.ifNoneMatch] = texts[2] }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        _ = try? Query(request, knows: ["side"]).side()
        _ = try? DocumentAddress.condition(in: request)
        _ = try? SyncBarrierRequest.asked(by: parts.part(3))
        for name in ["since", "kind", "document"] {
            guard let value = try? Query(request, knows: [name])[name] else { continue }
            if percentDecoded(percentEncoded(value)[...]) != value { return "\(name) is coded in two ways" }
            if let time = Duration(words: value), time < .zero { return "a time before now" }
        }
        guard let name = try? DocumentAddress.name(in: request, behind: "/v1/documents/") else { return nil }
        let steps = name.description.split(separator: "/", omittingEmptySubsequences: false)
        return steps.contains { ["", ".", ".."].contains($0) } ? "a name that leads elsewhere: \(name)" : nil
    }

    /// A stream of events, which says the same however it is cut.
    static func listening(_ bytes: [UInt8]) -> String? {
        var whole = ServerSentEvents()
        let events = try? whole.take(bytes)
        var cut = ServerSentEvents()
        let found = try? bytes.flatMap { byte in try cut.take([byte]) }
        return found == events ? nil : "it says something else when it comes in pieces"
    }
}
