import Testing

@testable import Documents

@Suite struct LiveActivityRuleTests {
    private func rule(_ text: String) throws -> LiveActivityRule {
        let yaml = "profile: p\ndocuments: {d.json: {activities: {A: {list: /rows, \(text)}}}}"
        return try #require(try Profile(yaml: yaml, file: "p.yaml").documents[0].activities.first)
    }

    @Test(arguments: [
        ("89.99", "100", 0), ("90", "100", 1), ("0.09", "0.1", 1), ("\"0.1\"", "0.1", 2), ("250", "1E2", 2),
        ("1", "0", 0), ("1", "-1", 0), ("null", "1", 0), ("true", "1", 0),
    ])
    func `A percentage is reached exactly`(_ spent: String, limit: String, level: Int) throws {
        let rule = try rule("start: {percent: /spent, of: /limit, from: [90, 100]}")
        let document = try JSON(#"{"rows":[{"id":"a","spent":\#(spent),"limit":\#(limit)}]}"#)
        #expect(rule.inputs(of: document, zone: nil).map(\.level) == [level])
    }

    @Test func `Times before one of the element start it, and it is over some time after that`() throws {
        let rule = try rule("id: /n, start: {before: /due, times: [3 d, 0 d]}, end: {late: 24 h}")
        let day: Int64 = 86_400_000
        let rows = #"{"n":1,"due":"1970-01-11T00:00:00Z"},{"n":2},{"n":1.0},{"due":5},{"n":1,"due":7}"#
        let found = rule.inputs(of: try JSON("{\"rows\":[\(rows)]}"), zone: nil)
        #expect(found.map(\.id) == ["1", "2", "1.0"])
        #expect(found[0].starts == [7 * day, 10 * day] && found[0].endsBy == 11 * day)
        #expect(found[1].starts == [] && found[1].endsBy == .max)
        #expect(rule.inputs(of: try JSON(#"{"rows":{}}"#), zone: nil) == [])
        #expect(rule.inputs(of: nil, zone: nil) == [])
    }

    @Test func `Only what it shows counts as its content`() throws {
        let rule = try rule("shows: [/a], start: {before: /d, times: [1 d]}, end: {when: {required: [paid]}}")
        func input(_ row: String) throws -> LiveActivityInput {
            try #require(rule.inputs(of: try JSON("{\"rows\":[\(row)]}"), zone: nil).first)
        }
        let one = try input(#"{"id":"x","a":1,"b":2}"#)
        #expect(try input(#"{"id":"x","b":3,"a":1.0}"#).content == one.content)
        #expect(try input(#"{"id":"x","a":2}"#).content != one.content)
        #expect(one.size == #"{"a":1,}"#.utf8.count && !one.isOver)
        #expect(try input(#"{"id":"x","paid":1}"#).isOver)
    }

    @Test(arguments: [
        ("start: {times: [1 d]}", "`times` needs `before`"), ("shows: [/a]", "`start` is missing"),
        ("start: {before: /d}", "`times` is missing"), ("start: {percent: /a, from: [1]}", "`of` is missing"),
        ("start: {before: /d, times: [1 d]}, end: {after: 9 h}", "at most 8 h"),
        ("start: {before: /d, times: [soon]}", "a time such as"),
        ("start: {percent: /a, of: /b, from: [x]}", "whole number"),
    ])
    func `What is wrong in one is said`(_ text: String, reason: String) throws {
        let error = #expect(throws: ProfileError.self) { try rule(text) }
        #expect(error?.reason.text.contains(reason) == true, "\(error?.reason.text ?? "")")
    }

    @Test(arguments: [
        "list: /none, start: {before: /at, times: [1 h]}", "list: /n, start: {before: /at, times: [1 h]}",
        "list: /o, start: {before: /at, times: [1 h]}", "list: /l, start: {before: /none, times: [1 h]}",
        "list: /l, start: {percent: /none, of: /all, from: [50]}",
        "list: /l, start: {percent: /part, of: /none, from: [50]}",
        "list: /l, id: /none, start: {before: /at, times: [1 h]}",
        "list: /l, shows: [/none], start: {before: /at, times: [1 h]}",
    ])
    func `An activity of fields that do not exist is refused`(_ activity: String) throws {
        func profile(_ activity: String) throws -> Profile {
            let yaml = """
                profile: p
                documents:
                  d.json:
                    version: shapes
                    versions:
                      1:
                        schema:
                          properties:
                            n: {type: integer}
                            o: {properties: {id: {type: string}}}
                            l:
                              items:
                                properties:
                                  id: {type: string}
                                  at: {type: string}
                                  part: {type: number}
                                  all: {type: number}
                    activities: {A: {\(activity)}}
                """
            return try Profile(yaml: yaml, file: "p.yaml")
        }
        _ = try profile("list: /l, shows: [/part], start: {percent: /part, of: /all, from: [50]}")
        #expect {
            try profile(activity)
        } throws: { error in
            (error as? ProfileError)?.reason.text.contains("the activity `A`") == true
        }
    }
}
