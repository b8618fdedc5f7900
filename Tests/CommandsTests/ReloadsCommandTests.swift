import Documents
import Testing

@testable import Commands

@Suite struct ReloadsCommandTests {
    private func simulate(_ options: String..., day: String? = nil) async throws -> Ran {
        try await withDirectory { directory in
            if let day { try write(day, to: "\(directory)/day.jsonl") }
            let ran = await run(
                ["reloads", "simulate"] + options + (day == nil ? [] : ["--day", "\(directory)/day.jsonl"])
            )
            return Ran(
                status: ran.status,
                output: ran.output,
                errors: ran.errors.replacing("\(directory)/", with: "")
            )
        }
    }

    private func row(_ kind: String, of ran: Ran) -> [Substring]? {
        ran.output.split(separator: "\n").first { $0.hasPrefix("\(kind) ") }?.split(separator: " ")
    }

    @Test(arguments: [
        ("budget", CommandStatus.done), ("habits", .done), ("todo", .failed), ("finance", .failed),
        ("balances", .failed),
    ])
    func `Three of the five apps freeze as their descriptions have it`(
        _ name: String,
        status: CommandStatus
    ) async throws {
        let ran = try await simulate("--profile", name)
        #expect(ran.status == status && ran.errors.isEmpty)
        let wide = ran.output.split(separator: "\n").filter { String($0).displayWidth > 80 }
        #expect(wide == [])
        let enough = try await simulate("--profile", name, "--budget", "unlimited")
        #expect(enough.status == .done && enough.errors.isEmpty)
    }

    @Test func `The table says when a kind freezes, and which refresh would fit`() async throws {
        let ran = try await simulate("--profile", "todo")
        #expect(
            row("TodoWidget", of: ran) == ["TodoWidget", "40", "288", "40", "03:20", "03:20", "36", "min"]
        )
        let fitting = try await simulate("--profile", "todo", "--budget", "72")
        #expect(row("TodoWidget", of: fitting)?.suffix(2) == ["20", "min"])
    }

    @Test func `JSON has one object for each kind`() async throws {
        let ran = try await simulate("--profile", "finance", "--json")
        let lines = ran.output.split(separator: "\n")
        #expect(ran.status == .failed && lines.count == 12)
        for line in lines { _ = try JSON(parsing: Array(line.utf8)) }
        #expect(
            lines[0].hasPrefix(
                #"{"profile":"finance","kind":"BalanceWidget","budget":40,"asks":48,"granted":40,"#
                    + #""coalesced":7,"invisible":0,"delayed":1,"waitsFrom":"2026-01-18T23:00:00.000Z","#
                    + #""frozenFrom":"2026-01-18T23:00:00.000Z","nextSlot":"2026-01-19T03:00:00.000Z","#
                    + #""used":40,"fitsEveryMinutes":36,"grantedPerHalfHour":[1,1,"#
            )
        )
    }

    @Test func `A day of documents counts what a kind shows`() async throws {
        let day = """
            {"at": "06:00", "document": "balances.json", "content": {"totalsByCurrency": [], "accountCount": 0}}

            {"at": "06:01", "document": "balances.json", "content": {"accountCount": 0.0, "totalsByCurrency": []}}
            {"at": "06:02:30", "document": "balances.json"}
            {"at": "06:02:30", "kind": "PennyWidget"}
            {"at": "06:02:30", "kind": "PennyWidget"}
            """
        let ran = try await simulate("--profile", "balances", "--budget", "200", "--json", day: day)
        #expect(ran.errors.isEmpty)
        #expect(ran.output.contains(#""asks":100,"granted":99,"coalesced":1,"invisible":1,"delayed":0,"#))
    }

    @Test func `Reloads are free while the app is in the foreground`() async throws {
        let day = """
            {"at":"10:00","app":"foreground","minutes":60}
            {"at":"10:30","kind":"TodoWidget"}
            """
        let ran = try await simulate("--profile", "todo", "--json", day: day)
        #expect(ran.status == .failed)
        #expect(ran.output.contains(#""used":40,"#) && ran.output.contains(#""granted":53,"#))
    }

    @Test func `Times of day are local, on the day of the first time with a date`() async throws {
        let day = """
            {"at": "2026-03-29T10:00:00+02:00", "kind": "BudgetWidget"}
            {"at": "08:00", "kind": "BudgetWidget"}
            """
        let ran = try await simulate("--profile", "budget", "--budget", "0", "--json", day: day)
        #expect(ran.output.contains(#""frozenFrom":"2026-03-28T23:00:00.000Z""#))
        let table = try await simulate("--profile", "budget", "--budget", "0", day: day)
        #expect(row("BudgetWidget", of: table)?[5] == "00:00")
        // The clocks were put forward at 2:00: the day has no half-hours from then to 3:00.
        let lines =
            #"{"at":"2026-03-29T12:00:00Z","app":"background"}"# + "\n" + #"{"at":"08:00","app":"audio"}"#
        let freed = try await simulate("--profile", "budget", "--budget", "0", "--json", day: lines)
        let before = #""grantedPerHalfHour":[\#(String(repeating: "0,", count: 16))1,"#
        #expect(freed.output.contains(before))
    }

    @Test func `A day of 25 hours has all of them`() async throws {
        let day = """
            {"at":"2026-10-25T10:00:00Z","app":"background"}
            {"at":"23:30","kind":"BudgetWidget"}
            """
        let ran = try await simulate("--profile", "budget", "--budget", "unlimited", "--json", day: day)
        #expect(ran.errors.isEmpty && ran.output.contains(#""asks":51,"#))
    }

    @Test func `A day before 1970 has its half-hours, too`() async throws {
        let day = #"{"at":"1960-02-29T10:00:00.500Z","kind":"BudgetWidget"}"#
        let ran = try await simulate("--profile", "budget", "--budget", "unlimited", "--json", day: day)
        #expect(ran.errors.isEmpty && ran.output.contains(#""grantedPerHalfHour":[1,1,1,"#))
    }

    @Test(arguments: [
        ("{", "not JSON: "), ("[]", "expected a JSON object, "), ("{}", "expected `at` with a time such as "),
        (#"{"at":"24:00","kind":"K"}"#, "expected `at` with a time such as "),
        (#"{"at":8,"kind":"K"}"#, "expected text for `at`, "),
        (#"{"at":"08:00"}"#, "expected one of `document`, `kind` and `app`, "),
        (#"{"at":"08:00","kind":"K","app":"audio"}"#, "expected one of `document`, `kind` and `app`, "),
        (#"{"at":"08:00","kind":"BudgetWidgt"}"#, "unknown kind `BudgetWidgt`, "),
        (#"{"at":"08:00","document":"a.json"}"#, "unknown document `a.json`, "),
        (#"{"at":"08:00","app":"asleep"}"#, "unknown activity `asleep`, "),
        (#"{"at":"08:00","app":"audio","minutes":0}"#, "expected `minutes` from 1 to 1440, "),
        (#"{"at":"9999-12-31T23:59:59Z","app":"audio"}"#, "expected a day of the years 1 to 9998, "),
        (#"{"at":"0000-01-01T00:00:00Z","app":"audio"}"#, "expected a day of the years 1 to 9998, "),
        (#"{"at":"08:00","kind":"BudgetWidget","content":{"a":1}}"#, "`content` needs `document`, "),
        (#"{"at":"08:00","document":"budget.json","minutes":5}"#, "`minutes` needs `app`, "),
        (#"{"at":"08:00","kinds":"K"}"#, "unknown key `kinds`, "),
        (#"{"at":"08:00","at":"09:00","kind":"K"}"#, "`at` is given twice, "),
        (#"{"at":"08:00","document":"budget.json","content":null}"#, "expected an object with members, "),
        (#"{"at":"08:00","document":"budget.json","content":{}}"#, "expected an object with members, "),
        (#"{"at":"08:00","document":"budget.json","content":{"version":9}}"#, ""),
        (
            #"{"at":"2026-03-29T10:00:00Z","app":"audio"}"# + "\n"
                + #"{"at":"2026-03-31T10:00:00Z","app":"audio"}"#,
            "the time is not within the first one's day, day.jsonl:2; "
        ),
    ])
    func `A line that is wrong is named`(_ day: String, words: String) async throws {
        let ran = try await simulate("--profile", "budget", day: day)
        #expect(ran.status == .usage && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: \(words)"), "\(ran.errors)")
        #expect(ran.errors.contains("day.jsonl:"), "\(ran.errors)")
        #expect(ran.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["--profile", "nonsense"], ["--profile", "/nowhere/x.yaml"], [],
        ["--profile", "todo", "--budget", "-1"],
        ["--profile", "todo", "--budget", "many"], ["--profile", "todo", "--day", "/nowhere/day.jsonl"],
    ])
    func `What cannot be simulated is wrong usage, not a kind that freezes`(_ options: [String]) async {
        let ran = await run(["reloads", "simulate"] + options)
        #expect(ran.status == .usage && ran.output.isEmpty)
        #expect(ran.errors.hasPrefix("widgetbridge: "))
    }

    @Test func `The help lists only the options that a simulation uses`() async {
        let page = await run(["reloads", "simulate", "--help"]).output
        #expect(page.contains("--from-history") && page.contains("--profile"))
        #expect(!page.contains("--durability") && !page.contains("--max-document"))
    }

    @Test func `The help defines the words of reloads`() async {
        let page = await run(["reloads", "--help"]).output
        for word in ["budget", "exemption", "coalesce", "timeline", "staleness"] {
            #expect(page.contains("\n\(word): "))
        }
    }

    @Test func `The chart fits a narrow terminal`() async {
        let options = ["reloads", "simulate", "--profile", "finance"]
        let narrow = await run(options, columns: 40).output
        #expect(narrow.contains("GRANTED PER HOUR"))
        let chart = narrow.split(separator: "\n").drop { !$0.contains("GRANTED PER") }
        #expect(chart.allSatisfy { String($0).displayWidth <= 40 } && chart.count == 14)
    }
}
