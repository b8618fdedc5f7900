import Documents
import TestDocuments
import Testing

/// A profile whose parts do not match is refused when it is read.
@Suite("Profiles that do not fit together")
struct ProfileCheckTests {
    private func yaml(_ lenses: String, v1: String, v2: String, extra: String = "") -> String {
        """
        profile: p
        documents:
          d.json:
            version: {field: version, missing: 1}
            versions:
              1: {schema: {type: object, properties: {\(v1)}}}
              2:
                schema: {type: object, properties: {\(v2)}}
                lenses:
                  - \(lenses)
        \(extra)
        """
    }

    /// Lenses, properties of version 1 and of version 2, line, reason.
    @Test(
        "lenses that do not lead from one version to the next are reported with their line",
        arguments: [
            (
                "rename: {from: expens, to: b}", "a: {}", "b: {}", 10,
                "this lens names the field `expens`, which does not exist"
            ),
            (
                "remove: a\n          - rename: {from: a, to: b}", "a: {}", "b: {}", 11,
                "this lens names the field `a`, which a previous lens removed"
            ),
            (
                "remove: a\n          - remove: a", "a: {}", "b: {}", 11,
                "this lens names the field `a`, which a previous lens removed"
            ),
            (
                "rename: {from: a, to: b}", "a: {}, b: {}", "b: {}", 10,
                "this lens adds the field `b`, which already exists"
            ),
            (
                "rename: {from: a, to: c}", "a: {}", "b: {}", 10,
                "the lenses do not lead from version 1 to 2: `/c` is not a field of the newer version"
            ),
            (
                "rename: {from: a, to: b}", "a: {}, x: {}", "b: {}", 10,
                "the lenses do not lead from version 1 to 2: `/x` is not a field of the newer version"
            ),
            (
                "rename: {from: a, to: b}", "a: {type: string}", "b: {type: number}", 10,
                "the lenses do not lead from version 1 to 2: `/b` would be `string`, not `number`"
            ),
            (
                "wrap: d", "a: {}", "d: {type: object, properties: {b: {}}, required: [b]}", 10,
                "the lenses do not lead from version 1 to 2: no lens adds `/d/b`, which is required"
            ),
            (
                "convert: {field: a, from: seconds2001, to: iso8601}", "a: {type: boolean}", "a: {}", 10,
                "this lens converts `a` from one of `number`, `integer`, but it is `boolean`"
            ),
            (
                "each: {field: /l, lenses: [remove: x]}", "l: {type: array, items: {properties: {a: {}}}}",
                "l: {}", 10, "this lens names the field `x`, which does not exist"
            ),
            (
                "each: {field: /l, lenses: [remove: x]}", "l: {type: object, properties: {a: {}}}", "l: {}",
                10, "this lens expects an array at `/l`, but finds an object"
            ),
            (
                "move: {from: /q/a, to: /o/a}", "o: {properties: {a: {}}}", "o: {}, a: {}", 10,
                "this lens names the field `q`, which does not exist"
            ),
            ("unwrap: d", "a: {}", "a: {}", 10, "this lens names the field `d`, which does not exist"),
            (
                "convert: {field: a, from: local, to: iso8601}", "a: {}", "a: {}", 4,
                "a lens reads local times, and the profile has no `timeZone`"
            ),
            (
                "map: {field: a, values: [{old: 1, new: x}, {old: 2, new: x}]}", "a: {}", "a: {}", 10,
                "each value may be listed once per side"
            ),
            (
                "convert: {field: a, from: iso, to: iso8601}", "a: {}", "a: {}", 10,
                "known: `0/1` to `boolean`, `text` and `number` or `integer`, "
                    + "`list` and `value`, `text` or `table`, and the times "
                    + "iso8601, local, seconds2001, seconds1970, seconds1970Text, milliseconds, "
                    + "millisecondsText, date"
            ),
            ("wrap: d", "a: {minimumm: 1}", "d: {}", 6, "the keyword `minimumm` is not supported"),
            (
                "wrap: d", "a: {$ref: \"#/properties/a\"}", "d: {}", 6,
                "the schema at `/properties/a` refers to itself for the same value"
            ),
            (
                "wrap: d", "a: {pattern: \"(\"}", "d: {}", 6,
                "the pattern `(` has a group that is not closed, at 2"
            ),
        ]
    )
    func refuses(lenses: String, v1: String, v2: String, line: Int, reason: String) {
        #expect {
            try Profile(yaml: yaml(lenses, v1: v1, v2: v2), file: "p.yaml")
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            let text = error.reason.text
            if text != reason || error.line != line { Issue.record("\(error.line): \(text)") }
            return true
        }
    }

    @Test(
        "a missing field or version is refused",
        arguments: [
            ("    kinds: {K: {shows: [/d/x]}}", 11, "`K` shows names the field `x`, which does not exist"),
            (
                "    stale: {after: 24 h, field: /d/x}", 11,
                "`stale` names the field `x`, which does not exist"
            ),
            (
                "    stale: {after: 24}", 11,
                "expected a time such as `30 s`, `30 min` or `24 h`, found `24`"
            ),
            ("    views: [3]", 11, "there is no version 3"),
            ("    onInvalid: drop", 11, "expected `hold` or `pass`"),
            ("speaks: {app: 7}", 11, "`d.json` has no version 7"),
            (
                "timeZone: {name: X, rule: Rome}", 11,
                "expected a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, found `Rome`"
            ),
            ("    identity: {list: id}", 11, "expected a JSON Pointer as the key, found `list`"),
            (
                "    kinds: {K: {refresh: {every: often}}}", 11,
                "expected a time such as `30 min` or `24 h`, found `often`"
            ),
        ]
    )
    func refusesNames(extra: String, line: Int, reason: String) {
        #expect {
            try Profile(
                yaml: yaml("wrap: d", v1: "a: {}", v2: "d: {properties: {a: {}}}", extra: extra),
                file: "p.yaml"
            )
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            let text = error.reason.text
            if text != reason || error.line != line { Issue.record("\(error.line): \(text)") }
            return true
        }
    }

    @Test(
        "merge rules that do not match the newest version are reported with their line",
        arguments: [
            ("/gone: newest", "the rule names the field `gone`, which does not exist"),
            ("/l/*/x: newest", "the rule names the field `x`, which does not exist"),
            ("/f: newest", "the rule compares times and numbers, but `/f` is `boolean`"),
            ("/l: max", "the rule compares times and numbers, but `/l` is an array"),
            ("/f: sum", "the rule adds numbers, but `/f` is `boolean`"),
            ("/t: set", "the rule merges lists, but `/t` is `string`"),
            ("/l: set", "the rule merges lists of scalars, but `/l` contains an object"),
            ("/f: {derived: {count: /l/*}}", "the rule computes a number, but `/f` is `boolean`"),
            ("/n: {derived: {count: /x/*}}", "the rule names the field `x`, which does not exist"),
            ("/n: {derived: {sum: /l/*/ok}}", "the rule adds numbers, but `/l/*/ok` is `boolean`"),
            (
                "/n: {derived: {count: /l}}",
                "expected a pointer with `*`, such as `/tasks/*`, found `/l`"
            ),
            (
                "/n: {derived: {count: /l/*, sum: /l/*/id}}",
                "`count` or `sum` is required: what it is computed from"
            ),
            ("/n: {derived: {sum: /l/*/id, where: {}}}", "`where` needs `count`"),
            ("/n: {derived: {product: /l/*}}", "unknown key; known here: count, sum, where"),
            ("/n: {mine: both}", "expected `app` or `group`"),
            (
                "/n: latest",
                "expected `newest`, `max`, `min`, `sum`, `set`, `{derived: {count: /list/*}}` or `{mine: app}`"
            ),
            ("n: newest", "expected a JSON Pointer as the key, found `n`"),
            (
                "/n: sum}\n    identity: {/l: {field: key, renumber: true}",
                "the identity names the field `key`, which does not exist"
            ),
            (
                "/n: sum}\n    identity: {/l/*: id",
                "the identity expects an array, but finds an object"
            ),
            (
                "/n: sum}\n    identity: {/t: id",
                "the identity names the field `*`, but its parent is `string`"
            ),
            (
                "/n: sum}\n    identity: {/t: {field: id, renumber: true}",
                "the identity names the field `*`, but its parent is `string`"
            ),
            (
                "/n: sum}\n    identity: {/l: {field: id, references: [/ok]}",
                "`references` needs `renumber: true`"
            ),
            ("/n: sum}\n    identity: {/l: {field: id, renumber: yes}", "expected `true` or `false`"),
        ]
    )
    func refusesMergeRules(rules: String, reason: String) {
        let yaml = """
            profile: p
            documents:
              d.json:
                version: shapes
                versions:
                  1:
                    schema:
                      properties:
                        f: {type: boolean}
                        t: {type: [string]}
                        n: {type: integer}
                        l: {items: {properties: {id: {type: integer}, ok: {type: boolean}}}}
                merge: {\(rules)}
            """
        #expect {
            try Profile(yaml: yaml, file: "p.yaml")
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            let line = rules.contains("\n") ? 14 : 13
            let text = error.reason.text
            if text != reason || error.line != line { Issue.record("\(error.line): \(text)") }
            return true
        }
    }

    @Test("merge rules are described")
    func mergeWords() throws {
        let rule = try #require(Profile.builtIn("todo")).rule(for: "todo.json")
        #expect(
            rule.mergeWords.map { "\($0.place): \($0.words)" } == [
                "/tasks: elements identified by `id`, renumbered", "/updatedAt: newest",
                "/taskCount: count of `/tasks/*`",
                "/completedCount: count of `/tasks/*` where {\"properties\":{\"isCompleted\":{\"const\":true}}}",
                "/overdueCount: max",
            ]
        )
    }

    @Test("aliases that expand without bound are refused")
    func refusesBombs() {
        var schema = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
        for level in 1..<12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            schema += ", a\(level): &a\(level) [\(aliases)]"
        }
        let yaml =
            "profile: p\ndocuments: {d.json: {version: {field: v}, versions: {1: {schema: {\(schema)}}}}}\n"
        #expect { try Profile(yaml: yaml, file: "p") } throws: {
            ($0 as? ProfileError)?.reason == .tooLarge
        }
    }

    @Test("versions that are recognized by shape need a shape")
    func needsShapes() {
        let yaml = "profile: p\ndocuments: {d.json: {version: shapes, versions: {1: {}, 2: {}}}}\n"
        #expect {
            try Profile(yaml: yaml, file: "p")
        } throws: {
            ($0 as? ProfileError)?.reason == .missing("when", .shape)
        }
    }

    @Test("lint reports what would break an older reader")
    func lints() throws {
        let findings = try Profile(
            yaml: yaml(
                "rename: {from: a, to: b}\n          - add: {field: n, value: 1}",
                v1: "a: {type: string}, c: {type: number}",
                v2: "b: {type: string}, c: {type: [number, \"null\"]}, n: {default: 1}}, required: [n, b"
                    .replacing("[n, b", with: "[n, b], $defs: {x: {}"),
                extra: "    kinds: {K: {refresh: {every: 15 min}}}"
            ),
            file: "p.yaml"
        ).lint()
        #expect(
            findings.map(\.text) == [
                "d.json: FIELD_REMOVED `/a`: is removed between versions 1 and 2",
                "d.json: TYPE_CHANGED `/c`: changes from `number` to one of `null`, `number` between versions 1 and 2",
                "d.json: REQUIRED_WITHOUT_DEFAULT `/b`: becomes required without a default between versions 1 and 2",
                "d.json: VIEW_NEEDED `1`: readers of version 1 need `views`",
                "d.json: RELOAD_BUDGET `K`: requests 96 reloads a day; the system grants at most 72",
            ]
        )
    }

    @Test("lint does not report the version field")
    func lintsNoVersionField() throws {
        let findings = try Profile(
            yaml: yaml(
                "wrap: d",
                v1: "version: {const: 1}, a: {}}, required: [a], $defs: {x: {}",
                v2: "version: {const: 2}, d: {properties: {a: {}}, required: [a]}}, required: [version, d], "
                    + "$defs: {x: {}"
            ),
            file: "p.yaml"
        ).lint()
        #expect(
            findings.map { "\($0.rule.rawValue) \($0.place)" } == [
                "FIELD_REMOVED /a", "VIEW_NEEDED 1",
            ]
        )
        for name in Profile.builtInNames {
            let found = try #require(Profile.builtIn(name)).lint()
            #expect(!found.contains { $0.place == "/version" || $0.rule == .wayBackBroken })
        }
    }

    @Test(
        "lint reports fields that became optional and fields that no way back restores",
        arguments: [
            (
                "default: {field: b, value: 1}", "a: {}", "required: [a]", "a: {}, b: {}",
                ["FIELD_OPTIONAL /a"]
            ),
            ("remove: a", "a: {}", "required: [a]", "b: {}", ["FIELD_REMOVED /a", "WAY_BACK_BROKEN /a"]),
            ("remove: {field: a, default: 0}", "a: {}", "required: [a]", "b: {}", ["FIELD_REMOVED /a"]),
            ("remove: a", "a: {}", "maxProperties: 9", "b: {}", ["FIELD_REMOVED /a"]),
            (
                "each: {field: /l, lenses: [remove: a]}", "l: {items: {properties: {a: {}}, required: [a]}}",
                "maxProperties: 9", "l: {}", ["WAY_BACK_BROKEN /l/*/a"]
            ),
        ]
    )
    func lintsMore(lens: String, v1: String, rest: String, v2: String, found: [String]) throws {
        let findings = try Profile(
            yaml: yaml(lens, v1: "\(v1)}, \(rest), $defs: {x: {}", v2: v2),
            file: "p.yaml"
        ).lint().filter { $0.rule != .viewNeeded && $0.rule != .viewUnneeded }
        #expect(findings.map { "\($0.rule.rawValue) \($0.place)" } == found)
    }

    @Test(
        "lint reports names that no file can have",
        arguments: [
            ("*.json", nil),
            (
                "notes/[a-z].json",
                "only `*` is a wildcard: this rule applies only to a file with exactly this name"
            ),
            ("/a.json", "a name is a path in the container, such as `notes/a.json`: no file has this name"),
            ("../a.json", "a name is a path in the container, such as `notes/a.json`: no file has this name"),
            (".a.json", "hidden and temporary files are not documents"),
            ("a.json~", "hidden and temporary files are not documents"), ("notes/a.json", nil),
            ("a.txt", nil),
        ]
    )
    func lintsNames(_ name: String, _ reason: String?) throws {
        let profile = try Profile(yaml: "profile: p\ndocuments: {'\(name)': {}}\n", file: "p.yaml")
        let expected = reason.map { ["\(name): NAME_UNMATCHED `\(name)`: \($0)"] } ?? []
        #expect(profile.lint().map(\.text) == expected)
    }

    @Test("the built-in profiles have the facts of the apps' descriptions")
    func builtInFindings() throws {
        func budgets(_ name: String) throws -> [String] {
            try #require(Profile.builtIn(name)).lint().filter { $0.rule == .reloadBudget }.map(\.place)
        }
        #expect(try budgets("budget") == [])
        #expect(try budgets("habits") == [])
        #expect(try budgets("todo") == ["TodoWidget"])
        #expect(try budgets("finance") == ["TransactionsWidget"])
        #expect(try budgets("balances") == ["PennyWidget"])
        let budget = try #require(Profile.builtIn("budget"))
        #expect(budget.documents[0].staleness?.after == 86_400)
        #expect(
            budget.documents[0].kinds[0].families.map(\.name) == [
                "systemSmall", "systemMedium", "systemLarge",
            ]
        )
        #expect(budget.deepLinks.contains("finapp://add-expense"))
        #expect(
            try #require(Profile.builtIn("habits")).documents[0].kinds[0].families.map(\.most) == [3, 6, 10]
        )
        #expect(try #require(Profile.builtIn("finance")).documents[0].kinds.count == 12)
    }

    @Test("an app's own error document is valid and recognized")
    func errorStates() throws {
        let rule = try Budget.rule()
        let fixture = try #require(Fixture.all.first { $0.name == "budget's own error document" })
        let document = try JSON(fixture.v2)
        #expect(rule.violations(of: document, version: 2) == [])
        #expect(rule.errorState(of: document)?.state == .error)
        #expect(rule.errorState(of: try JSON(Budget.v2))?.state == nil)
        let nothing = try JSON(
            #"{"version":2,"data":{"totalAmount":0,"expenseCount":0,"hasError":false,"spent":0,"limit":0,"#
                + #""month":"","isDarkMode":false,"lastUpdated":"2026-01-18T14:30:00Z","groupId":""}}"#
        )
        #expect(rule.violations(of: nothing, version: 2) == [])
        #expect(rule.errorState(of: nothing)?.text == "Budget non configurato")
    }
}
