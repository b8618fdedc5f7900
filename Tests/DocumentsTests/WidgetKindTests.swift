import Testing

@testable import Documents

@Suite struct WidgetKindTests {
    private func profile(_ kind: String) throws -> Profile {
        let yaml = """
            profile: p
            documents:
              d.json:
                version: {field: v}
                versions:
                  1:
                    schema:
                      type: object
                      properties:
                        v: {type: integer}
                        rows: {type: array, items: {type: object, properties: {at: {}, a: {}}}}
                kinds:
                  K: \(kind)
            """
        return try Profile(yaml: yaml, file: "p.yaml")
    }

    @Test func `A kind has a budget, a time of coalescing, what it ignores and daily times`() throws {
        let text =
            "{budget: 55, coalesce: 5 s, ignore: [/rows/*/at], refresh: {daily: [20:30, 08:00]}}"
        let kind = try profile(text).documents[0].kinds[0]
        #expect(kind.budget == .limited(55) && kind.coalesce == 5000)
        #expect(kind.ignores.map(\.description) == ["/rows/*/at"])
        #expect(kind.refresh?.daily == [8 * 3600, 20 * 3600 + 1800] && kind.refresh?.interval == nil)
        #expect(kind.refresh?.dailyTexts == ["08:00", "20:30"])
        let other = try profile("{budget: unlimited, coalesce: 0 ms, refresh: {daily: 23:59}}").documents[0]
            .kinds[0]
        #expect(other.budget == .unlimited && other.coalesce == 0 && other.refresh?.daily == [86_340])
        let plain = try profile("{}").documents[0].kinds[0]
        #expect(plain.budget == nil && plain.coalesce == nil && plain.ignores == [] && plain.refresh == nil)
    }

    @Test(arguments: ["budget: 1.5", "budget: 07", "coalesce: 61 min", "coalesce: -1 s", "ignore: [rows]"])
    func `What is none of them is refused`(_ key: String) {
        #expect(throws: ProfileError.self) { try profile("{\(key)}") }
    }

    @Test(arguments: ["24:00", "08:60", "8:00", "08:00:00", "0800", ""])
    func `What is no time of day is refused`(_ time: String) {
        #expect(throws: ProfileError.self) { try profile("{refresh: {daily: ['\(time)']}}") }
    }

    @Test(arguments: [
        ("{entries: 5, step: 15 min}", 60), ("{entries: 6, step: 15 min, then: atEnd}", 75),
        ("{entries: 5, step: 15 min, then: after 30 min}", 90), ("{entries: 1, then: after 2 h}", 120),
        ("{entries: 5, step: 15 min, then: never}", nil), ("{every: 30 min}", 30),
    ])
    func `A reload is asked for after the entries of a timeline`(_ refresh: String, _ minutes: Int?) throws {
        let kind = try profile("{refresh: \(refresh)}").documents[0].kinds[0]
        #expect(kind.refresh?.interval == minutes)
    }

    @Test(arguments: [
        "{entries: 5}", "{entries: 1}", "{entries: 0, step: 1 min}", "{entries: 1001, step: 1 min}",
        "{step: 1 min}", "{then: never}", "{entries: 2, step: 1 min, every: 5 min}",
        "{entries: 2, step: 1 min, then: sometimes}", "{entries: 2, step: 1 min, then: after 1 s}",
        "{entries: 2, step: 0 min}", "{entries: 5, step: 1 min, least: 1 min}", "{midnight: perhaps}",
    ])
    func `A timeline that cannot be is refused with its line`(_ refresh: String) {
        #expect {
            try profile("{refresh: \(refresh)}")
        } throws: {
            ($0 as? ProfileError)?.line == 13
        }
    }

    @Test func `Midnight is one of the daily times, once`() throws {
        let midnight = try profile("{refresh: {midnight: true, daily: [08:00]}}").documents[0].kinds[0]
        #expect(midnight.refresh?.dailyTexts == ["00:00", "08:00"])
        let twice = try profile("{refresh: {midnight: true, daily: [00:00]}}").documents[0].kinds[0]
        #expect(twice.refresh?.dailyTexts == ["00:00"])
        #expect(try profile("{refresh: {midnight: false}}").documents[0].kinds[0].refresh?.daily == [])
    }

    @Test func `Lint finds times of day without a time zone`() throws {
        func findings(_ zone: String) throws -> [LintFinding.Rule] {
            let yaml = try profile("{refresh: {midnight: true}}").yaml
            return try Profile(yaml: yaml + zone, file: "p.yaml").lint().map(\.rule)
        }
        #expect(try findings("") == [.timeZoneMissing])
        #expect(try findings("\ntimeZone: machine") == [])
        #expect(try findings("\ntimeZone: {name: Europe/Rome, rule: 'CET-1CEST,M3.5.0,M10.5.0/3'}") == [])
    }

    @Test func `A kind cannot ignore what no document has`() throws {
        #expect {
            try profile("{ignore: [/rows/*/b]}")
        } throws: {
            ($0 as? ProfileError)?.line == 13
        }
    }

    @Test func `A change of what a kind ignores is none`() throws {
        let rule = try profile("{shows: [/rows], ignore: [/rows/*/at]}").documents[0]
        let old = try JSON(#"{"v":1,"rows":[{"a":1,"at":1}]}"#)
        for same in [#"{"v":1,"rows":[{"a":1.0,"at":2}]}"#, #"{"rows":[{"a":1}],"v":2}"#] {
            #expect(rule.kinds(changedBetween: old, and: try JSON(same)) == [])
        }
        for other in [#"{"rows":[{"a":2,"at":1}]}"#, #"{"rows":[{"at":1}]}"#, "{}", #"{"rows":[]}"#] {
            #expect(rule.kinds(changedBetween: old, and: try JSON(other)) == ["K"])
        }
    }

    @Test func `Visible contents are the same exactly where the values are equal`() throws {
        let kind = WidgetKind(name: "K", shows: [])
        var generator = TextGenerator(seed: 7)
        let texts = (0..<60).map { _ in generator.document() }
        let documents = try
            (texts + ["[1,2]", "[12]", "[\"1\"]", "[\"a\",\"b\"]", "[\"a,b\"]", "[1e2]", "[100]"])
            .map { try JSON($0) }
        let contents = documents.map(kind.visibleContent)
        for (one, content) in zip(documents, contents) {
            for (other, otherContent) in zip(documents, contents) {
                #expect(one.isEqual(to: other) == (content == otherContent), "\(one.string) \(other.string)")
            }
        }
    }

    @Test func `A budget of the profile, and daily times, count for the warning of too many reloads`() throws
    {
        func findings(_ kind: String) throws -> [String] {
            try profile(kind).lint().filter { $0.rule == .reloadBudget }.map(\.reason.text)
        }
        #expect(try findings("{refresh: {every: 20 min}}") == [])
        let most = "requests 73 reloads a day; the system grants at most 72"
        #expect(try findings("{refresh: {every: 20 min, daily: [08:00]}}") == [most])
        #expect(try findings("{refresh: {every: 20 min}, budget: 70}").count == 1)
        #expect(try findings("{refresh: {every: 1 min}, budget: unlimited}") == [])
    }

    @Test func `Of a kind of two documents, other rules of the second one are found`() throws {
        func findings(_ kind: String) throws -> [String] {
            let yaml = """
                profile: p
                documents:
                  a.json: {kinds: {K: {budget: 40, refresh: {every: 60 min}}}}
                  b.json: {kinds: {K: \(kind)}}
                """
            return try Profile(yaml: yaml, file: "p.yaml").lint().map(\.text)
        }
        #expect(try findings("{}") == [])
        #expect(try findings("{budget: 40}") == [])
        let told = "b.json: KIND_RULES `K`: only what `a.json` says of its reloads counts"
        for kind in ["{budget: 50}", "{coalesce: 1 s}", "{refresh: {every: 30 min}}"] {
            #expect(try findings(kind) == [told])
        }
    }
}
