package import Documents
import Testing

/// One document of an app in both versions, from the app's description.
package struct Fixture: Sendable {
    package var name: String
    package var profile: String
    package var v1: String
    package var v2: String
    /// What version 2 alone cannot restore: version 1 has explicitly what is added where it is missing.
    package var losses: [String] = []

    package func rule() throws -> DocumentRule {
        try #require(Profile.builtIn(profile)).rule(for: "\(profile).json")
    }

    package static let all = [
        Fixture(name: "budget", profile: "budget", v1: Budget.v1, v2: Budget.v2),
        Fixture(
            name: "budget as its design document has it",
            profile: "budget",
            v1: #"{"totalAmount":450.50,"expenseCount":23,"hasError":false,"#
                + #""lastUpdated":"2026-01-18T14:30:00.000Z","spent":450.50,"limit":800.00,"#
                + #""month":"Gennaio 2026","currency":"€","percentage":56.31,"isDarkMode":false,"#
                + #""groupId":"123e4567-e89b-12d3-a456-426614174000","groupName":"Famiglia Rossi"}"#,
            v2: #"{"version":2,"data":{"totalAmount":450.50,"expenseCount":23,"hasError":false,"#
                + #""lastUpdated":"2026-01-18T14:30:00.000Z","spent":450.50,"limit":800.00,"#
                + #""month":"Gennaio 2026","currency":"€","percentage":56.31,"isDarkMode":false,"#
                + #""groupId":"123e4567-e89b-12d3-a456-426614174000","groupName":"Famiglia Rossi"}}"#,
            losses: ["/totalAmount", "/expenseCount", "/hasError"]
        ),
        Fixture(
            name: "budget's own error document",
            profile: "budget",
            v1: #"{"spent":0,"limit":0,"month":"","currency":"€","isDarkMode":false,"hasError":true,"#
                + #""lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"","errorMessage":"offline"}"#,
            v2: #"{"version":2,"data":{"totalAmount":0,"expenseCount":0,"spent":0,"limit":0,"month":"","#
                + #""currency":"€","isDarkMode":false,"hasError":true,"#
                + #""lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"","errorMessage":"offline"}}"#,
            losses: ["/hasError"]
        ),
        habits, todo, todoAtStart, finance, balances,
    ]

    package static let habits = Fixture(
        name: "habits",
        profile: "habits",
        v1: """
            [
              {
                "habits": {
                  "h1": {"id": "h1", "title": "Water", "color": "#FF5733", "group": "Health",
                    "createdAt": "2026-01-03T08:00:00.000Z"},
                  "h2": {"id": "h2", "title": "Read", "group": "Art", \
            "createdAt": "2026-01-02T08:00:00.000Z"},
                  "h3": {"id": "h3", "title": "Walk", "createdAt": "2026-01-04T08:00:00.000Z"},
                  "h4": {"id": "h4", "title": "Run", "group": "Health",
                    "createdAt": "2026-01-01T08:00:00.000Z"}
                },
                "checks": {
                  "h1:2026-01-05": {"habitId": "h1", "date": "2026-01-05", "completed": true}
                }
              },
              {}
            ]
            """,
        v2: """
            [
              {
                "habits": {
                  "h1": {"id": "h1", "title": "Water", "color": "#FF5733", "groupId": "group:Health",
                    "createdAt": "2026-01-03T08:00:00.000Z", "order": 20, "weeklyTarget": 7},
                  "h2": {"id": "h2", "title": "Read", "groupId": "group:Art", \
            "createdAt": "2026-01-02T08:00:00.000Z", "order": 10, "weeklyTarget": 7},
                  "h3": {"id": "h3", "title": "Walk", "createdAt": "2026-01-04T08:00:00.000Z", \
            "order": 30, "weeklyTarget": 7},
                  "h4": {"id": "h4", "title": "Run", "groupId": "group:Health",
                    "createdAt": "2026-01-01T08:00:00.000Z", "order": 0, "weeklyTarget": 7}
                },
                "checks": {
                  "h1:2026-01-05": {"habitId": "h1", "date": "2026-01-05", "completed": true}
                },
                "habitGroups": {
                  "group:Art": {
                    "id": "group:Art",
                    "title": "Art",
                    "order": 0,
                    "createdAt": "2026-01-02T08:00:00.000Z"
                  },
                  "group:Health": {
                    "id": "group:Health",
                    "title": "Health",
                    "order": 10,
                    "createdAt": "2026-01-01T08:00:00.000Z"
                  }
                }
              },
              {}
            ]
            """
    )

    package static let todo = Fixture(
        name: "todo",
        profile: "todo",
        v1: #"{"config":{"id":1,"name":"Work","size":2,"showCompleted":1,"showCategories":0,"#
            + #""showPriority":1,"categoryFilter":null,"maxTasks":5,"createdAt":1768746600000},"#
            + #""tasks":[{"id":7,"title":"Mail","isCompleted":false,"priority":0,"priorityLabel":"High","#
            + #""priorityColor":4294198070,"dueDate":1768746600000,"#
            + #""category":{"name":"Office","color":4288585374},"x":[1.0]}],"#
            + #""updatedAt":1768746600123,"taskCount":1,"completedCount":0,"overdueCount":0}"#,
        v2: #"{"config":{"id":1,"name":"Work","size":2,"showCompleted":true,"showCategories":false,"#
            + #""showPriority":true,"categoryFilter":null,"maxTasks":5,"createdAt":1768746600000},"#
            + #""tasks":[{"id":7,"title":"Mail","isCompleted":false,"priority":0,"priorityLabel":"High","#
            + #""priorityColor":4294198070,"dueDate":1768746600000,"#
            + #""category":{"name":"Office","color":4288585374},"x":[1.0]}],"#
            + #""updatedAt":1768746600123,"taskCount":1,"completedCount":0,"overdueCount":0}"#
    )

    package static let todoAtStart = Fixture(
        name: "todo, the document that the app writes when it starts",
        profile: "todo",
        v1: #"{"tasks":[],"updatedAt":0,"taskCount":0,"completedCount":0,"overdueCount":0}"#,
        v2: #"{"config":{"name":"Todo App","size":1,"showCompleted":false,"showCategories":true,"#
            + #""showPriority":true,"maxTasks":3},"#
            + #""tasks":[],"updatedAt":0,"taskCount":0,"completedCount":0,"overdueCount":0}"#
    )

    package static let finance = Fixture(
        name: "finance",
        profile: "finance",
        v1: #"{"lastUpdated":790439400.1229999,"totalBalance":12345678901234567.89,"#
            + #""monthlyIncome":0.1,"monthlyExpenses":1E2,"#
            + #""accounts":[{"id":"a","name":"N","type":"checking","balance":-0.30,"currency":"BRL"}],"#
            + #""upcomingBills":[{"id":"b","name":"Luz","amount":80.00,"dueDate":790439400,"#
            + #""status":"overdue","categoryIcon":"bolt"}],"#
            + #""goals":[{"id":"g","name":"Casa","currentAmount":1,"targetAmount":2,"categoryIcon":"i"},"#
            + #"{"id":"h","name":"Mar","currentAmount":1,"targetAmount":2,"targetDate":-1.5,"#
            + #""categoryIcon":"i"}],"#
            + #""recentTransactions":[{"id":"t","description":"d","amount":5,"date":0,"type":"expense","#
            + #""category":"c","categoryIcon":"i"}]}"#,
        v2: #"{"lastUpdated":"2026-01-18T14:30:00.1229999Z","totalBalance":12345678901234567.89,"#
            + #""monthlyIncome":0.1,"monthlyExpenses":1E2,"#
            + #""accounts":[{"id":"a","name":"N","type":"checking","balance":-0.30,"currency":"BRL"}],"#
            + #""upcomingBills":[{"id":"b","name":"Luz","amount":80.00,"dueDate":"2026-01-18T14:30:00Z","#
            + #""status":"overdue","categoryIcon":"bolt"}],"#
            + #""goals":[{"id":"g","name":"Casa","currentAmount":1,"targetAmount":2,"categoryIcon":"i"},"#
            + #"{"id":"h","name":"Mar","currentAmount":1,"targetAmount":2,"#
            + #""targetDate":"2000-12-31T23:59:58.5Z","categoryIcon":"i"}],"#
            + #""recentTransactions":[{"id":"t","description":"d","amount":5,"date":"2001-01-01T00:00:00Z","#
            + #""type":"expense","category":"c","categoryIcon":"i"}]}"#
    )

    package static let balances = Fixture(
        name: "balances",
        profile: "balances",
        v1: #"{"totalsByCurrency":[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"},"#
            + #"{"currency":"EUR","total":"-500.50","formatted":"-€500.50"}],"accountCount":3}"#,
        v2: #"{"totalsByCurrency":[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"},"#
            + #"{"currency":"EUR","total":"-500.50","formatted":"-€500.50"}],"accountCount":3,"#
            + #""recentOperations":[],"topAccounts":[],"lastUpdate":"1970-01-01T00:00:00.000Z"}"#
    )
}

extension Fixture: CustomTestStringConvertible {
    package var testDescription: String { name }
}
