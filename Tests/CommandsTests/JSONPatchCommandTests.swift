import TestWorld
import Testing

@testable import Commands

/// Runs a command on files with these texts, named `a`, `b` and `c`; their directory is shown as D.
private func runOnFiles(_ command: [String], _ texts: String..., flags: [String] = []) async throws -> Ran {
    try await withDirectory { directory in
        var paths: [String] = []
        for (name, text) in zip(["a", "b", "c"], texts) {
            paths.append("\(directory)/\(name).json")
            try write(text, to: "\(directory)/\(name).json")
        }
        let ran = await run(command + paths + flags)
        return Ran(
            status: ran.status,
            output: ran.output.replacing(directory, with: "D"),
            errors: ran.errors.replacing(directory, with: "D")
        )
    }
}

@Suite struct JSONPatchCommandTests {
    @Test func `A diff is a patch, and empty for equal values`() async throws {
        let diff = try await runOnFiles(["json", "diff"], #"{"a":1,"b":[1,2]}"#, #"{"b":[1,2,3],"a":2}"#)
        let patch = """
            [
              {"op":"replace","path":"/a","value":2},
              {"op":"add","path":"/b/2","value":3}
            ]

            """
        #expect(diff == Ran(status: .done, output: patch))
        let same = try await runOnFiles(["json", "diff"], #"{"a":1,"b":450.5}"#, #"{"b":450.50,"a":1}"#)
        #expect(same == Ran(status: .done, output: "[]\n"))
    }

    @Test func `A diff can be lines for people`() async throws {
        let text = try await runOnFiles(
            ["json", "diff"],
            #"{"a":[1],"b":2,"c":3,"d":4,"e":5}"#,
            #"{"a":[1],"b":2,"c":3,"d":4,"e":6}"#,
            flags: ["--format", "text"]
        )
        let lines = "    \"b\": 2,\n    \"c\": 3,\n    \"d\": 4,\n-   \"e\": 5\n+   \"e\": 6\n  }\n"
        #expect(text == Ran(status: .done, output: lines))
    }

    @Test func `A diff can be a merge patch, if one can represent it`() async throws {
        let merge = ["--format", "merge"]
        let old = #"{"a":1,"b":{"c":2,"d":3}}"#
        let diff = try await runOnFiles(["json", "diff"], old, #"{"b":{"c":4,"d":3}}"#, flags: merge)
        #expect(diff == Ran(status: .done, output: #"{"a":null,"b":{"c":4}}"# + "\n"))
        let null = try await runOnFiles(["json", "diff"], old, #"{"a":null}"#, flags: merge)
        #expect(null.status == .failed && null.output.isEmpty)
        #expect(null.errors.hasPrefix("widgetbridge: no merge patch can represent this: "))
        #expect(null.errors.hasSuffix(", D/b.json; use --format patch\n"))
    }

    @Test(arguments: [
        (#"{"a~/b":1}"#, #"{"a~/b":{"":[null]}}"#), ("[1,2,3]", "[3,1]"), ("1", "[]"), ("{}", #"{"x":{}}"#),
        (#"[{"id":1},{"id":2}]"#, #"[{"id":2,"n":9007199254740993.10}]"#),
    ])
    func `A document patched with its diff equals the other one`(_ old: String, _ new: String) async throws {
        let diff = try await runOnFiles(["json", "diff"], old, new)
        let patched = try await runOnFiles(["json", "patch"], old, diff.output)
        #expect(patched.status == .done && patched.errors.isEmpty)
        #expect(try await runOnFiles(["json", "diff"], patched.output, new).output == "[]\n")
    }

    @Test func `Bytes that a patch does not change stay`() async throws {
        let patch = #"[{"op":"replace","path":"/b","value":false}]"#
        let ran = try await runOnFiles(["json", "patch"], "{ \"a\" : 1.50,\n  \"b\":true }\n", patch)
        #expect(ran == Ran(status: .done, output: "{ \"a\" : 1.50,\n  \"b\":false }\n"))
    }

    @Test func `A patch whose last operation fails prints nothing, and reports its position`() async throws {
        let patch = #"[{"op":"add","path":"/x","value":1},{"op":"remove","path":"/a/b"}]"#
        let ran = try await runOnFiles(["json", "patch"], #"{"a":{}}"#, patch)
        let line =
            "the patch does not fit, operation 1: there is no value at `/a/b`, D/b.json; "
            + "nothing was applied"
        #expect(ran == Ran(status: .failed, errors: "widgetbridge: \(line)\n"))
        let test = try await runOnFiles(
            ["json", "patch"],
            #"{"a":1}"#,
            #"[{"op":"test","path":"/a","value":"1"}]"#
        )
        #expect(test.status == .failed && test.output.isEmpty)
        #expect(test.errors.contains("operation 0: expected `\"1\"` at `/a`, found `1`, D/b.json"))
    }

    @Test func `An invalid patch is reported with line and column`() async throws {
        let ran = try await runOnFiles(["json", "patch"], "{}", "[\n  {\"op\":\"put\",\"path\":\"\"}]")
        #expect(ran.status == .failed && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: not a patch: expected one of `add`, "))
        #expect(ran.errors.hasSuffix(", D/b.json:2:9; correct it there\n"))
        let object = try await runOnFiles(["json", "patch"], "{}", "{}")
        #expect(object.errors.contains("expected an array of operations, D/b.json:1:1;"))
    }

    @Test(arguments: ["diff", "patch"])
    func `An invalid file is reported with its position`(_ command: String) async throws {
        let ran = try await runOnFiles(["json", command], "{}", "[1,]")
        #expect(ran.status == .failed && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: not JSON, D/b.json:1:4: expected "))
        let deep = try await runOnFiles(["json", command], "[]", "[[]]", flags: ["--max-depth", "1"])
        #expect(deep.status == .failed && deep.errors.contains("D/b.json:1:2"))
    }

    @Test(arguments: [["diff", "-", "-"], ["patch", "-", "-"], ["merge", "-", "-", "-"]])
    func `Standard input can be only one file`(_ arguments: [String]) async {
        let ran = await run(["json"] + arguments)
        let advice = "see `widgetbridge json \(arguments[0]) --help`"
        #expect(
            ran
                == Ran(
                    status: .usage,
                    errors: "widgetbridge: only one file can be standard input; \(advice)\n"
                )
        )
    }

    @Test func `Standard input can be any of the files`() async throws {
        try await withDirectory { directory in
            try write(#"{"a":1}"#, to: "\(directory)/a.json")
            let patch = #"[{"op":"remove","path":"/a"}]"#
            let ran = try await Binary.run(["json", "patch", "\(directory)/a.json", "-"], input: patch)
            #expect(ran == Binary.Ended(status: 0, output: "{}"))
            let same = #"{"a":1.0}"#
            let diff = try await Binary.run(["json", "diff", "-", "\(directory)/a.json"], input: same)
            #expect(diff == Binary.Ended(status: 0, output: "[]\n"))
        }
    }
}

@Suite struct JSONMergeCommandTests {
    private static let base = #"{"limit":800,"spent":1,"items":[{"id":1,"n":1},{"id":2,"n":2}]}"#

    @Test func `Changes of both sides are merged`() async throws {
        let ran = try await runOnFiles(
            ["json", "merge"],
            Self.base,
            #"{"limit":900,"spent":1,"items":[{"id":1,"n":5},{"id":2,"n":2}]}"#,
            #"{"limit":800,"spent":2,"items":[{"id":2,"n":2},{"id":1,"n":1},{"id":3}]}"#
        )
        #expect(ran.status == .done && ran.errors.isEmpty)
        #expect(ran.output.hasPrefix(#"{"limit":900,"spent":2,"#) && ran.output.contains(#"{"id":1,"n":5}"#))
        #expect(ran.output.contains(#"{"id":3}"#))
    }

    @Test func `The same change on both sides is no conflict`() async throws {
        let ran = try await runOnFiles(["json", "merge"], #"{"a":1}"#, #"{"a":450.5}"#, #"{"a":450.50}"#)
        #expect(ran == Ran(status: .done, output: #"{"a":450.5}"#))
    }

    @Test func `With a conflict it prints the merge and the pointers, and has status 7`() async throws {
        let ran = try await runOnFiles(
            ["json", "merge"],
            #"{"a/b":1,"c":"x","d":0}"#,
            #"{"a/b":2,"c":[2],"d":0}"#,
            #"{"a/b":3,"c":null,"d":9}"#
        )
        #expect(ran.status == .needsDecision)
        #expect(ran.output == #"{"a/b":2,"c":[2],"d":9}"#)
        let lines = [
            "1 became 2 in D/b.json, 3 in D/c.json, /a~1b;",
            #""x" became [2] in D/b.json, null in D/c.json, /c;"#,
        ]
        let errors = lines.map { "widgetbridge: conflict: \($0) the merge has that of D/b.json\n" }
        #expect(ran.errors == errors.joined())
    }

    @Test(arguments: [[#"{"a":2}"#, "{}"], ["{}", #"{"a":2}"#]])
    func `A change wins over a deletion, and is no conflict`(_ sides: [String]) async throws {
        let ran = try await runOnFiles(["json", "merge"], #"{"a":1}"#, sides[0], sides[1])
        #expect(ran == Ran(status: .done, output: #"{"a":2}"#))
    }
}
