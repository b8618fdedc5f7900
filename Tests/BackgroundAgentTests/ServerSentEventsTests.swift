import Testing

@testable import BackgroundAgent

@Suite struct ServerSentEventsTests {
    private let text =
        ":\n\nid: i:1\ndata: {\"a\":1}\n\nevent: gap\r\nid:i:2\r\ndata:{}\r\n\r\n: x\n\ndata: end"

    @Test func `Events come out however the bytes are cut`() {
        for size in 1...text.utf8.count {
            var events = ServerSentEvents()
            var found: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let part = rest.prefix(size)
                rest = rest.dropFirst(size)
                found += (events.take(part) ?? []).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(found == ["{\"a\":1}", "{}"])
        }
    }

    @Test func `A line that never ends is refused`() {
        var events = ServerSentEvents()
        #expect(events.take(repeatElement(UInt8(ascii: "x"), count: ServerSentEvents.longestLine + 1)) == nil)
    }

    @Test(arguments: ["a b.json", "ä/ö.json", "100%.json", "?&=#+.json", "plain-._~/x.json"])
    func `A name survives the way through an address`(_ name: String) {
        let encoded = percentEncoded(name)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(percentDecoded(encoded[...]) == name)
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "%ff", "%c3%28"])
    func `What is not encoded right is refused`(_ text: String) {
        #expect(percentDecoded(text[...]) == nil)
    }
}
