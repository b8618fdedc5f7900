import Documents
import Stores
import Testing

@Suite("Documents as values of a store")
struct StoreMappingTests {
    @Test("are exact: byte order marks, NUL, formatting, half documents and an empty text")
    func exact() throws {
        var text = try MappedStore("format: plist, file: a.plist, text: k")
        var data = try MappedStore("format: plist, file: a.plist, data: k")
        let documents = [
            "\u{FEFF}{}", "{\"a\":\"\\u0000\"}", "{\"a\": \"\0\"}", "{ \"a\" :1.50 }\r\n", "{\"a", "",
            "e\u{301}",
        ]
        for document in documents {
            try text.write(document)
            try data.write(document)
            #expect(try text.document()?.unicodeScalars.elementsEqual(document.unicodeScalars) == true)
            #expect(data.values["k"] == .data(Array(document.utf8)))
        }
        // What is not UTF-8 is no text, and comes back as data.
        #expect(throws: StoreMismatch.self) { try text.mapping.changes(writing: [0xFF], at: nil) }
        let changes = try data.mapping.changes(writing: [0xFF], at: nil)
        #expect(changes == ["k": .data([0xFF])])
    }

    @Test("are held if the value has another type, and missing without their key")
    func wrongTypes() throws {
        let text = try MappedStore("format: flutter, file: Library/a.plist, text: k")
        let data = try MappedStore("format: plist, file: a.plist, data: k")
        #expect(try text.document() == nil && data.document() == nil)
        let mismatch = try text.fault(reading: ["flutter.k": .data([0x7B, 0x7D])])
        #expect(mismatch.file == "Library/a.plist" && mismatch.key == "flutter.k")
        #expect(mismatch.reason == .type(found: .data, expected: .string))
        #expect(mismatch.text == "`flutter.k` is of the type data, expected string")
        #expect(
            try data.fault(reading: ["k": .string("{}")]).reason == .type(found: .string, expected: .data)
        )
        for value: StoreValue in [.integer(1), .bool(true), .dictionary([:]), .array([]), .date(0), .real(1)]
        {
            #expect(
                try text.fault(reading: ["flutter.k": value]).reason
                    == .type(found: value.type, expected: .string)
            )
        }
    }

    /// A type, a JSON value, and the value of the store.
    static let values: [(type: String, json: String, value: StoreValue?)] = [
        ("string", #""a\u0000\n""#, .string("a\0\n")), ("string", "\"\"", .string("")),
        ("string", "null", nil),
        ("bool", "true", .bool(true)), ("integer", "-9223372036854775808", .integer(.min)),
        ("integer", "9223372036854775807", .integer(.max)),
        ("integer", "18446744073709551615", .unsigned(.max)),
        ("integer", "1e3", .integer(1000)), ("integer", "25.0", .integer(25)),
        ("integer", "-0.0", .integer(0)),
        ("integer", "0.25e2", .integer(25)), ("real", "0.1", .real(0.1)),
        ("real", "0.1000000000000000055511151231257827", .real(0.1)), ("real", "-0", .real(-0.0)),
        ("real", "5e-324", .real(.leastNonzeroMagnitude)), ("real", "1e-400", .real(0)),
        ("real", "1.7976931348623157e308", .real(.greatestFiniteMagnitude)), ("real", "3", .real(3)),
        ("real", "9007199254740993", .real(9_007_199_254_740_992)),
        ("strings", #"["a","b"]"#, .array([.string("a"), .string("b")])),
        (
            "array", #"[1,2.0,"x",[],{"a":null,"b":true}]"#,
            .array([
                .integer(1), .real(2), .string("x"), .array([]), .dictionary(["b": .bool(true)]),
            ])
        ), ("dictionary", "{}", .dictionary([:])),
        (
            "dictionary", #"{"a":18446744073709551615,"b":1e30}"#,
            .dictionary(["a": .unsigned(.max), "b": .real(1e30)])
        ),
    ]

    @Test("have fields that are converted exactly", arguments: values)
    func converts(type: String, json: String, value: StoreValue?) throws {
        var store = try MappedStore("format: plist, file: a.plist, fields: {f: {\(type): /x}}")
        store.values["f"] = .string("old")
        try store.write("{\"x\":\(json)}")
        #expect(store.values["f"] == value)
    }

    /// A type, and a JSON value that it cannot represent.
    static let misfits: [(type: String, json: String)] = [
        ("integer", "0.5"), ("integer", "18446744073709551616"), ("integer", "-9223372036854775809"),
        ("integer", "1e400"), ("integer", "1e99999999999999999999"), ("integer", "true"),
        ("integer", "\"1\""),
        ("real", "1e400"), ("real", "-1e309"), ("real", "\"1\""), ("bool", "1"), ("bool", "\"true\""),
        ("string", "1"), ("string", #""\ud800""#), ("strings", "[1]"), ("strings", "\"a\""),
        ("array", "[null]"), ("array", "{}"), ("dictionary", "[]"), ("dictionary", #"{"a":1e999}"#),
        ("dictionary", #"{"a":1,"\u0061":2}"#),
    ]

    @Test("are not written if a type cannot represent a value", arguments: misfits)
    func refuses(type: String, json: String) throws {
        let store = try MappedStore("format: plist, file: a.plist, text: k, fields: {f: {\(type): /x}}")
        #expect(throws: StoreMismatch.self) {
            try store.mapping.changes(writing: Array("{\"x\":\(json)}".utf8), at: nil)
        }
    }

    @Test("are not written to single keys if they are ambiguous, or not JSON")
    func ambiguous() throws {
        let store = try MappedStore("format: plist, file: a.plist, text: k, fields: {f: {real: /x}}")
        #expect(try store.fault(#"{"x":1,"x":2}"#) == .ambiguous(try #require(JSONPointer("/x"))))
        for document in ["{\"x\":", #"{"x":0.1.2}"#, "", "\u{0}"] {
            #expect(try store.fault(document).isSyntax)
        }
    }

    @Test("of Android have the types of preferences, within their bounds")
    func preferences() throws {
        var store = try MappedStore(
            """
            format: shared-preferences, file: a.xml,
            fields: {i: {int32: /i}, f: {float: /f}, s: {strings: /s}}
            """
        )
        try store.write(#"{"i":2147483647,"f":0.1,"s":["a"]}"#)
        #expect(store.values == ["i": .int32(.max), "f": .float(0.1), "s": .strings(["a"])])
        for document in [#"{"i":2147483648}"#, #"{"f":1e39}"#] {
            #expect(try store.fault(document).isNumber)
        }
        let long = try MappedStore("format: shared-preferences, file: a.xml, fields: {i: {integer: /i}}")
        #expect(try long.fault(#"{"i":9223372036854775808}"#).isNumber)
    }

    @Test("have times in the form of the store")
    func times() throws {
        let forms = "from: [iso8601, milliseconds]"
        var store = try MappedStore(
            """
            format: plist, file: a.plist, fields: {
              d: {date: /t, \(forms)}, s: {string: /t, \(forms), to: local},
              n: {real: /t, \(forms), to: seconds1970}}
            """
        )
        for time in [#""2026-07-18T14:30:00.250Z""#, "1784385000250"] {
            try store.write("{\"t\":\(time)}")
            #expect(
                store.values == [
                    "d": .date(806_077_800.25), "s": .string("2026-07-18T16:30:00.250"),
                    "n": .real(1_784_385_000.25),
                ]
            )
        }
        for value in ["\"yesterday\"", "true", "1e300"] {
            #expect(try store.fault("{\"t\":\(value)}").isTime)
        }
    }
}
