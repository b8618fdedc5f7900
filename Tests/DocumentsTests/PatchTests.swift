import Documents
import Testing

@Suite("JSON Patch")
struct PatchTests {
    private func patched(_ document: String, _ patch: String) throws -> String {
        try JSONPatch(JSON(patch)).apply(to: JSON(document)).string
    }

    /// The examples of RFC 6902, appendix A, and corner cases of its text.
    @Test(
        "every operation has the result of the RFC",
        arguments: [
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
                #"{"foo":"bar","baz":"qux"}"#
            ),
            (#"{"a":["b"]}"#, #"[{"op":"add","path":"/a/1","value":"q"}]"#, #"{"a":["b","q"]}"#),
            (#"{"a":["b"]}"#, #"[{"op":"add","path":"/a/0","value":"q"}]"#, #"{"a":["q","b"]}"#),
            (#"{"a":["b"]}"#, #"[{"op":"add","path":"/a/-","value":["q"]}]"#, #"{"a":["b",["q"]]}"#),
            (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
            (#"{"a":1}"#, #"[{"op":"add","path":"","value":[2]}]"#, "[2]"),
            (#"{"a":1}"#, #"[{"op":"replace","path":"","value":2}]"#, "2"),
            (#"{"a":1}"#, #"[{"op":"add","path":"/","value":2}]"#, #"{"a":1,"":2}"#),
            (#"{"baz":1,"foo":2}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":2}"#),
            (#"{"a":[1,2,3]}"#, #"[{"op":"remove","path":"/a/1"}]"#, #"{"a":[1,3]}"#),
            (#"{"a":1,"b":2}"#, #"[{"op":"replace","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (#"{"a":[1,2,3,4]}"#, #"[{"op":"move","from":"/a/1","path":"/a/3"}]"#, #"{"a":[1,3,4,2]}"#),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
            (#"[{"x":1}]"#, #"[{"op":"move","from":"/0/x","path":"/0"}]"#, "[1,{}]"),
            (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
            (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/c"}]"#, #"{"a":{"b":1},"c":{"b":1}}"#),
            (
                #"{"a":{"b":1}}"#,
                #"[{"op":"add","path":"/a/x","value":0},{"op":"copy","from":"/a","path":"/c"},"#
                    + #"{"op":"replace","path":"/c/b","value":2},{"op":"remove","path":"/a/x"}]"#,
                #"{"a":{"b":1},"c":{"b":2,"x":0}}"#
            ),
            (
                #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"","path":"/a/c"}]"#,
                #"{"a":{"b":1,"c":{"a":{"b":1}}}}"#
            ),
            (#"{"b":["a",2,"c"]}"#, #"[{"op":"test","path":"/b/0","value":"a"}]"#, #"{"b":["a",2,"c"]}"#),
            (#"{"n":1.0}"#, #"[{"op":"test","path":"/n","value":10e-1}]"#, #"{"n":1.0}"#),
            (
                #"{"n":{"a":1,"b":2}}"#, #"[{"op":"test","path":"/n","value":{"b":2,"a":1}}]"#,
                #"{"n":{"a":1,"b":2}}"#
            ),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
            (#"{"/":9,"~1":10}"#, #"[{"op":"replace","path":"/~1","value":1}]"#, #"{"/":1,"~1":10}"#),
            (#"{"é":1}"#, #"[{"op":"replace","path":"/\u00e9","value":2}]"#, #"{"é":2}"#),
            (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":2,"xyz":[1]}]"#, #"{"a":1,"b":2}"#),
            (#"{"a":1}"#, "[]", #"{"a":1}"#), ("1", #"[{"op":"test","path":"","value":1}]"#, "1"),
        ]
    )
    func applies(document: String, patch: String, result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test(
        "an impossible operation is an error with its number",
        arguments: [
            (
                #"{"a":1}"#, #"[{"op":"add","path":"/x/y","value":1}]"#,
                "operation 0: there is no value at `/x`"
            ),
            (
                #"{"a":1}"#, #"[{"op":"add","path":"/a/y","value":1}]"#,
                "operation 0: there is no value at `/a`"
            ),
            (#"{"a":1}"#, #"[{"op":"remove","path":"/b"}]"#, "operation 0: there is no value at `/b`"),
            (
                #"{"a":1}"#, #"[{"op":"replace","path":"/b","value":1}]"#,
                "operation 0: there is no value at `/b`"
            ),
            (
                "[1]", #"[{"op":"add","path":"/2","value":1}]"#,
                "operation 0: `/2` is not an index in an array of 1 elements"
            ),
            (
                "[1]", #"[{"op":"add","path":"/01","value":1}]"#,
                "operation 0: `/01` is not an index in an array of 1 elements"
            ),
            (
                "[1]", #"[{"op":"add","path":"/x","value":1}]"#,
                "operation 0: `/x` is not an index in an array of 1 elements"
            ),
            ("[1]", #"[{"op":"remove","path":"/-"}]"#, "operation 0: there is no value at `/-`"),
            ("[1]", #"[{"op":"replace","path":"/1","value":0}]"#, "operation 0: there is no value at `/1`"),
            ("[1]", #"[{"op":"remove","path":""}]"#, "operation 0: the whole document cannot be removed"),
            (
                #"{"a":"x"}"#, #"[{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":"y"}]"#,
                #"operation 1: expected `"y"` at `/a`, found `"x"`"#
            ),
            (
                #"{"a":"1"}"#, #"[{"op":"test","path":"/a","value":1}]"#,
                #"operation 0: expected `1` at `/a`, found `"1"`"#
            ),
            (
                #"{"a":1}"#, #"[{"op":"test","path":"/b","value":null}]"#,
                "operation 0: there is no value at `/b`"
            ),
            (
                #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
                "operation 0: `/a` cannot be moved into itself, to `/a/b`"
            ),
            ("{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, "operation 0: there is no value at `/a`"),
            ("{}", #"{"op":"add"}"#, "1:1: expected an array of operations"),
            ("{}", "[1]", "1:2: expected an operation, which is an object"),
            ("{}", #"[{"op":"add","path":"/a"}]"#, "1:2: expected `value` in the operation"),
            ("{}", #"[{"op":"add","value":1}]"#, "1:2: expected `path` in the operation"),
            ("{}", #"[{"op":"move","path":"/a"}]"#, "1:2: expected `from` in the operation"),
            (
                "{}", #"[{"op":"spam","path":"/a"}]"#,
                "1:8: expected one of `add`, `remove`, `replace`, `move`, `copy`, `test`"
            ),
            ("{}", #"[{"op":"add","path":"a","value":1}]"#, "1:21: expected a JSON Pointer as `path`"),
            ("{}", #"[{"op":"add","path":"/~2","value":1}]"#, "1:21: expected a JSON Pointer as `path`"),
            ("{}", #"[{"op":"add","path":"/a","path":"/b","value":1}]"#, "1:26: expected every key once"),
            (
                #"{"a":1,"a":2}"#, #"[{"op":"add","path":"/b","value":1}]"#,
                "operation 0: 1:8: duplicate key `a`; this object can be copied but not edited"
            ),
            (
                #"{"o":{"a":1,"a":2}}"#, #"[{"op":"test","path":"/o/a","value":1}]"#,
                "operation 0: 1:13: duplicate key `a`; this object can be copied but not edited"
            ),
        ]
    )
    func fails(document: String, patch: String, reason: String) {
        #expect {
            try patched(document, patch)
        } throws: {
            let text = ($0 as? PatchError)?.reason
            if text != reason { Issue.record("\(text ?? "")") }
            return text == reason
        }
    }

    @Test("repeated copies stop at the size limit")
    func bounds() throws {
        let copies = (0..<60).map { #"{"op":"copy","from":"","path":"/k\#($0)"}"# }.joined(separator: ",")
        let document = try JSON(#"{"a":{"b":1}}"#, limits: JSONLimits(maxBytes: 50_000))
        let patch = try JSONPatch(JSON("[\(copies)]"))
        #expect(throws: PatchError.self) { try patch.apply(to: document) }
    }

    @Test("a patch keeps the formatting of what it does not change")
    func keepsFormatting() throws {
        #expect(
            try patched(
                "{\n  \"a\" : 1e2,\n  \"l\": [\n    1,\n    2\n  ]\n}\n",
                #"[{"op":"add","path":"/l/1","value":{"x":[1]}},{"op":"add","path":"/b","value":0}]"#
            ) == "{\n  \"a\" : 1e2,\n  \"l\": [\n    1,\n    {\"x\":[1]},\n    2\n  ],\n  \"b\" : 0\n}\n"
        )
    }
}

@Suite("Diff")
struct DiffTests {
    private func diff(_ old: String, _ new: String, isTested: Bool = false) throws -> String {
        try JSONPatch.diff(from: JSON(old), to: JSON(new), isTested: isTested).json.string
            .replacing("\n", with: "").replacing("  {", with: "{")
    }

    @Test(
        "a diff contains the changes and nothing else",
        arguments: [
            (#"{"a":1}"#, #"{ "a":1.0 }"#, "[]"),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":3}"#, #"[{"op":"replace","path":"/a","value":3}]"#),
            (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"[{"op":"remove","path":"/a"}]"#),
            (#"{"b":2}"#, #"{"b":2,"a/b~":[1 ]}"#, #"[{"op":"add","path":"/a~1b~0","value":[1 ]}]"#),
            ("[1,2,3,4,5]", "[1,3,4,5]", #"[{"op":"remove","path":"/1"}]"#),
            (
                "[1,3,4,5]", "[1,2,3,4,5,6]",
                #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/5","value":6}]"#
            ),
            ("[1,2,3]", "[1,9,3]", #"[{"op":"replace","path":"/1","value":9}]"#),
            ("[1]", "{}", #"[{"op":"replace","path":"","value":{}}]"#), ("[]", "[]", "[]"),
            (
                #"[{"id":1,"n":1},{"id":2,"n":1}]"#, #"[{"id":0},{"id":1,"n":1},{"id":2,"n":5}]"#,
                #"[{"op":"add","path":"/0","value":{"id":0}},{"op":"replace","path":"/2/n","value":5}]"#
            ),
            (
                #"[{"id":1,"n":1},{"id":2,"n":1}]"#, #"[{"id":2,"n":7}]"#,
                #"[{"op":"remove","path":"/0"},{"op":"replace","path":"/0/n","value":7}]"#
            ),
            (#"{"a":1}"#, #"{"b":1}"#, #"[{"op":"replace","path":"","value":{"b":1}}]"#),
        ]
    )
    func isSmall(old: String, new: String, patch: String) throws {
        #expect(try diff(old, new) == patch)
    }

    @Test("a tested diff applies to no other document")
    func isTested() throws {
        #expect(
            try diff(#"{"a":1,"b":2,"c":0}"#, #"{"a":3,"c":0}"#, isTested: true)
                == #"[{"op":"test","path":"/b","value":2},{"op":"remove","path":"/b"},"#
                + #"{"op":"test","path":"/a","value":1},{"op":"replace","path":"/a","value":3}]"#
        )
    }

    @Test("patching A with diff(A, B) gives B by value, for every A and B")
    func law() throws {
        for seed in 0..<1500 as Range<UInt64> {
            var generator = TextGenerator(seed: seed, isTame: seed % 3 != 0)
            let old = try JSON(generator.document())
            // Half of the pairs are related: one is an edit of the other.
            var edited = old.string
            for _ in 0..<generator.random.below(4) {
                edited = edited.replacing(
                    generator.random.pick(["1", "42", "true", "[", "\"a\"", "0"]),
                    with: generator.random.pick(["[1,{}],1", "1", "7,[", "[2,", "\"zz\"", "{\"id\":1},1"]),
                    maxReplacements: 1 + generator.random.below(3)
                )
            }
            let new = try (try? JSON(edited)) ?? JSON(generator.document())
            for isTested in [false, true] {
                let patch = JSONPatch.diff(from: old, to: new, isTested: isTested)
                #expect(try patch.apply(to: old).isEqual(to: new), "\(old.string) → \(new.string)")
            }
            #expect(JSONPatch.diff(from: new, to: new).isEmpty)
        }
    }

    @Test("arrays of any two lists of letters are compared correctly")
    func lists() throws {
        for seed in 0..<1000 as Range<UInt64> {
            var random = Seeded(seed)
            func list(_ count: Int, _ letters: Int) -> String {
                "[" + (0..<count).map { _ in "\(random.below(letters))" }.joined(separator: ",") + "]"
            }
            let letters = 2 + random.below(8)
            let count = random.below(40)
            let old = try JSON(list(count, letters))
            let new = try JSON(list(random.below(40), letters))
            let patch = JSONPatch.diff(from: old, to: new)
            #expect(try patch.apply(to: old).isEqual(to: new), "\(old.string) → \(new.string)")
        }
    }

    @Test("long lists with many changes are compared correctly in bounded time")
    func longLists() throws {
        var random = Seeded(7)
        let values = (0..<6000).map { _ in random.below(100_000) }
        var edited = values
        for _ in 0..<2000 {
            switch random.below(3) {
            case 0: edited.remove(at: random.below(edited.count))
            case 1: edited.insert(random.below(100_000), at: random.below(edited.count))
            default: edited[random.below(edited.count)] = -1
            }
        }
        func text(_ list: [Int]) -> String { "[" + list.map(String.init).joined(separator: ",") + "]" }
        let old = try JSON(text(values))
        let new = try JSON(text(edited))
        let patch = JSONPatch.diff(from: old, to: new)
        #expect(patch.count < 3000)
        #expect(try patch.apply(to: old).isEqual(to: new))
    }
}
