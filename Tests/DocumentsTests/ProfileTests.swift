import Documents
import Testing

@Suite("Profiles")
struct ProfileTests {
    @Test("every built-in profile is valid")
    func readsBuiltIn() throws {
        #expect(Profile.builtInNames == ["budget", "habits", "todo", "finance", "balances"])
        for name in Profile.builtInNames {
            let text = try #require(Profile.builtInText(name))
            do throws(ProfileError) {
                let profile = try Profile(yaml: text, file: name)
                #expect(profile.id == name && profile.documents.map(\.path) == ["\(name).json"])
                #expect(profile.documents.first?.versionNumbers == [1, 2])
            } catch {
                Issue.record(
                    "\(error.file):\(error.line):\(error.column): \(error.key): \(error.reason.text)"
                )
            }
        }
        #expect(Profile.builtIn("nothing") == nil)
    }

    @Test(
        "an error names file, line, column and key",
        arguments: [
            ("", "p.yaml:1:1: : the file is empty"),
            ("profile: a\n", "p.yaml:1:1: : `documents` is missing"),
            ("documents: {}\n", "p.yaml:1:1: : `profile`, its name, is missing"),
            (
                "profile: a\ndocuments: {}\nname: b\n",
                "p.yaml:3:1: name: unknown key; known here: format, profile, about, group, otherGroups, "
                    + "locale, timeZone, documents, speaks, deepLinks, strings, facts, include, exclude, "
                    + "assets"
            ),
            (
                "later: {}\nprofile: a\nformat: 2\n",
                "p.yaml:3:9: format: format 2 is newer than this program supports; the newest supported format is 1"
            ),
            (
                "format: 99999999999999999999\nprofile: a\n",
                "p.yaml:1:9: format: format 99999999999999999999 is newer than this program supports; "
                    + "the newest supported format is 1"
            ),
            (
                "format: one\nprofile: a\n",
                "p.yaml:1:9: format: expected a whole number from 1, found `one`"
            ),
            ("format: 0\nprofile: a\n", "p.yaml:1:9: format: expected a whole number from 1, found `0`"),
            (
                "format: [1]\nprofile: a\n",
                "p.yaml:1:9: format: expected text, found a list"
            ),
            ("profile: " + String(repeating: "[", count: 9999), "p.yaml:1:1: : too large or too deep"),
            ("profile: a\n" + String(repeating: "- ", count: 9999), "p.yaml:2:1: : too large or too deep"),
            ("profile: [\n", "p.yaml:2:1: : did not find expected node content"),
            ("profile: a\nprofile: b\ndocuments: {}\n", "p.yaml:2:1: : duplicate key: profile"),
            (
                "a: {x: 1}\nb:\n  - k: {a: 1}\n    # a:\n\n    a: k\n    \"k\" : 2\n  - k: 3\n",
                "p.yaml:7:5: : duplicate key: k"
            ),
            ("{a: {b: 1, a: 2}, 'b': \", a: 3\", b: 4}", "p.yaml:1:34: : duplicate key: b"),
            ("{a: [1, {a: 2}],\n  \"x\": 1,\n\n  a: 2}", "p.yaml:4:3: : duplicate key: a"),
            ("a: 1\r\nb: 2\r\na: 3\r\n", "p.yaml:3:1: : duplicate key: a"),
            ("? a\n: 1\n? a\n: 2\n", "p.yaml:1:3: : duplicate key: a"),
            ("profile: a\ndocuments: 7\n", "p.yaml:2:12: documents: expected a mapping, found `7`"),
            (
                "profile: a\ndocuments:\n  d.json:\n    versions:\n      two: {}\n",
                "p.yaml:5:12: documents.d.json.versions.two: versions are whole numbers from -1, the "
                    + "oldest first; found `two`"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    versions:\n      1: {}\n",
                "p.yaml:4:5: documents.d.json: `version`, how the version is recognized, is missing"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    kinds:\n      K: {shows: [limit]}\n",
                "p.yaml:5:19: documents.d.json.kinds.K.shows.0: expected a JSON Pointer such as "
                    + "`/data/limit`, found `limit`"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    kinds:\n      K: {budget: -1}\n",
                "p.yaml:5:19: documents.d.json.kinds.K.budget: expected a whole number of reloads within "
                    + "24 hours, or `unlimited`, found `-1`"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    kinds:\n      K: {coalesce: 2 h}\n",
                "p.yaml:5:21: documents.d.json.kinds.K.coalesce: expected a time of at most an hour, such "
                    + "as `250 ms` or `5 s`, found `2 h`"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    kinds:\n      K: {refresh: {daily: [8:00, 25:00]}}\n",
                "p.yaml:5:29: documents.d.json.kinds.K.refresh.daily.0: expected a time of day such as "
                    + "`08:00`, found `8:00`"
            ),
            (
                "profile: a\ntimeZone: {name: Mars/Utopia, rule: Mars/Utopia}\ndocuments: {}\n",
                "p.yaml:2:37: timeZone.rule: expected a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, found "
                    + "`Mars/Utopia`"
            ),
            (
                "profile: a\ndocuments:\n  d.json:\n    version: {field: v}\n    versions:\n"
                    + "      1: {lenses: [turn: x]}\n",
                "p.yaml:6:26: documents.d.json.versions.1.lenses.0.turn: unknown lens; known: add, default, "
                    + "omit, remove, rename, renamePrefix, move, copy, wrap, unwrap, nest, unnest, hoist, "
                    + "plunge, convert, map, scale, split, join, prefix, extract, "
                    + "orderBy, in, each, eachRow"
            ),
        ] as [(String, String)]
    )
    func tellsErrors(yaml: String, reason: String) {
        #expect {
            try Profile(yaml: yaml, file: "p.yaml")
        } throws: {
            guard let error = $0 as? ProfileError else { return false }
            let text = "\(error.file):\(error.line):\(error.column): \(error.key): \(error.reason.text)"
            if text != reason { Issue.record("\(text)") }
            return text == reason
        }
    }

    @Test("the format of a profile is optional, and 1 by default")
    func readsFormats() throws {
        for format in ["", "format: 1\n", "format: \"1\"\n"] {
            #expect(throws: Never.self) {
                try Profile(yaml: format + "profile: a\ndocuments: {}\n", file: "p.yaml")
            }
        }
        for name in Profile.builtInNames {
            #expect(try #require(Profile.builtInText(name)).hasPrefix("format: 1\nprofile: \(name)\n"))
        }
    }

    @Test("scalars are text: no word becomes a boolean, no number loses a digit")
    func keepsScalars() throws {
        let profile = try Profile(
            yaml: """
                profile: no
                documents:
                  d.json:
                    version: {field: version, missing: 1}
                    versions:
                      1: {}
                      2:
                        lenses:
                          - add: {field: no, value: 12345678901234567890.10}
                          - add: {field: yes, value: no}
                          - add: {field: "1", value: "1"}
                          - add: {field: o, value: {a: [1e400, null, true, -0], b: ~}}
                speaks: {app: 1, group: 2}
                """,
            file: "p.yaml"
        )
        #expect(profile.id == "no")
        #expect(profile.appVersion == 1 && profile.groupVersion == 2)
        let rule = profile.rule(for: "d.json")
        #expect(
            try rule.translate(JSON("{}"), from: 1, to: 2, agreed: nil).string
                == #"{"version":2,"no":12345678901234567890.10,"yes":"no","1":"1","#
                + #""o":{"a":[1e400,null,true,-0],"b":null}}"#
        )
    }

    @Test("a document that no profile names has no versions")
    func plainRules() throws {
        let rule = try #require(Profile.builtIn("budget")).rule(for: "sub/other.json")
        #expect(rule.newest == nil)
        #expect(rule.kinds == [WidgetKind(name: "sub/other.json", shows: [])])
        let document = try JSON(#"{"version":7}"#)
        #expect(rule.version(of: document) == .unversioned)
        #expect(rule.kinds(changedBetween: document, and: try JSON(#"{"version":7.0}"#)) == [])
        #expect(rule.kinds(changedBetween: document, and: try JSON("{}")) == ["sub/other.json"])
    }

    @Test(
        "names of hidden and temporary files are not documents",
        arguments: [
            ("a.json", true), ("a/b.json", true), ("a.tmp/b.json", true), (".json", false), ("a.JSON", false),
            (".a.json", false), (".git/a.json", false), ("a/.b/c.json", false), (".dat.nosync1A.json", false),
            ("a.json~", false), (".#a.json", false), ("a.json.tmp", false), ("a.json.swp", false),
            ("4913", false),
            ("a.txt", false), ("json", false), ("4913.json", true), ("é.json", true),
        ]
    )
    func names(path: String, isDocument: Bool) {
        #expect(isDocumentName(path) == isDocument)
    }

    @Test("a profile may name documents without the usual extension")
    func profileNames() throws {
        let yaml = "profile: a\ndocuments: {data: {}, x.tmp: {}, .hidden: {}}\n"
        let profile = try Profile(yaml: yaml, file: "p")
        #expect(profile.isDocument("data"))
        #expect(profile.isDocument("other.json"))
        #expect(!profile.isDocument("x.tmp"))
        #expect(!profile.isDocument(".hidden"))
        #expect(!profile.isDocument("other"))
    }
}
