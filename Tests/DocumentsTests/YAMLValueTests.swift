import Documents
import Testing

/// Values in a profile that become JSON.
@Suite("Values in YAML")
struct YAMLValueTests {
    private func added(_ value: String) throws -> String {
        let yaml = """
            profile: p
            documents:
              d.json:
                version: {field: version, missing: 1}
                versions:
                  1: {}
                  2:
                    lenses:
                      - add: {field: n, value: \(value)}
            """
        let rule = try Profile(yaml: yaml, file: "p.yaml").rule(for: "d.json")
        let document = try rule.translate(JSON("{}"), from: 1, to: 2, agreed: nil).string
        return String(document.dropFirst(#"{"version":2,"n":"#.count).dropLast())
    }

    @Test(
        "a plain scalar has the value of YAML 1.2",
        arguments: [
            ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("[~, ]", "[null]"),
            ("{a: }", #"{"a":null}"#), ("True", "true"), ("TRUE", "true"), ("False", "false"),
            ("true", "true"), ("no", #""no""#), ("yes", #""yes""#), ("off", #""off""#), ("tRUE", #""tRUE""#),
            ("nULL", #""nULL""#), ("10", "10"), ("-0.50", "-0.50"), ("1e400", "1e400"),
            ("12345678901234567890.10", "12345678901234567890.10"), ("2026-01-18", #""2026-01-18""#),
            ("1_000", #""1_000""#), ("0b11", #""0b11""#), ("1:30", #""1:30""#), (".", #"".""#),
            ("-", #""-""#),
            ("e5", #""e5""#), ("0xg", #""0xg""#), (#""~""#, #""~""#), ("'True'", #""True""#),
            (#""010""#, #""010""#), ("''", #""""#), ("!!str 5", #""5""#), ("!!str ~", #""~""#),
        ]
    )
    func reads(yaml: String, json: String) throws { #expect(try added(yaml) == json) }

    @Test(
        "a number that JSON writes differently is refused, with its line",
        arguments: ["010", "0x10", "0o17", "+5", ".5", "5.", "-.5e3", "00", ".inf", "-.INF", ".NaN", "1.e5"]
    )
    func refuses(number: String) {
        #expect {
            try added(number)
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            return error.line == 9 && error.reason == .number(number)
        }
    }

    @Test("an empty value is not text", arguments: ["", " ~", " # nothing"])
    func noText(value: String) throws {
        #expect {
            try Profile(yaml: "profile:\(value)\ndocuments: {d.json: {}}\n", file: "p")
        } throws: {
            guard case .blank = ($0 as? ProfileError)?.reason else { return false }
            return true
        }
        #expect(
            try Profile(yaml: "profile: p\nabout: ''\ndocuments: {d.json: {}}\n", file: "p").about.isEmpty
        )
    }

    @Test("an unsupported tag is refused")
    func tags() {
        #expect { try added("!!int 5") } throws: {
            ($0 as? ProfileError)?.reason == .unsupportedTag("tag:yaml.org,2002:int")
        }
    }
}
