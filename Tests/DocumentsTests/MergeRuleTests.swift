import Documents
import Testing

/// A profile's rules for fields that both sides changed.
@Suite("Merge rules")
struct MergeRuleTests {
    private func rule(_ merge: String, extra: String = "") throws -> DocumentRule {
        let yaml = """
            profile: p
            timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
            documents:
              d.json:
                merge: {\(merge)}
            \(extra)
            """
        return try Profile(yaml: yaml, file: "p").rule(for: "d.json")
    }

    private func merged(_ rule: DocumentRule, _ base: String?, _ app: String, _ group: String) throws -> Merge
    {
        try rule.merge(base: base.map { try JSON($0) }, app: JSON(app), group: JSON(group))
    }

    /// Rule, base, app, group, result; without a conflict.
    @Test(
        "a rule resolves a value that both sides changed",
        arguments: [
            ("newest", "1", "2", "3", "3"), ("newest", "9", "8", "7", "8"),
            ("newest", "1", "1e3", "999", "1e3"),
            ("newest", "null", "null", "5", "5"), ("newest", "1", "null", "0", "0"),
            // Instants are compared by value, whatever their form.
            (
                "newest", "0", #""2026-01-18T14:30:00Z""#, #""2026-01-18T15:00:00+01:00""#,
                #""2026-01-18T14:30:00Z""#
            ),
            (
                "newest", "0", #""2026-01-18T14:30:00.5Z""#, #""2026-01-18T15:30:00.51+01:00""#,
                #""2026-01-18T15:30:00.51+01:00""#
            ),
            (
                "newest", "0", #""2026-01-18T14:30:00.50Z""#, #""2026-01-18T15:30:00.5+01:00""#,
                #""2026-01-18T14:30:00.50Z""#
            ),
            // A time without a zone is in the profile's.
            (
                "newest", "0", #""2026-01-18T14:31:00Z""#, #""2026-01-18T15:30:00""#,
                #""2026-01-18T14:31:00Z""#
            ),
            ("newest", "0", #""2026-01-18""#, #""2026-01-19""#, #""2026-01-19""#),
            ("max", "1", "3", "2", "3"), ("max", "9", "-3", "-2.0", "-2.0"), ("min", "1", "3", "2", "2"),
            ("max", "0", #""9.5""#, #""10""#, #""10""#),
            ("sum", "10", "15", "12", "17"), ("sum", "10", "9", "8", "7"), ("sum", "10", "11", "11", "12"),
            ("sum", "0.1", "0.3", "0.2", "0.4"), ("sum", "1.50", "2.50", "2.50", "3.50"),
            ("sum", "1e2", "101", "1.02E2", "103"), ("sum", "1", "-1", "0", "-2"),
            ("sum", "5", "3", "2", "0"),
            ("sum", #""450.50""#, #""460.00""#, #""440.50""#, #""450.00""#),
            (
                "sum", "12345678901234567.89", "12345678901234568.89", "12345678901234567.90",
                "12345678901234568.90"
            ),
            ("set", "[1,2,3]", "[1,3,4]", "[0,1,2,5]", "[1,4,0,5]"),
            ("set", #"["a"]"#, #"["b","a"]"#, #"["a","c","b"]"#, #"["b","a","c"]"#),
            ("set", "[]", "[1.0]", "[1,2]", "[1.0,2]"), ("set", "[1]", "[]", "[2]", "[2]"),
            ("{mine: app}", "1", "2", "3", "2"), ("{mine: group}", "1", "2", "3", "3"),
        ]
    )
    func decides(kind: String, base: String, app: String, group: String, result: String) throws {
        let rule = try rule("/x: \(kind)")
        func document(_ value: String) -> String { "{\"x\":\(value),\"y\":0}" }
        let merge = try merged(
            rule,
            document(base),
            document(app).replacing("\"y\":0", with: "\"y\":1"),
            document(group)
        )
        #expect(merge.result.string == document(result).replacing("\"y\":0", with: "\"y\":1"))
        #expect(merge.conflicts.isEmpty)
    }

    @Test(
        "a value that a rule cannot resolve is a conflict",
        arguments: [
            ("newest", "0", #""soon""#, "5"), ("newest", "0", "[1]", "[2]"), ("max", "0", "true", "1"),
            ("newest", "0", #""2026-01-18T14:30:00Z""#, "1768746600123"), ("sum", "0", #""a""#, "1"),
            ("sum", "0", "1e999999", "1"), ("set", "[]", "[1]", #"{"a":1}"#),
        ]
    )
    func cannotDecide(kind: String, base: String, app: String, group: String) throws {
        let rule = try rule("/x: \(kind)")
        let merge = try merged(rule, "{\"x\":\(base)}", "{\"x\":\(app)}", "{\"x\":\(group)}")
        #expect(merge.result.string == "{\"x\":\(app)}")
        #expect(merge.conflicts.map(\.pointer) == ["/x"])
    }

    @Test("without a base a sum is a conflict, and every other rule applies")
    func withoutBase() throws {
        let rule = try rule("/n: sum, /t: newest, /s: set, /m: {mine: group}")
        let merge = try merged(rule, nil, #"{"n":1,"t":5,"s":[1],"m":1}"#, #"{"n":2,"t":6,"s":[2],"m":2}"#)
        #expect(merge.result.string == #"{"n":1,"t":6,"s":[1,2],"m":2}"#)
        #expect(merge.conflicts.map(\.pointer) == ["/n"])
        // The same of a base without the field: nobody knows what each side added.
        let begun = try merged(rule, "{}", #"{"n":1,"a":0}"#, #"{"n":2}"#)
        #expect(begun.result.string == #"{"n":1,"a":0}"# && begun.conflicts.map(\.pointer) == ["/n"])
    }

    @Test("a pattern matches every key and index")
    func patterns() throws {
        let rule = try rule("/rows/*/at: newest, /config: {mine: group}")
        let merge = try merged(
            rule,
            #"{"rows":{"a":{"at":1},"b":{"at":1}},"config":{"x":{"y":0}}}"#,
            #"{"rows":{"a":{"at":2},"b":{"at":5}},"config":{"x":{"y":1}}}"#,
            #"{"rows":{"a":{"at":3},"b":{"at":4}},"config":{"x":{"y":2}}}"#
        )
        #expect(merge.result.string == #"{"rows":{"a":{"at":3},"b":{"at":5}},"config":{"x":{"y":2}}}"#)
        #expect(merge.conflicts.isEmpty)
    }

    @Test("a derived field is computed only after the rest is merged")
    func derives() throws {
        let rule = try rule(
            "/count: {derived: {count: /l/*}}, /done: {derived: {count: /l/*, where: {required: [d]}}}, "
                + "/total: {derived: {sum: /l/*/v}}, /g/*/n: {derived: {count: /g/*/m/*}}"
        )
        let base = #"{"l":[{"id":1,"v":0.10}],"count":1,"done":0,"total":0.10,"g":[{"id":1,"m":[],"n":0}]}"#
        let app =
            #"{"l":[{"id":1,"v":0.10,"d":1},{"id":2,"v":1}],"count":2,"done":1,"total":1.10,"#
            + #""g":[{"id":1,"m":[{"id":1}],"n":1}]}"#
        let group =
            #"{"l":[{"id":1,"v":0.20},{"id":3,"v":"1"}],"count":2,"done":0,"total":1.20,"#
            + #""g":[{"id":1,"m":[{"id":2}],"n":1},{"id":2,"m":[],"n":0}]}"#
        let merge = try merged(rule, base, app, group)
        #expect(
            merge.result.string
                == #"{"l":[{"id":1,"v":0.20,"d":1},{"id":3,"v":"1"},{"id":2,"v":1}],"count":3,"done":1,"#
                + #""total":2.20,"g":[{"id":1,"m":[{"id":2},{"id":1}],"n":2},{"id":2,"m":[],"n":0}]}"#
        )
        #expect(merge.conflicts.isEmpty)
        // A change of only one side applies, whatever its derived fields say.
        let odd = #"{"l":[],"count":7,"done":0,"total":0,"g":[]}"#
        #expect(try merged(rule, base, odd, base).result.string == odd)
        #expect(try merged(rule, base, base, odd).result.isEqual(to: JSON(odd)))
        // If it cannot be computed, it is a conflict.
        let lost = try merged(rule, #"{"count":1}"#, #"{"count":2}"#, #"{"count":3}"#)
        #expect(lost.conflicts.map(\.pointer) == ["/count"] && lost.result.string == #"{"count":2}"#)
        #expect(lost.uncomputed.isEmpty)
        // If neither side changed it, it stays, and is reported.
        let left = try merged(rule, #"{"total":0}"#, #"{"total":0,"a":1}"#, #"{"total":0,"b":1}"#)
        #expect(left.uncomputed == ["/total"] && left.conflicts.isEmpty)
    }

    @Test("two new elements with the same number both stay, and the group's is renumbered")
    func renumbers() throws {
        let rule = try rule(
            "/n: {derived: {count: /l/*}}",
            extra: "    identity: {/l: {field: id, renumber: true, references: [/parts/*/of]}}"
        )
        let merge = try merged(
            rule,
            #"{"l":[{"id":1},{"id":7,"t":"x"}],"n":2}"#,
            #"{"l":[{"id":1},{"id":7,"t":"y"},{"id":8,"t":"app"}],"n":3}"#,
            #"{"l":[{"id":1},{"id":7,"t":"x"},{"id":8,"t":"group","parts":[{"of":8},{"of":7}]},{"id":9}],"n":4}"#
        )
        #expect(
            merge.result.string
                == #"{"l":[{"id":1},{"id":7,"t":"y"},{"id":10,"t":"group","parts":[{"of":10},{"of":7}]},"#
                + #"{"id":9},{"id":8,"t":"app"}],"n":5}"#
        )
        #expect(merge.conflicts.isEmpty)
        // Equal elements on both sides are one; without a base elements with the same number are one.
        #expect(
            try merged(rule, #"{"l":[]}"#, #"{"l":[{"id":1,"a":1}],"x":0}"#, #"{"l":[{"a":1,"id":1}]}"#)
                .result.string == #"{"l":[{"id":1,"a":1}],"x":0}"#
        )
        let union = try merged(rule, nil, #"{"l":[{"id":1,"a":1}]}"#, #"{"l":[{"id":1,"a":2}]}"#)
        #expect(union.conflicts.map(\.pointer) == ["/l/0/a"])
        // Numbers in strings count as numbers; if some are names, there is no next number.
        let texts = try merged(rule, #"{"l":[]}"#, #"{"l":[{"id":"9","a":1}]}"#, #"{"l":[{"id":"9","a":2}]}"#)
        #expect(texts.result.string == #"{"l":[{"id":"10","a":2},{"id":"9","a":1}]}"#)
        let names = try merged(rule, #"{"l":[]}"#, #"{"l":[{"id":"x","a":1}]}"#, #"{"l":[{"id":"x","a":2}]}"#)
        #expect(names.conflicts.map(\.pointer) == ["/l/0/a"])
    }

    @Test("a value that a rule computes and the schema forbids is a conflict instead")
    func keepsToSchema() throws {
        let rule = try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    version: shapes
                    versions:
                      1:
                        schema:
                          properties:
                            n: {type: integer, minimum: 0}
                            m: {type: integer}
                            l: {type: array}
                            c: {type: integer, maximum: 2}
                    merge: {/n: sum, /m: sum, /l: set, /c: {derived: {count: /l/*}}}
                """,
            file: "p"
        ).rule(for: "d.json")
        let merge = try merged(
            rule,
            #"{"n":1,"m":1,"l":[],"c":0}"#,
            #"{"n":0,"m":0,"l":[1,2],"c":2}"#,
            #"{"n":0,"m":0,"l":[3],"c":1}"#
        )
        #expect(merge.result.string == #"{"n":0,"m":-1,"l":[1,2,3],"c":2}"#)
        #expect(merge.conflicts.map(\.pointer) == ["/c"])
        #expect(rule.violations(of: merge.result, version: 1).isEmpty)
    }

    @Test("a rule does not overrule a person's decision for the app")
    func decided() throws {
        let rule = try rule("/a: newest, /b: {mine: group}, /c: sum")
        let merge = try rule.merge(
            base: JSON(#"{"a":1,"b":1,"c":1}"#),
            app: JSON(#"{"a":2,"b":2,"c":2}"#),
            group: JSON(#"{"a":3,"b":3,"c":3}"#),
            between: .decisionAndRest
        )
        #expect(merge.result.string == #"{"a":2,"b":2,"c":4}"#)
        #expect(merge.conflicts.isEmpty)
    }

    @Test("two saves of the same side are not treated as saves of different sides")
    func savesOfOneSide() throws {
        let rule = try rule("/a: newest, /b: {mine: group}, /c: sum")
        let merge = try rule.merge(
            base: JSON(#"{"a":1,"b":1,"c":1}"#),
            app: JSON(#"{"a":2,"b":2,"c":2}"#),
            group: JSON(#"{"a":3,"b":3,"c":3}"#),
            between: .savesOfOneSide
        )
        #expect(merge.result.string == #"{"a":3,"b":2,"c":4}"#)
        #expect(merge.conflicts.map(\.pointer) == ["/b"])
    }

    /// The built-in profile, with what its app writes.
    @Test("each side adds a task with the same ID: five tasks, five counted")
    func todo() throws {
        let rule = try #require(Profile.builtIn("todo")).rule(for: "todo.json")
        func document(_ ids: [(Int, String, Bool)], at: Int) throws -> JSON {
            let tasks = ids.map {
                #"{"id":\#($0.0),"title":"\#($0.1)","isCompleted":\#($0.2),"priority":0,"#
                    + #""priorityLabel":"High","priorityColor":1}"#
            }
            let config =
                #"{"name":"a","size":1,"showCompleted":true,"showCategories":true,"showPriority":true,"#
                + #""maxTasks":3}"#
            return try JSON(
                "{\"config\":\(config),\"tasks\":[\(tasks.joined(separator: ","))],\"updatedAt\":\(at),"
                    + "\"taskCount\":\(ids.count),\"completedCount\":\(ids.count(where: \.2)),\"overdueCount\":0}"
            )
        }
        let old = [(1, "a", false), (2, "b", true), (3, "c", false)]
        let merge = try rule.merge(
            base: document(old, at: 1),
            app: document(old + [(4, "app", false)], at: 3),
            group: document([(1, "a", true)] + old.dropFirst() + [(4, "group", false)], at: 2)
        )
        #expect(merge.conflicts.isEmpty)
        let expected = try document(
            [(1, "a", true), (2, "b", true), (3, "c", false), (5, "group", false), (4, "app", false)],
            at: 3
        )
        #expect(merge.result.isEqual(to: expected), "\(merge.result.string)")
    }
}
