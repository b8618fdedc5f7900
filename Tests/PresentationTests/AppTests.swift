import Documents
import Testing

@testable import Presentation

/// What the widgets of four apps show. Lines are those of each app's own document.
@Suite("The widgets of the built-in profiles") struct AppTests {
    /// 2026-01-18T14:30:00Z.
    private static let now: Int64 = 1_768_746_600_000

    private func shown(
        _ kind: String,
        of name: String,
        _ document: String,
        family: String? = nil,
        locale: String? = nil,
        at now: Int64 = now
    ) throws -> Shown {
        let profile = try Profile(yaml: try #require(Profile.builtInText(name)), file: name)
        let rule = profile.documents[0]
        let widget = try #require(rule.kinds.first { $0.name == kind })
        let zone = profile.timeZone.map { JSONExpression.Zone(name: $0.name, rules: $0.rules) } ?? .utc
        let size = widget.families.first { $0.name == family }
        #expect(family == nil || size != nil)
        let setting = WidgetSetting(locale: locale ?? profile.locale, zone: zone, now: now).with(size)
        let found = ShownDocument(of: Array(document.utf8), rule, saved: now, in: setting)
        let shown = Shown(of: found, in: widget, setting)
        #expect(shown.values.fault == nil, "\(shown.text ?? "")")
        return shown
    }

    private func text(_ name: String, of shown: Shown) -> String? {
        shown.texts.first { $0.name == name }?.text.replacing("\u{A0}", with: " ")
    }

    private func rowTexts(_ name: String, of shown: Shown) -> [String] {
        shown.rowTexts.compactMap { $0.first { $0.name == name }?.text.replacing("\u{A0}", with: " ") }
    }

    private func rows(_ name: String, of shown: Shown) -> [String] {
        (shown.values.rows ?? []).map { row in
            guard case .object(let members) = row,
                let member = members.first(where: { $0.key == Array(name.utf8) })
            else { return "" }
            return String(decoding: member.value.bytes, as: UTF8.self)
        }
    }

    private func value(_ name: String, of shown: Shown) -> String? {
        shown.values.values.first { $0.name == name }.map { String(decoding: $0.value.bytes, as: UTF8.self) }
    }

    // MARK: Habits

    private func habits(done: [String], day: String = "2026-01-18") -> String {
        let habits = (1...5).map {
            #""h\#($0)":{"id":"h\#($0)","title":"Habit \#($0)","order":\#(60 - $0 * 10)}"#
        }
        let checks = done.map { #""\#($0):\#(day)":{"habitId":"\#($0)","date":"\#(day)","completed":true}"# }
        return
            #"[{"habits":{\#(habits.joined(separator: ","))},"checks":{\#(checks.joined(separator: ","))}},{}]"#
    }

    @Test func `Habits are those that are not done today, in their order (lines 123 to 137)`() throws {
        let small = try shown("HabitWidget", of: "habits", habits(done: ["h5"]), family: "systemSmall")
        #expect(rows("title", of: small) == [#""Habit 4""#, #""Habit 3""#, #""Habit 2""#])
        #expect(text("more", of: small) == "+1 more")
        let large = try shown("HabitWidget", of: "habits", habits(done: []), family: "systemLarge")
        #expect(large.values.rows?.count == 5 && text("more", of: large)?.isEmpty == true)
    }

    @Test func `Habits that are all done say so until midnight (lines 133 to 135)`() throws {
        let all = habits(done: ["h1", "h2", "h3", "h4", "h5"])
        let done = try shown("HabitWidget", of: "habits", all)
        #expect(done.state == .fresh && done.text == "All habits completed today! 🌸")
        #expect(done.changesAt == 1_768_780_800_000)
        let tomorrow = try shown("HabitWidget", of: "habits", all, at: 1_768_780_800_000)
        #expect(tomorrow.text == nil && tomorrow.values.rows?.count == 5)
        let none = try shown("HabitWidget", of: "habits", #"[{},{}]"#)
        #expect(none.state == .noData && none.text == "Add your first habit in BeeBloom")
    }

    // MARK: Todo

    private func todo(_ config: String = "") -> String {
        """
        {"config":{"name":"Work","size":1,"showCompleted":false,"showCategories":true,"showPriority":true,\
        "maxTasks":3\(config)},"tasks":[\
        {"id":1,"title":"A","isCompleted":false,"priority":0,"priorityLabel":"High","priorityColor":1,\
        "dueDate":1768746500000,"category":{"name":"work","color":2}},\
        {"id":2,"title":"B","isCompleted":true,"priority":1,"priorityLabel":"Medium","priorityColor":1},\
        {"id":3,"title":"C","isCompleted":false,"priority":2,"priorityLabel":"Low","priorityColor":1,\
        "dueDate":1768750200000},\
        {"id":4,"title":"D","isCompleted":false,"priority":2,"priorityLabel":"Low","priorityColor":1},\
        {"id":5,"title":"E","isCompleted":false,"priority":2,"priorityLabel":"Low","priorityColor":1}],\
        "updatedAt":1768746000000,"taskCount":5,"completedCount":1,"overdueCount":0}
        """
    }

    @Test func `Tasks are the first two, three or as many as the configuration has (lines 222 to 377)`()
        throws
    {
        let small = try shown("TodoWidget", of: "todo", todo(), family: "systemSmall")
        #expect(rows("title", of: small) == [#""A""#, #""C""#] && text("more", of: small) == "+2 more")
        #expect(text("tasks", of: small) == "5 tasks" && text("percent", of: small) == "20%")
        #expect(text("of", of: small) == "of 5" && text("done", of: small) == "1 done")
        let medium = try shown("TodoWidget", of: "todo", todo(), family: "systemMedium")
        #expect(rows("title", of: medium).count == 3 && text("more", of: medium) == "+1 more")
        let large = try shown("TodoWidget", of: "todo", todo(), family: "systemLarge")
        #expect(rows("title", of: large).count == 3)
    }

    @Test func `A task becomes overdue without a write (lines 280 to 284)`() throws {
        let before = try shown("TodoWidget", of: "todo", todo())
        #expect(value("overdue", of: before) == "1" && text("overdue", of: before) == "1 overdue")
        #expect(before.changesAt == 1_768_750_201_000)
        let after = try shown("TodoWidget", of: "todo", todo(), at: 1_768_750_201_000)
        #expect(
            value("overdue", of: after) == "2" && rows("overdue", of: after).prefix(2) == ["true", "true"]
        )
    }

    @Test func `A filter and hidden columns are obeyed (lines 79 to 88)`() throws {
        let filtered = try shown("TodoWidget", of: "todo", todo(#","categoryFilter":"work""#))
        #expect(rows("title", of: filtered) == [#""A""#] && rows("category", of: filtered) == [#""work""#])
        let plain = todo().replacing("\"showCategories\":true", with: "\"showCategories\":false")
        #expect(rows("category", of: try shown("TodoWidget", of: "todo", plain))[0] == "null")
        let all = todo().replacing("\"showCompleted\":false", with: "\"showCompleted\":true")
        #expect(rows("title", of: try shown("TodoWidget", of: "todo", all)).count == 5)
    }

    @Test func `No tasks are no data (lines 592 to 606)`() throws {
        let empty = #"{"tasks":[],"updatedAt":1,"taskCount":0,"completedCount":0,"overdueCount":0}"#
        let none = try shown("TodoWidget", of: "todo", empty)
        #expect(none.state == .noData && none.text == "No tasks")
    }

    // MARK: Balances

    @Test(arguments: [(0, "0 accounts"), (1, "1 account"), (3, "3 accounts")])
    func `Balances say how many accounts there are (line 149)`(_ count: Int, _ words: String) throws {
        let document = """
            {"totalsByCurrency":[{"currency":"USD","total":"-12.00","formatted":"-$12.00"},\
            {"currency":"EUR","total":"0","formatted":"€0.00"}],"accountCount":\(count)}
            """
        let shown = try shown("PennyWidget", of: "balances", document)
        #expect(text("accounts", of: shown) == words)
        #expect(rows("sign", of: shown) == [#""negative""#, #""positive""#])
    }

    @Test func `No accounts are no data, not an error (lines 156 to 167)`() throws {
        let none = try shown("PennyWidget", of: "balances", #"{"totalsByCurrency":[],"accountCount":0}"#)
        #expect(none.state == .noData && none.text == "No accounts yet")
    }

    // MARK: Finance

    private let finance = """
        {"lastUpdated":"2026-01-18T14:30:00Z","totalBalance":12534.5,"monthlyIncome":5000,"monthlyExpenses":3200.5,\
        "accounts":[{"id":"1","name":"A","type":"checking","balance":2534.5,"currency":"BRL"},\
        {"id":"2","name":"B","type":"savings","balance":10000,"currency":"BRL"}],\
        "budgets":[{"id":"1","name":"Food","category":"f","categoryIcon":"i","spent":75,"limit":100},\
        {"id":"2","name":"Fun","category":"f","categoryIcon":"i","spent":95,"limit":100},\
        {"id":"3","name":"Gas","category":"f","categoryIcon":"i","spent":10,"limit":100}],\
        "upcomingBills":[{"id":"1","name":"Electricity","amount":120,"dueDate":"2026-01-21T12:00:00Z","status":"due",\
        "categoryIcon":"i"},{"id":"2","name":"Rent","amount":900,"dueDate":"2026-01-17T12:00:00Z","status":"due",\
        "categoryIcon":"i"},{"id":"3","name":"Gym","amount":9,"dueDate":"2026-01-19T12:00:00Z","status":"paid",\
        "categoryIcon":"i"}],\
        "goals":[{"id":"1","name":"Trip","currentAmount":500,"targetAmount":1000,"targetDate":"2026-03-19T12:00:00Z",\
        "categoryIcon":"i"}],\
        "creditCards":[{"id":"1","name":"Visa","currentBalance":250,"creditLimit":1000,"brand":"visa",\
        "dueDate":"2026-01-25T12:00:00Z"}],\
        "recentTransactions":[{"id":"1","description":"Bread","amount":5,"date":"2026-01-18T12:00:00Z",\
        "type":"expense","category":"f","categoryIcon":"i"},{"id":"2","description":"Tea","amount":4,\
        "date":"2026-01-17T12:00:00Z","type":"expense","category":"f","categoryIcon":"i"},\
        {"id":"3","description":"Jam","amount":4,"date":"2026-01-10T12:00:00Z","type":"expense","category":"f",\
        "categoryIcon":"i"}]}
        """

    @Test func `A balance is abbreviated as the document has it (lines 61 and 111)`() throws {
        let lock = try shown("BalanceLockWidget", of: "finance", finance)
        #expect(text("short", of: lock) == "R$ 12.5k" && text("total", of: lock) == "R$ 12.534,50")
        let home = try shown("BalanceWidget", of: "finance", finance, family: "systemSmall")
        #expect(rows("name", of: home) == [#""B""#] && home.values.more == 1)
        #expect(value("byType", of: home)?.contains(#"{"type":"savings","balance":10000}"#) == true)
    }

    @Test func `A month has its net and the days that remain (lines 69 and 70)`() throws {
        let summary = try shown("MonthlySummaryWidget", of: "finance", finance)
        #expect(value("net", of: summary) == "1799.5" && value("daysLeft", of: summary) == "14")
        #expect(text("net", of: summary) == "R$ 1.799,50")
    }

    @Test func `Budgets come by their share, with its colour (lines 76 and 119)`() throws {
        let budgets = try shown("BudgetWidget", of: "finance", finance, family: "systemMedium")
        #expect(rows("name", of: budgets) == [#""Fun""#, #""Food""#, #""Gas""#])
        #expect(rows("level", of: budgets) == [#""red""#, #""yellow""#, #""green""#])
        #expect(rowTexts("percent", of: budgets) == ["95%", "75%", "10%"])
        let lock = try shown("BudgetLockWidget", of: "finance", finance, family: "accessoryCircular")
        #expect(rows("name", of: lock) == [#""Fun""#] && text("health", of: lock) == "60%")
    }

    @Test func `Bills say when they are due, in two languages (lines 83, 84 and 115)`() throws {
        let bills = try shown("BillsWidget", of: "finance", finance)
        #expect(rowTexts("due", of: bills) == ["Vencido", "em 3 dias"])
        let english = try shown("BillsWidget", of: "finance", finance, locale: "en_US")
        #expect(rowTexts("line", of: english) == ["Rent overdue", "Electricity in 3 days"])
        let lock = try shown("BillsDueLockWidget", of: "finance", finance, locale: "en_US")
        #expect(text("week", of: lock) == "1 bill due this week")
        // At the next midnight in São Paulo.
        #expect(bills.values.changesAt == 1_768_791_600_000)
    }

    @Test func `Goals say what is missing, and what that is in a month (lines 90 to 92 and 124)`() throws {
        let goals = try shown("GoalsLockWidget", of: "finance", finance, locale: "en_US")
        #expect(rowTexts("remaining", of: goals) == ["R$500 to go"] && rows("monthly", of: goals) == ["250"])
        #expect(rowTexts("percent", of: goals) == ["50%"])
    }

    @Test func `Cards and transactions (lines 98 to 106)`() throws {
        let cards = try shown("CreditCardWidget", of: "finance", finance)
        #expect(text("utilization", of: cards) == "25%" && rowTexts("available", of: cards) == ["R$ 750,00"])
        let transactions = try shown("TransactionsWidget", of: "finance", finance)
        #expect(rowTexts("day", of: transactions) == ["Hoje", "Ontem", "Antes"])
    }

    @Test(arguments: Profile.builtInNames)
    func `A document without lists is no error`(_ name: String) throws {
        let documents = [
            "finance":
                #"{"lastUpdated":"2026-01-18T14:30:00Z","totalBalance":0,"monthlyIncome":0,"monthlyExpenses":0}"#,
            "habits": #"[{},{}]"#, "balances": #"{"totalsByCurrency":[],"accountCount":0}"#,
            "todo": #"{"tasks":[],"updatedAt":1,"taskCount":0,"completedCount":0,"overdueCount":0}"#,
        ]
        guard let document = documents[name] else { return }
        for kind in try #require(Profile.builtIn(name)).documents[0].kinds {
            #expect(try shown(kind.name, of: name, document).state != .error, "\(kind.name)")
        }
    }
}
