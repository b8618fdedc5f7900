import Testing

@testable import Commands

@Suite struct NegativeValueTests {
    @Test(arguments: [
        (["status", "--limit"], "-1", "a whole number from 1"),
        (["history", "--limit"], "-1", "a whole number from 1"),
        (["history", "--since"], "-1d", "a time such as"),
        (["subscribe", "--count"], "-3", "a whole number"),
        (["wait", "--timeout"], "-5s", "a time such as"), (["agent", "--max-trash"], "-1MiB", "a size"),
        (["agent", "--halt-threshold"], "-5%", "a percentage"),
        (["json", "check", "--max-depth"], "-1", "a whole"),
        (["race", "explore", "a", "--bound"], "-1", "a whole number from 0"),
        (["race", "run", "a", "--seed"], "-1", "a whole number from 0"),
        (["race", "explore", "a", "--jobs"], "-2", "a whole number from 1"),
        (["race", "run", "--app", "true", "--limit"], "-1s", "a time such as"),
        (["race", "observe", "--app", "a", "--group", "b", "--seconds"], "-1", "a whole number from 1"),
    ])
    func `A negative value is refused with what is allowed`(words: [String], value: String, allowed: String)
        async
    {
        for arguments in [words + [value], words.dropLast() + ["\(words.last ?? "")=\(value)"]] {
            let ran = await run(Array(arguments))
            #expect(ran.status == .usage && ran.output.isEmpty, "\(ran)")
            #expect(
                ran.errors.contains("the value '\(value)' is invalid for '\(words.last ?? "") <"),
                "\(ran)"
            )
            #expect(ran.errors.contains("expected \(allowed)"), "\(ran)")
        }
    }

    @Test(arguments: [
        ["migrate", "plan", "--to"], ["migrate", "apply", "--to"], ["sync", "--app-version"],
        ["sync", "--group-version"],
    ])
    func `A version may be 0 or -1`(words: [String]) async {
        for value in ["-2", "1.5", "01"] {
            let refused = await run(words + [value])
            #expect(
                refused.status == .usage && refused.errors.contains("a whole number from -1"),
                "\(refused)"
            )
        }
        for arguments in [["0"], ["-1"]].map({ words + $0 }) + [words.dropLast() + ["\(words.last ?? "")=-1"]]
        {
            let ran = await run(Array(arguments) + ["--profile", "none"])
            #expect(!ran.errors.contains("is invalid for"), "\(ran)")
        }
    }

    @Test func `Only a value of an option is joined with it`() {
        func joined(_ line: String) -> String {
            NegativeValues.joined(line.split(separator: " ").map(String.init)).joined(separator: " ")
        }
        #expect(joined("a --b -1 --c -2s x") == "a --b=-1 --c=-2s x")
        for line in ["a -1", "a --b=1 -1", "a --b -x", "a --b -", "a --b 1 -1", "a -- --b -1", "a --b -"] {
            #expect(joined(line) == line)
        }
    }
}
