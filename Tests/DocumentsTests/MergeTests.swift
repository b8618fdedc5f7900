import Documents
import Testing

@Suite("Three-way merge")
struct MergeTests {
    private func merged(_ base: String?, _ app: String, _ group: String) throws -> Merge {
        let rule = DocumentRule.plain(path: "x.json")
        return try rule.merge(base: base.map { try JSON($0) }, app: JSON(app), group: JSON(group))
    }

    /// Base, app, group, result; without a conflict.
    @Test(
        "changes of different values are combined",
        arguments: [
            // Different keys, on different levels.
            (#"{"a":1,"b":2}"#, #"{"a":9,"b":2}"#, #"{"a":1,"b":8}"#, #"{"a":9,"b":8}"#),
            (
                #"{"o":{"a":1,"b":2}}"#, #"{"o":{"a":9,"b":2}}"#, #"{"o":{"a":1,"b":8}}"#,
                #"{"o":{"a":9,"b":8}}"#
            ),
            // Additions, each after the key that it followed.
            (
                #"{"a":1,"z":2}"#, #"{"a":1,"x":0,"z":2}"#, #"{"a":1,"y":3,"z":2}"#,
                #"{"a":1,"y":3,"x":0,"z":2}"#
            ),
            (#"{"a":1}"#, #"{"a":1}"#, #"{"n":0,"a":1}"#, #"{"n":0,"a":1}"#),
            (#"{}"#, #"{ }"#, #"{"a":[1, 2]}"#, #"{"a":[1, 2]}"#),
            // Deletions.
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":2,"c":3}"#, #"{"b":2}"#, #"{"b":2,"c":3}"#),
            (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"a":5,"b":2}"#, #"{"a":5}"#),
            (#"{"a":1,"b":2}"#, #"{}"#, #"{}"#, #"{}"#),
            // An edit wins over a deletion.
            (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"a":1,"b":3}"#, #"{"a":1,"b":3}"#),
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"a":1}"#, #"{"a":1,"b":3}"#),
            // The same on both sides, by value.
            (#"{"a":1}"#, #"{"a":450.5}"#, #"{"a":450.50}"#, #"{"a":450.5}"#),
            (
                #"{"a":[1]}"#, #"{"a":[1,{"x":1,"y":2}]}"#, #"{"a":[1,{"y":2,"x":1}]}"#,
                #"{"a":[1,{"x":1,"y":2}]}"#
            ),
            // Arrays without identity are one value.
            (#"{"a":[1,2],"b":0}"#, #"{"a":[1,2],"b":1}"#, #"{"a":[2],"b":0}"#, #"{"a":[2],"b":1}"#),
            // The root need not be an object.
            ("1", "1", "2", "2"), ("[1]", "[ 1 ]", "[2]", "[2]"), ("{}", "{}", "[]", "[]"),
        ]
    )
    func putsTogether(base: String, app: String, group: String, result: String) throws {
        let merge = try merged(base, app, group)
        #expect(merge.result.string == result)
        #expect(merge.conflicts.isEmpty)
    }

    @Test(
        "elements with an identity are merged individually",
        arguments: [
            // Edits of different elements, and of different members of one.
            (
                #"[{"id":1,"n":0},{"id":2,"n":0}]"#, #"[{"id":1,"n":5},{"id":2,"n":0}]"#,
                #"[{"id":1,"n":0,"m":1},{"id":2,"n":7}]"#, #"[{"id":1,"n":5,"m":1},{"id":2,"n":7}]"#
            ),
            // Additions and deletions.
            (
                #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":9},{"id":2}]"#,
                #"[{"id":9},{"id":2},{"id":3}]"#
            ),
            // An edit wins over a deletion.
            (
                #"[{"id":1},{"id":2}]"#, #"[{"id":1}]"#, #"[{"id":1},{"id":2,"n":1}]"#,
                #"[{"id":1},{"id":2,"n":1}]"#
            ),
            // The side that moved elements determines the order.
            (
                #"[{"id":"a"},{"id":"b"},{"id":"c"}]"#,
                #"[{"id":"a"},{"id":"b","n":1},{"id":"x"},{"id":"c"}]"#,
                #"[{"id":"c"},{"id":"b"},{"id":"a"}]"#,
                #"[{"id":"c"},{"id":"b","n":1},{"id":"x"},{"id":"a"}]"#
            ),
            (
                #"[{"id":"a"},{"id":"b"}]"#, #"[{"id":"b"},{"id":"a"}]"#, #"[{"id":"a"},{"id":"b","n":1}]"#,
                #"[{"id":"b","n":1},{"id":"a"}]"#
            ),
            // 1 and 1.0 are the same identity.
            (
                #"[{"id":1,"n":0}]"#, #"[{"id":1,"n":0,"a":1}]"#, #"[{"id":1.0,"n":2}]"#,
                #"[{"id":1.0,"n":2,"a":1}]"#
            ),
        ]
    )
    func mergesElements(base: String, app: String, group: String, result: String) throws {
        let merge = try merged(base, app, group)
        #expect(merge.result.isEqual(to: try JSON(result)), "\(merge.result.string)")
        #expect(merge.conflicts.isEmpty)
    }

    @Test(
        "an array is one value unless every element has a unique ID",
        arguments: [
            (#"[{"id":1}]"#, #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":1}]"#),
            (#"[{"id":1}]"#, #"[{"id":1},{"x":2}]"#, #"[{"id":3}]"#),
            (#"[{"id":1}]"#, #"[{"id":1},7]"#, #"[{"id":3}]"#),
            (#"[{"id":1}]"#, #"[{"id":null}]"#, #"[{"id":3}]"#), ("[1]", "[2]", "[3]"),
        ]
    )
    func takesArraysWhole(base: String, app: String, group: String) throws {
        let merge = try merged(base, app, group)
        #expect(merge.result.string == app)
        #expect(merge.conflicts.map(\.pointer) == [""])
    }

    @Test("different changes of the same value are a conflict with its pointer, and the app wins")
    func conflicts() throws {
        let merge = try merged(
            #"{"a~/b":{"n":1,"m":1},"l":[{"id":7,"t":"x"}],"k":0}"#,
            #"{"a~/b":{"n":2,"m":1},"l":[{"id":7,"t":"y"}],"k":1}"#,
            #"{"a~/b":{"n":3.0,"m":9},"l":[{"id":7,"t":"z","u":1}],"k":0}"#
        )
        #expect(merge.result.string == #"{"a~/b":{"n":2,"m":9},"l":[{"id":7,"t":"y","u":1}],"k":1}"#)
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        #expect(
            merge.conflicts.sorted { $0.pointer < $1.pointer } == [
                MergeConflict(pointer: "/a~0~1b/n", base: bytes("1"), app: bytes("2"), group: bytes("3.0")),
                MergeConflict(
                    pointer: "/l/0/t",
                    base: bytes("\"x\""),
                    app: bytes("\"y\""),
                    group: bytes("\"z\"")
                ),
            ]
        )
    }

    @Test("without a base everything is combined, and different values are conflicts")
    func union() throws {
        let merge = try merged(nil, #"{"a":1,"o":{"x":1},"s":1}"#, #"{"b":2,"o":{"x":2,"y":3},"s":1.0}"#)
        #expect(merge.result.string == #"{"b":2,"a":1,"o":{"x":1,"y":3},"s":1}"#)
        #expect(merge.conflicts.map(\.pointer) == ["/o/x"])
        #expect(merge.conflicts.first?.base == nil)
    }

    @Test("a document merged with itself or with its base keeps its bytes")
    func keepsBytes() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = TextGenerator(seed: seed)
            let text = generator.document()
            #expect(try merged(text, text, text).result.string == text)
            #expect(try merged(nil, text, text).result.string == text)
            #expect(try merged("0", text, text).result.string == text)
        }
    }

    /// The laws of a merge, for any three documents.
    @Test("a change of only one side is the result by value, whichever side it is")
    func oneSided() throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = TextGenerator(seed: seed, isTame: true)
            let old = generator.document()
            let new = generator.document()
            let fromApp = try merged(old, new, old)
            let fromGroup = try merged(old, old, new)
            #expect(fromApp.result.string == new)
            #expect(
                fromGroup.result.isEqual(to: try JSON(new)),
                "\(old) → \(new): \(fromGroup.result.string)"
            )
            #expect(fromApp.conflicts.isEmpty && fromGroup.conflicts.isEmpty)
        }
    }

    @Test("without a conflict, swapping the sides gives the same result by value")
    func symmetric() throws {
        var merges = 0
        for seed in 0..<400 as Range<UInt64> {
            var generator = TextGenerator(seed: seed, isTame: true)
            let texts = (0..<3).map { _ in "{\"a\":\(generator.object(depth: 3)),\"b\":\(generator.number())}"
            }
            let one = try merged(texts[0], texts[1], texts[2])
            let other = try merged(texts[0], texts[2], texts[1])
            #expect(one.conflicts.count == other.conflicts.count)
            guard one.conflicts.isEmpty else { continue }
            merges += 1
            #expect(one.result.isEqual(to: other.result))
        }
        #expect(merges > 20)
    }

    @Test("the profile determines the identity of elements and the owner of fields")
    func profileRules() throws {
        let profile = try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    identity: {/money: currency, /lists/*: name}
                    tuples: [/pair]
                    ownership: {group: [/checks, /money/*/seen]}
                """,
            file: "p"
        )
        let rule = profile.rule(for: "d.json")
        let merge = try rule.merge(
            base: JSON(
                #"{"money":[{"currency":"USD","total":1,"seen":0}],"lists":[[{"name":"a","n":0}]],"#
                    + #""pair":[{"a":1},{"b":1}],"checks":{"x":0},"other":0}"#
            ),
            app: JSON(
                #"{"money":[{"currency":"USD","total":2,"seen":1}],"lists":[[{"name":"a","n":1}]],"#
                    + #""pair":[{"a":2},{"b":1}],"checks":{"x":1},"other":1}"#
            ),
            group: JSON(
                #"{"money":[{"currency":"EUR"},{"currency":"USD","total":1,"seen":2}],"#
                    + #""lists":[[{"name":"a","n":0,"m":1}]],"pair":[{"a":1},{"b":2}],"#
                    + #""checks":{"x":2},"other":2}"#
            )
        )
        #expect(
            merge.result.string
                == #"{"money":[{"currency":"EUR"},{"currency":"USD","total":2,"seen":2}],"#
                + #""lists":[[{"name":"a","n":1}]],"pair":[{"a":2},{"b":2}],"checks":{"x":2},"other":1}"#
        )
        // The rule for the outer lists says nothing about the inner ones, which are one value.
        #expect(
            merge.conflicts.map(\.pointer).sorted() == ["/checks/x", "/lists", "/money/0/seen", "/other"]
        )
    }
}
