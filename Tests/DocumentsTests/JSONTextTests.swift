import Documents
import Testing

@Suite struct JSONTextTests {
    @Test func `JSON text keeps its key order and escapes what must be escaped`() {
        let text: JSONText = [
            "z": JSONText("a\"\\\n\t\r\u{1}\u{7F}é😀"), "a": JSONText(nil as Int?),
            "m": JSONText([true, "x"]), "": [:],
        ]
        #expect(
            text.description
                == "{\"z\":\"a\\\"\\\\\\n\\t\\r\\u0001\u{7F}é😀\",\"a\":null,\"m\":[true,\"x\"],\"\":{}}"
        )
    }
}
