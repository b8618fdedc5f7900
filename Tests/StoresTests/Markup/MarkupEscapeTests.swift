import Testing

@testable import Stores

@Suite("Writing markup")
struct MarkupEscapeTests {
    private static let texts = [
        "", "plain", "<a b=\"c\">&amp;</a>", "]]>", "tab\tline\nreturn\rend\r\n", "'\"",
        "\u{1F600}é\u{85}\u{FFFD}",
    ]

    @Test("is read back as it was", arguments: texts)
    func roundTrip(text: String) throws {
        for escape in [MarkupEscape.text, .attribute, .android] {
            let written = String(decoding: try escape.escaped(text), as: UTF8.self)
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
        "fails for characters that XML does not allow",
        arguments: ["\0", "a\u{1B}", "\u{1}", "\u{FFFE}", "\u{FFFF}"]
    )
    func forbidden(text: String) throws {
        let scalar = try #require(text.unicodeScalars.last)
        for escape in [MarkupEscape.text, .attribute, .android] {
            #expect(throws: ForbiddenCharacter(scalar)) { try escape.escaped(text) }
        }
    }

    @Test("writes white space as Android does")
    func android() throws {
        let written = try MarkupEscape.android.escaped("\t\n<>&\"'")
        #expect(String(decoding: written, as: UTF8.self) == "&#9;&#10;&lt;&gt;&amp;&quot;'")
    }
}
