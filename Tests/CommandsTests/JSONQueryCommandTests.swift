import Testing

@testable import Commands

@Suite struct JSONQueryCommandTests {
    private func query(
        _ expression: String,
        of text: String = #"{"limit":400,"rows":[{"n":"a","x":1.50},{"n":"b","x":2}]}"#,
        _ flags: String...
    ) async throws -> Ran {
        try await withDirectory { directory in
            try write(text, to: "\(directory)/a.json")
            let ran = await run(["json", "query", expression, "\(directory)/a.json"] + flags)
            return Ran(
                status: ran.status,
                output: ran.output.replacing(directory, with: "D"),
                errors: ran.errors.replacing(directory, with: "D")
            )
        }
    }

    @Test func `The value is printed on a line`() async throws {
        #expect(try await query("rows[*].x") == Ran(status: .done, output: "[1.50,2]\n"))
        #expect(try await query("sum(rows[*].x)") == Ran(status: .done, output: "3.5\n"))
        #expect(try await query("missing") == Ran(status: .done, output: "null\n"))
    }

    @Test func `Variables, the time and the zone can be given`() async throws {
        let bound = try await query(
            "[$least, $config.a]",
            of: "{}",
            "--let",
            "least=1.0",
            "--let",
            #"config={"a":"b"}"#
        )
        #expect(bound == Ran(status: .done, output: "[1.0,\"b\"]\n"))
        let zone = "Europe/Berlin=CET-1CEST,M3.5.0,M10.5.0/3"
        let day = try await query(
            "[$today, $zone, $locale]",
            of: "{}",
            "--at",
            "2026-01-18T23:30:00Z",
            "--zone",
            zone,
            "--locale",
            "de-DE"
        )
        #expect(day == Ran(status: .done, output: "[\"2026-01-19\",\"Europe/Berlin\",\"de-DE\"]\n"))
    }

    @Test func `With --json comes when the value may change`() async throws {
        let fixed = try await query("limit", of: #"{"limit":1}"#, "--json")
        #expect(fixed == Ran(status: .done, output: #"{"value":1,"changesAt":null}"# + "\n"))
        let day = try await query("$today", of: "{}", "--at", "2026-01-18T14:30:00Z", "--json")
        let expected = #"{"value":"2026-01-18","changesAt":"2026-01-19T00:00:00.000Z"}"#
        #expect(day == Ran(status: .done, output: expected + "\n"))
    }

    @Test(
        arguments: [
            ("rows[", "expected a number, `:` or `*`, found the end, column 6 of the expression"),
            ("limit + title", "an operand of `+` must be a number, found null, column 7 of the expression"),
            ("$nobody", "`$nobody` is not defined here, column 1 of the expression"),
        ]
    )
    func `An error names its column`(expression: String, words: String) async throws {
        let errors = "widgetbridge: \(words); correct it there\n"
        #expect(try await query(expression) == Ran(status: .failed, errors: errors))
    }

    @Test func `An unknown function has the nearest known one`() async throws {
        let ran = try await query("lenght(rows)")
        #expect(ran.status == .failed && ran.errors.contains("Did you mean `length`?"))
    }

    @Test func `A file that is not JSON is an error`() async throws {
        let ran = try await query("a", of: "{")
        #expect(ran.status == .failed && ran.errors.hasPrefix("widgetbridge: not JSON, D/a.json:1:2"))
    }

    @Test(
        arguments: [
            ["--let", "x"], ["--let", "x=y"], ["--let", "1x=1"], ["--let", "x =1"], ["--let", "=1"],
            ["--let", "now=1"],
            ["--let", "zone=\"UTC\""],
            ["--at", "today"], ["--zone", "CET-1"], ["--zone", "Berlin=nonsense"],
        ]
    )
    func `A value of an option that cannot be read is wrong usage`(flags: [String]) async throws {
        let ran = await run(["json", "query", "a", "-"] + flags)
        #expect(ran.status == .usage && ran.output.isEmpty)
    }
}
