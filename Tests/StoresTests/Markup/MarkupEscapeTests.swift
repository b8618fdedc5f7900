import Stores
import Testing

@Suite("Writing markup")
struct MarkupEscapeTests {
    private static let texts = [
        "", "plain", "<a b=\"c\">&amp;</a>", "]]>", "tab\tline\nreturn\rend\r\n", "'\"",
        "\u{1F600}é\u{85}\u{FFFD}",
    ]

    @Test("is read back as it was", arguments: texts)
    func roundTrip(text: String) throws {
        for escape in [MarkupEscape.text, .attribute, .android] {
            let written = String(decoding: try #require(escape.escaped(text)), as: UTF8.self)
            let xml = escape == .text ? "<a>\(written)</a>" : "<a b=\"\(written)\"/>"
            var reader = try MarkupReader(Array(xml.utf8), format: .xmlPropertyList)
            let start = try reader.next()?.kind
            let read: String?
            if case .start(let element) = start, escape != .text {
                read = element["b"]
            } else {
                read = try reader.elementText()
            }
            #expect(read == text)
        }
    }

    @Test(
        "fails for characters that XML cannot represent",
        arguments: ["\0", "a\u{1B}", "\u{FFFE}", "\u{FFFF}"]
    )
    func unrepresentable(text: String) {
        #expect(MarkupEscape.text.escaped(text) == nil)
        #expect(MarkupEscape.attribute.escaped(text) == nil)
    }

    @Test("writes every control character as Android does")
    func android() {
        #expect(
            MarkupEscape.android.escaped("\0\t\n\u{1F}<>&\"'").map { String(decoding: $0, as: UTF8.self) }
                == "&#0;&#9;&#10;&#31;&lt;&gt;&amp;&quot;'"
        )
    }
}
