import Documents
import Foundation
import Testing

@Suite("Parsing")
struct JSONParsingTests {
    /// Texts that common JSON libraries change.
    @Test(
        "texts that other libraries change are kept byte for byte",
        arguments: [
            "450.50", "1.10", "1.0", "1E2", "-0", "-0.0", "1e400", "1e-400", "1e200", "12345678901234567890",
            "18446744073709551616", "0.1", "0.1234567890123456789012345678901234567890123",
            #"{"a":1,"a":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}", #""\ud800""#, #"{"\ud800":1}"#,
            "\u{feff}{}", #"{"url":"https://example.org/a\/b"}"#, "{\"b\":1,\"a\":2}\r\n",
        ]
    )
    func keepsBytes(text: String) throws {
        #expect(try JSON(text).bytes == Array(text.utf8))
    }

    @Test("canonically equivalent keys are different")
    func keysAreBytes() throws {
        #expect(try JSON("{\"\u{e9}\":1,\"e\u{301}\":2}").warnings.isEmpty)
        #expect(
            try JSON("{\"\u{e9}\":1,\"\\u00e9\":2}").warnings.map(\.reason) == [
                "1:8: duplicate key `\u{e9}`"
            ]
        )
    }

    @Test("every valid text is printed as it was parsed")
    func printsWhatItRead() throws {
        for seed in 0..<1000 as Range<UInt64> {
            var generator = TextGenerator(seed: seed)
            let text = generator.document()
            #expect(try JSON(text).bytes == Array(text.utf8))
        }
    }

    @Test("every prefix of a text is refused without a crash")
    func refusesBeginnings() {
        for seed in 0..<30 as Range<UInt64> {
            var generator = TextGenerator(seed: seed)
            let bytes = Array("[\(generator.document())]".utf8)
            for count in 0..<bytes.count {
                #expect(throws: JSONError.self) { try JSON(parsing: Array(bytes[..<count])) }
            }
        }
    }

    @Test(
        "an error has the position, the expected and the found token",
        arguments: [
            ("", "1:1: expected a value, found the end of the text"),
            (" \n ", "2:2: expected a value, found the end of the text"),
            (#"{"x":1,}"#, "1:8: expected a key, found `}`"),
            ("[1,]", "1:4: expected a value, found `]`"),
            ("[,1]", "1:2: expected a value or `]`, found `,`"),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "3:3: expected `,` or `}`, found `\"`"),
            (#"{"a" 1}"#, "1:6: expected `:`, found `1`"),
            ("{a:1}", "1:2: expected a key or `}`, found `a`"),
            ("[1", "1:3: expected `,` or `]`, found the end of the text"),
            ("[1}", "1:3: expected `,` or `]`, found `}`"),
            ("1 2", "1:3: expected the end of the text, found `2`"),
            ("01", "1:2: expected the end of the text, found `1`"),
            ("-", "1:2: expected a digit, found the end of the text"),
            ("1.", "1:3: expected a digit, found the end of the text"),
            (".5", "1:1: expected a value, found `.`"),
            ("1e+x", "1:4: expected a digit, found `x`"),
            ("+1", "1:1: expected a value, found `+`"),
            ("tru", "1:4: expected `true`, found the end of the text"),
            ("nul1", "1:4: expected `null`, found `1`"),
            ("[NaN]", "1:2: expected a value or `]`, found `NaN`, which is no number in JSON"),
            ("-Infinity", "1:2: expected a digit, found `Infinity`, which is no number in JSON"),
            ("Name", "1:1: expected a value, found `N`"),
            ("\"a", "1:3: expected `\"`, found the end of the text"),
            (#""\x""#, #"1:3: expected one of `"\/bfnrtu` after `\`, found `x`"#),
            (#""\u12g4""#, "1:6: expected a hexadecimal digit, found `g`"),
            ("\"a\tb\"", "1:3: expected an escape for this control character, found byte 0x09"),
            ("\"\0\"", "1:2: expected an escape for this control character, found byte 0x00"),
            ("[1,\u{a0}2]", "1:4: expected a value, found `\u{a0}`"),
            ("{\"é€🌸\":x}", "1:8: expected a value, found `x`"),
            ("[1,\r\n x]", "2:2: expected a value, found `x`"),
            ("'a'", "1:1: expected a value, found `'`"),
            ("// c\n1", "1:1: expected a value, found `/`"),
            ("\u{feff}x", "1:1: expected a value, found `x`"),
        ]
    )
    func saysWhere(text: String, reason: String) {
        #expect { try JSON(text) } throws: { ($0 as? JSONError)?.reason == reason }
    }

    @Test(
        "text that is not UTF-8 is refused at its first invalid byte",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF], [0xC3, 0x28],
        ] as [[UInt8]]
    )
    func refusesOtherEncodings(sequence: [UInt8]) {
        let bytes = Array("[\"ab".utf8) + sequence + Array("\"]".utf8)
        let place = JSONPosition(line: 1, column: 5, offset: 4)
        #expect(throws: JSONError.notUTF8(place, byte: sequence[0])) { try JSON(parsing: bytes) }
    }

    @Test(
        "text in UTF-16 is refused as such",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian]
    )
    func refusesUTF16(encoding: String.Encoding) throws {
        let bytes = try #require(#"{"a":1}"#.data(using: encoding))
        #expect(throws: JSONError.utf16(JSONPosition(line: 1, column: 1, offset: 0))) {
            try JSON(parsing: Array(bytes))
        }
    }

    @Test("the code points at the limits of UTF-8 are parsed")
    func readsEdgesOfUTF8() throws {
        let text = "\"\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}\""
        #expect(try JSON(text).string == text)
    }

    @Test("ambiguous JSON is a warning with its position")
    func warns() throws {
        let json = try JSON("\u{feff}{\"a\":1,\n \"b\":{\"\\ud800\":0},\n \"a\":\"\\udc00\"}")
        #expect(
            json.warnings.map(\.reason) == [
                "1:1: begins with a byte order mark", "2:8: unpaired surrogate",
                "3:2: duplicate key `a`", "3:7: unpaired surrogate",
            ]
        )
    }

    @Test("a surrogate pair is no warning, each unpaired surrogate is one")
    func tellsPairsFromHalves() throws {
        #expect(try JSON(#""\ud83c\udf38""#).warnings.isEmpty)
        #expect(try JSON(#""\ud83c\ud83c\udf38""#).warnings.count == 1)
        #expect(try JSON(#""\udf38\ud83c""#).warnings.count == 2)
        #expect(try JSON(#""\ud83c\n""#).warnings.count == 1)
    }
}
