import Documents
import Testing

/// Documents that parsers may read differently are copied, but not edited.
@Suite("Refused edits")
struct RefusalTests {
    private func merged(_ base: String, _ app: String, _ group: String) throws -> String {
        let rule = DocumentRule.plain(path: "x.json")
        return try rule.merge(base: JSON(base), app: JSON(app), group: JSON(group)).result.string
    }

    @Test(
        "an edit of an ambiguous object is refused with its position",
        arguments: [
            (#"{"a":1,"b":0}"#, "{\"a\":1,\n \"b\":1,\"a\":2}", #"{"a":1,"b":2}"#, "2:8: duplicate key `a`"),
            (#"{"a":1,"b":0}"#, #"{"a":1,"b":1}"#, "{\"b\":0,\n\"b\":0}", "2:1: duplicate key `b`"),
            (#"{"b":0}"#, "{\"\\ud800\":1,\"b\":1}", #"{"b":2}"#, "1:2: unpaired surrogate"),
            (#"{"b":0}"#, "\u{feff}{\"b\":0}", #"{"b":2}"#, "1:1: begins with a byte order mark"),
            ("0", "\u{feff}0", "1", "1:1: begins with a byte order mark"),
        ]
    )
    func refuses(base: String, app: String, group: String, reason: String) {
        #expect {
            try merged(base, app, group)
        } throws: {
            ($0 as? DocumentError)?.reason.hasPrefix(reason) == true
        }
    }

    @Test("other edits of the document work, and the ambiguous object is copied unchanged")
    func copies() throws {
        #expect(
            try merged(
                #"{"o":{"a":1,"a":2},"n":0}"#,
                #"{"o":{"a":1, "a":2},"n":0}"#,
                #"{"o":{"a":1,"a":2},"n":5}"#
            ) == #"{"o":{"a":1, "a":2},"n":5}"#
        )
        // Only one side changed it.
        #expect(
            try merged(#"{"o":{"a":1},"n":0}"#, #"{"o":{"a":1},"n":1}"#, #"{"o":{"a":2,"a":3},"n":0}"#)
                == #"{"o":{"a":2,"a":3},"n":1}"#
        )
        #expect(
            try merged(#"{"o":0,"n":0}"#, #"{"o":"\ud800","n":0}"#, #"{"o":0,"n":1}"#)
                == #"{"o":"\ud800","n":1}"#
        )
    }

    @Test("a merge above the size limit is refused")
    func limits() throws {
        let limits = JSONLimits(maxBytes: 20)
        let app = try JSON(#"{"a":"123456789"}"#, limits: limits)
        let group = try JSON(#"{"b":"123456789"}"#, limits: limits)
        #expect(throws: DocumentError.json(.tooLarge(bytes: 32, limit: 20))) {
            try DocumentRule.plain(path: "x").merge(base: nil, app: app, group: group)
        }
    }
}
