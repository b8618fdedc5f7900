import Testing

@testable import Commands

@Suite struct JSONCommandTests {
    private func check(_ text: String, _ flags: String...) async throws -> Ran {
        try await withDirectory { directory in
            try write(text, to: "\(directory)/a.json")
            let ran = await run(["json", "check", "\(directory)/a.json"] + flags)
            return Ran(
                status: ran.status,
                output: ran.output.replacing(directory, with: "D"),
                errors: ran.errors.replacing(directory, with: "D")
            )
        }
    }

    @Test func `Valid JSON prints nothing`() async throws {
        #expect(try await check(#"{"a":[1,2.50]}"#) == Ran(status: .done))
    }

    @Test func `Ambiguous JSON is a warning`() async throws {
        let ran = try await check(#"{"a":1,"a":2}"#)
        #expect(ran.status == .done && ran.output.isEmpty)
        #expect(ran.errors == "widgetbridge: warning: D/a.json:1:8: duplicate key `a`\n")
        let mark = try await check("\u{FEFF}{}")
        #expect(mark.errors == "widgetbridge: warning: D/a.json:1:1: begins with a byte order mark\n")
        let json = try await check(#"{"a":1,"a":2}"#, "--json")
        #expect(
            json
                == Ran(
                    status: .done,
                    output: #"{"file":"D/a.json","valid":true,"error":null,"#
                        + #""warnings":["1:8: duplicate key `a`"]}"# + "\n"
                )
        )
    }

    @Test(arguments: ["[1,]", "", "{\"a\":}", "nul", "[\"\\ud800\"", "{} {}"])
    func `Invalid JSON is reported with its position`(_ text: String) async throws {
        let ran = try await check(text)
        #expect(ran.status == .failed && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: not JSON, D/a.json:1:"))
        #expect(ran.errors.hasSuffix("; correct it there\n"))
    }

    @Test(
        arguments: [
            ("12345678901234567890", "1.2345678901234567e+19"), ("9007199254740993", "9007199254740992.0"),
            ("0.1000000000000000055511151231257827", "0.1"), ("1e400", "inf"), ("-1e400", "-inf"),
            ("1e-400", "0.0"), ("1e99999999999999999999", "inf"),
        ]
    )
    func `A number that a double cannot hold is valid, with a warning`(number: String, double: String)
        async throws
    {
        let ran = try await check("[1,\n \(number)]")
        let words = "2:2: `\(number)` becomes \(double) in programs that read numbers as doubles"
        #expect(ran == Ran(status: .done, errors: "widgetbridge: warning: D/a.json:\(words)\n"))
        let json = try await check("[\(number)]", "--json")
        #expect(json.status == .done && json.output.contains("becomes \(double) in"))
    }

    @Test(
        arguments: [
            "0", "-0", "0.0", "-0e9", "1.50", "150e-2", "0.1", "1E+2", "9007199254740992", "450.50", "1e22",
            "100000000000000000000", "2.2250738585072014e-308", "1.7976931348623157e308",
            "0e99999999999999999999",
        ]
    )
    func `A number that a double gives back is no warning`(number: String) async throws {
        #expect(try await check("[\(number)]") == Ran(status: .done))
    }

    @Test func `The limits can be set`() async throws {
        #expect(try await check("[[[]]]", "--max-depth", "2").status == .failed)
        #expect(try await check("[[[]]]", "--max-depth", "3").status == .done)
        #expect(try await check("[1234]", "--max-document", "5").status == .failed)
        #expect(try await check("[1234]", "--max-document", "1KiB").status == .done)
    }

    @Test func `The hash is that of the bytes`() async throws {
        try await withDirectory { directory in
            try write("{}", to: "\(directory)/a.json")
            try write("{ }", to: "\(directory)/b.json")
            let hash = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
            let one = await run(["json", "hash", "\(directory)/a.json"])
            #expect(one == Ran(status: .done, output: "\(hash)\n"))
            let two = await run([
                "json", "hash", "\(directory)/a.json", "\(directory)/b.json", "\(directory)/c.json",
            ])
            #expect(two.status == .failed)
            #expect(two.output.hasPrefix("\(hash)  \(directory)/a.json\nsha256:"))
            let line =
                "cannot read the file: No such file or directory, \(directory)/c.json; name one "
                + "that can be read"
            #expect(two.errors == "widgetbridge: \(line)\n")
        }
    }
}
