import Documents
import Testing

/// What an edit does to the surrounding text.
@Suite("Formatting")
struct FormattingTests {
    private func merged(_ base: String, _ app: String, _ group: String) throws -> String {
        let rule = DocumentRule.plain(path: "x.json")
        return try rule.merge(base: JSON(base), app: JSON(app), group: JSON(group)).result.string
    }

    @Test(
        "an edit of one value leaves all white space unchanged",
        arguments: [
            "{\r\n\t\"a\" : 1 ,\r\n\t\"b\":[ 1,2 , 3 ]\r\n}\r\n", " {\"a\":1 , \"b\" :[]} ",
            "{\n  \"x\": {\n    \"y\": []\n  },\n\n  \"a\": 1\n}\n",
        ]
    )
    func keepsSpace(text: String) throws {
        let edited = text.replacing("1", with: "450.50", maxReplacements: 1)
        let base = text.filter { !" \r\n\t".contains($0) }.replacing("\r\n", with: "")
        #expect(try merged(base, text, edited) == edited)
    }

    @Test("a new member is formatted like its neighbours")
    func newMembers() throws {
        let pretty = "{\n  \"a\": 1,\n  \"b\": 2\n}\n"
        #expect(
            try merged(pretty, pretty, #"{"a":1,"n":[{"x":1}],"b":2,"z":0}"#)
                == "{\n  \"a\": 1,\n  \"n\": [{\"x\":1}],\n  \"b\": 2,\n  \"z\": 0\n}\n"
        )
        #expect(try merged(#"{"a":1}"#, #"{ "a": 1 }"#, #"{"z":0,"a":1}"#) == #"{ "z": 0, "a": 1 }"#)
        #expect(
            try merged(#"{"a":1}"#, "{\n  \"a\": 1\n}", #"{"a":1,"b":2}"#) == "{\n  \"a\": 1,\n  \"b\": 2\n}"
        )
        #expect(
            try merged(#"{"a":1,"b":2}"#, #"{"a": 1, "b": 2}"#, #"{"n":0,"a":1,"b":2}"#)
                == #"{"n": 0, "a": 1, "b": 2}"#
        )
    }

    @Test("a removed member's white space is removed with it")
    func removedMembers() throws {
        let pretty = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n"
        #expect(try merged(pretty, pretty, #"{"b":2,"c":3}"#) == "{\n  \"b\": 2,\n  \"c\": 3\n}\n")
        #expect(try merged(pretty, pretty, #"{"a":1,"c":3}"#) == "{\n  \"a\": 1,\n  \"c\": 3\n}\n")
        #expect(try merged(pretty, pretty, #"{"a":1,"b":2}"#) == "{\n  \"a\": 1,\n  \"b\": 2\n}\n")
        #expect(try merged(pretty, pretty, "{}") == "{}\n")
    }

    @Test("lines that move to another depth are reindented")
    func movesLines() throws {
        let app = "{\n\t\"o\": {\n\t\t\"a\": 1\n\t}\n}"
        let group =
            "{\n  \"o\": {\n    \"a\": 1,\n    \"b\": {\n      \"c\": [\n        1\n      ]\n    }\n  }\n}"
        #expect(
            try merged(app, app, group)
                == "{\n\t\"o\": {\n\t\t\"a\": 1,\n"
                + "\t\t\"b\": {\n\t\t  \"c\": [\n\t\t    1\n\t\t  ]\n\t\t}\n\t}\n}"
        )
    }
}
