import Documents
import TestDocuments
import Testing

/// Valid states of the five apps that look unusual.
@Suite struct AppStatesTests {
    private func rule(_ name: String) throws -> DocumentRule {
        try #require(Profile.builtIn(name)).rule(for: "\(name).json")
    }

    /// Checks the way to version 2, without violations, and that it alone restores all values but these.
    private func checkWay(_ text: String, _ name: String, losing losses: [String] = []) throws -> String {
        let rule = try rule(name)
        let v1 = try JSON(text)
        #expect(rule.version(of: v1) == .known(1))
        let migration = rule.migration(of: v1)
        if losses.isEmpty {
            #expect(migration.verdict == .lossless)
            #expect(rule.check(migrationOf: v1) == .same(isExact: true))
        } else if case .lossy(let found) = migration.verdict {
            #expect(Set(found.map(\.pointer)) == Set(losses))
        } else {
            Issue.record("\(migration.verdict)")
        }
        let v2 = try #require(migration.result)
        #expect(rule.version(of: v2) == .known(2))
        return v2.string
    }

    // MARK: Budget

    @Test func `A budget without a limit may have spending`() throws {
        let first = Budget.v1.replacing("800.00", with: "0")
        let v2 = try checkWay(first, "budget")
        #expect(v2 == Budget.v2.replacing("800.00", with: "0"))
        // "First expense": the amount is shown, not an error.
        #expect(try rule("budget").errorState(of: JSON(v2))?.state == nil)
    }

    @Test(arguments: [
        (#""spent":0,"limit":0,"month":"","hasError":false"#, "Budget non configurato"),
        (
            #""spent":0,"limit":0,"month":"","hasError":true"#,
            "{message, select, null {Errore sconosciuto} other {{message}}}"
        ),
    ])
    func `A fresh install and an error are distinguished`(state: String, words: String) throws {
        let v1 = #"{\#(state),"isDarkMode":false,"lastUpdated":"2026-01-18T14:30:00.000Z","groupId":""}"#
        let v2 = try JSON(checkWay(v1, "budget", losing: ["/hasError"]))
        #expect(try rule("budget").errorState(of: v2)?.text == words)
    }

    // MARK: Balances

    static let totals = #"[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"}]"#

    @Test(arguments: [#","lastUpdate":null"#, #","lastUpdate":"2026-01-18T14:30:00.000Z""#, ""])
    func `Balances may have no last update`(lastUpdate: String) throws {
        let v1 = #"{"totalsByCurrency":\#(Self.totals),"accountCount":3\#(lastUpdate)}"#
        let v2 = try checkWay(v1, "balances")
        #expect(v2.contains(lastUpdate.isEmpty ? "1970-01-01T00:00:00.000Z" : lastUpdate))
    }

    @Test(arguments: [("[]", "0", true), ("[]", "2", true), (totals, "0", false), (totals, "3", false)])
    func `A document without balances has no accounts, whatever its counts say`(
        totals: String,
        count: String,
        isEmpty: Bool
    ) throws {
        let v2 = try JSON(
            #"{"totalsByCurrency":\#(totals),"accountCount":\#(count),"lastUpdate":null,"#
                + #""recentOperations":[],"topAccounts":[]}"#
        )
        let rule = try rule("balances")
        #expect(rule.violations(of: v2, version: 2).map(\.text) == [])
        #expect(rule.errorState(of: v2)?.text == (isEmpty ? "No accounts yet" : nil))
    }

    @Test func `Recent operations alone do not make a document version 2`() throws {
        let v1 =
            #"{"totalsByCurrency":[],"accountCount":0,"recentOperations":[{"id":7,"type":"in","amount":"1.00","#
            + #""formattedAmount":"$1.00","date":"2026-01-18"}]}"#
        let v2 = try checkWay(v1, "balances", losing: ["/recentOperations"])
        #expect(v2.contains(#""id":7"#) && v2.contains(#""topAccounts":[]"#))
        let both = try JSON(#"{"recentOperations":[],"topAccounts":[]}"#)
        #expect(try rule("balances").version(of: both) == .known(2))
    }

    // MARK: Todo

    @Test func `More tasks than the app's design expects are synced`() throws {
        let tasks = (1...57).map {
            #"{"id":\#($0),"title":"t","isCompleted":0,"priority":2,"priorityLabel":"Low","priorityColor":1}"#
        }
        let v1 =
            #"{"tasks":[\#(tasks.joined(separator: ","))],"updatedAt":1,"taskCount":57,"completedCount":0,"#
            + #""overdueCount":0}"#
        let losses = (0..<57).map { "/tasks/\($0)/isCompleted" }
        let v2 = try checkWay(v1, "todo", losing: losses)
        #expect(v2.contains(#""id":57,"title":"t","isCompleted":false"#))
    }

    // MARK: Habits

    /// h1 is migrated, h2 is not, and h3 was deleted before.
    static let half =
        #"[{"habits":{"h1":{"id":"h1","title":"Water","groupId":"g1","order":0,"weeklyTarget":5},"#
        + #""h2":{"id":"h2","title":"Run","group":"Health"},"h3":{"id":"h3","title":"Read","group":"Art","#
        + #""deletedAt":"2026-01-02T08:00:00.000Z"}},"#
        + #""habitGroups":{"g1":{"id":"g1","title":"Health","order":0}}},{}]"#

    @Test func `Partly migrated habits are migrated further and keep their groups`() throws {
        let v2 = try checkWay(
            Self.half,
            "habits",
            losing: ["/0/habitGroups"]
                + ["groupId", "order", "weeklyTarget", "group"].map { "/0/habits/h1/\($0)" }
        )
        #expect(
            v2
                == #"[{"habits":{"h1":{"id":"h1","title":"Water","groupId":"g1","order":0,"weeklyTarget":5},"#
                + #""h2":{"id":"h2","title":"Run","groupId":"g1","order":10,"weeklyTarget":7},"#
                + #""h3":{"id":"h3","title":"Read","groupId":"group:Art","#
                + #""deletedAt":"2026-01-02T08:00:00.000Z","order":20,"weeklyTarget":7}},"#
                + #""habitGroups":{"g1":{"id":"g1","title":"Health","order":0},"#
                + #""group:Art":{"id":"group:Art","title":"Art","order":0}}},{}]"#
        )
    }

    @Test func `An edit of the widget reaches migrated and unmigrated habits`() throws {
        let rule = try rule("habits")
        let v1 = try JSON(Self.half)
        let v2 = try #require(rule.migration(of: v1).result)
        let edited = try JSON(
            v2.string.replacing("Water", with: "Tea").replacing("Run", with: "Swim")
                .replacing(#""title":"Health""#, with: #""title":"Sport""#)
        )
        let back = try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1))
        #expect(
            back.string
                == Self.half.replacing("Water", with: "Tea").replacing("Run", with: "Swim")
                .replacing("Health", with: "Sport")
        )
    }

    @Test(arguments: [
        // The deleted one was never migrated, but all visible ones are.
        (
            #"{"h1":{"id":"h1","title":"a","order":0},"h2":{"id":"h2","title":"b","group":"Art","#
                + #""deletedAt":"2026-01-02T08:00:00.000Z"}}"#, 2, []
        ),
        // The older app deleted its only habit, so nothing else is left.
        (#"{"h2":{"id":"h2","title":"b","group":"Art","deletedAt":"2026-01-02T08:00:00.000Z"}}"#, 1, []),
        (#"{"h1":{"id":"h1","title":"a","order":0},"h2":{"id":"h2","title":"b","group":"Art"}}"#, 1, ["h1"]),
        (#"{"h1":{"id":"h1","title":"a"},"h2":{"id":"h2","title":"b","order":0}}"#, 1, ["h2"]),
    ])
    func `A deleted habit does not determine the version`(
        habits: String,
        version: Int,
        losingOrder: [String]
    ) throws {
        let document = try JSON(#"[{"habits":\#(habits)},{}]"#)
        let rule = try rule("habits")
        #expect(rule.version(of: document) == .known(version))
        #expect(rule.violations(of: document, version: version).map(\.text) == [])
        let losses = losingOrder.map { "/0/habits/\($0)/order" }
        if version == 1 { _ = try checkWay(document.string, "habits", losing: losses) }
    }

    @Test(arguments: [
        ("{}", true), (#"{"h":{"id":"h","title":"a","deletedAt":"2026-01-02T08:00:00Z"}}"#, true),
        (#"{"h":{"id":"h","title":"a"}}"#, false),
    ])
    func `Deleted habits do not count as habits`(habits: String, isEmpty: Bool) throws {
        let document = try JSON(#"[{"habits":\#(habits)},{}]"#)
        #expect(try rule("habits").errorState(of: document)?.state == (isEmpty ? .noData : nil))
    }

    // MARK: Finance

    @Test func `A goal or a card without a date is valid`() throws {
        let v1 =
            #"{"lastUpdated":790439400,"totalBalance":1,"monthlyIncome":1,"monthlyExpenses":1,"#
            + #""goals":[{"id":"g","name":"Casa","currentAmount":1,"targetAmount":2,"targetDate":null,"#
            + #""categoryIcon":"i"}],"creditCards":[{"id":"c","name":"n","currentBalance":1,"#
            + #""creditLimit":2,"dueDate":null,"brand":"b"}]}"#
        let v2 = try checkWay(v1, "finance")
        #expect(v2 == v1.replacing("790439400", with: "\"2026-01-18T14:30:00Z\""))
    }
}
