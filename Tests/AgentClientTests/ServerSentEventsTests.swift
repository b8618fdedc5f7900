import Documents
import Testing

@testable import AgentAPI
@testable import AgentClient

@Suite struct ServerSentEventsTests {
    private let text =
        ":\n\nid: i:1\ndata: {\"a\":1}\n\nevent: gap\r\nid:i:2\r\ndata:{}\r\n\r\n: x\n\ndata: end"

    @Test func `Events are parsed however the bytes are split`() throws {
        for size in 1...text.utf8.count {
            var events = ServerSentEvents()
            var found: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let part = rest.prefix(size)
                rest = rest.dropFirst(size)
                found += try events.take(part).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(found == ["{\"a\":1}", "{}"])
        }
    }

    /// As WHATWG HTML 9.2.6 has it: the lines of one event are joined by a newline, a field without a colon
    /// is empty, one space after the colon is no part of the value, and a line ends with LF, CR or both.
    @Test(arguments: [
        ("data: a\ndata: b\n\n", ["a\nb"]), ("data:{\ndata: \"a\": 1\ndata:}\n\n", ["{\n\"a\": 1\n}"]),
        ("data\n\ndata\ndata\n\ndata:", ["", "\n"]), ("data:  two\n\ndata:\tt\n\n", [" two", "\tt"]),
        ("data: a\rdata: b\r\rdata: c\r\n\r\n", ["a\nb", "c"]), ("data: a\r\n\rdata: b\n\r\n", ["a", "b"]),
        ("dat: x\ndatax: y\n data: z\nevent: data\n\n", []), ("\u{FEFF}data: a\n\n", ["a"]),
        ("data: \u{FEFF}b\n\ndata: c\n\n", ["\u{FEFF}b", "c"]), (":data: x\ndata: end", []),
    ])
    func `A stream is parsed as the standard specifies`(_ text: String, _ said: [String]) throws {
        for size in 1...text.utf8.count {
            var events = ServerSentEvents()
            var found: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found += try events.take(rest.prefix(size)).map { String(decoding: $0, as: UTF8.self) }
                rest = rest.dropFirst(size)
            }
            #expect(found == said, "\(size) bytes at a time")
        }
    }

    @Test func `An event may be as long as the limit, but no longer`() throws {
        let most = ServerSentEvents.mostBytes
        var events = ServerSentEvents()
        let line = "data:" + String(repeating: "x", count: most / 2 - 1)
        let found = try events.take("\(line)\n\(line)x\n\n".utf8)
        #expect(found.map(\.count) == [most])
        #expect(throws: EventTooLong(bound: most)) { try events.take("\(line)\n\(line)xx\n\n".utf8) }
    }

    @Test(arguments: ["x", "data:x\n", "data\n", "data:", ":"])
    func `A line or an event without end is refused`(_ piece: String) {
        var events = ServerSentEvents()
        let bytes = Array(repeating: Array(piece.utf8), count: 4_096).flatMap(\.self)
        #expect(throws: EventTooLong.self) {
            for _ in 0..<1_000 { _ = try events.take(bytes) }
        }
    }

    @Test func `Comments without end produce no event and use no memory`() throws {
        var events = ServerSentEvents()
        let bytes = Array(repeating: Array(": still here\n\n".utf8), count: 4_096).flatMap(\.self)
        for _ in 0..<50 { #expect(try events.take(bytes).isEmpty) }
        #expect(try events.take("data: a\n\n".utf8) == [Array("a".utf8)])
    }

    @Test(arguments: ["a b.json", "ä/ö.json", "100%.json", "?&=#+.json", "plain-._~/x.json"])
    func `A name survives percent-encoding`(_ name: String) {
        let encoded = percentEncoded(name)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(percentDecoded(encoded[...]) == name)
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "%ff", "%c3%28"])
    func `Invalid percent-encoding is refused`(_ text: String) {
        #expect(percentDecoded(text[...]) == nil)
    }
}
