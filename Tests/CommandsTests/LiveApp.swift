import Testing

/// One of the five apps: a document of version 1, the same as its widget reads it in version 2, and changes
/// that both may make.
struct LiveApp: Sendable, CustomTestStringConvertible {
    var name: String
    var v1: String
    var v2: String
    /// A change of the widget, one of the app elsewhere, and one of the app to the same value.
    var byWidget: Edit
    var byApp: Edit
    var rival: Edit

    /// The same change in both versions: the first `old` becomes `new`.
    struct Edit: Sendable {
        var v1: (old: String, new: String)
        var v2: (old: String, new: String)
    }

    var testDescription: String { name }
    var document: String { "\(name).json" }

    /// The document of a version with these changes.
    func v1(with edits: Edit...) -> String { edits.reduce(v1) { Self.changed($0, $1.v1) } }
    func v2(with edits: Edit...) -> String { edits.reduce(v2) { Self.changed($0, $1.v2) } }

    private static func changed(_ text: String, _ edit: (old: String, new: String)) -> String {
        text.replacing(edit.old, with: edit.new, maxReplacements: 1)
    }

    static let all = [budget, habits, todo, finance, balances]
}

extension LiveApp.Edit {
    /// A change with the same text in both versions.
    init(_ old: String, _ new: String) {
        self.init(v1: (old, new), v2: (old, new))
    }
}

extension LiveApp {
    static let budget = LiveApp(
        name: "budget",
        v1: #"{"spent":450.50,"limit":800.00,"month":"Gennaio 2026","currency":"€","isDarkMode":false,"#
            + #""lastUpdated":"2026-01-18T14:30:00.000Z","#
            + #""groupId":"123e4567-e89b-12d3-a456-426614174000","groupName":"Famiglia Rossi"}"#,
        v2: #"{"version":2,"data":{"totalAmount":450.50,"expenseCount":0,"hasError":false,"#
            + #""spent":450.50,"limit":800.00,"month":"Gennaio 2026","currency":"€","isDarkMode":false,"#
            + #""lastUpdated":"2026-01-18T14:30:00.000Z","#
            + #""groupId":"123e4567-e89b-12d3-a456-426614174000","groupName":"Famiglia Rossi"}}"#,
        byWidget: Edit(#""groupName":"Famiglia Rossi""#, #""groupName":"Rossi""#),
        byApp: Edit(#""limit":800.00"#, #""limit":900.00"#),
        rival: Edit(#""groupName":"Famiglia Rossi""#, #""groupName":"Bianchi""#)
    )

    private static let habits = LiveApp(
        name: "habits",
        v1: #"[{"habits":{"h1":{"id":"h1","title":"Water","group":"Health","#
            + #""createdAt":"2026-01-03T08:00:00.000Z"},"h2":{"id":"h2","title":"Read","#
            + #""createdAt":"2026-01-04T08:00:00.000Z"}},"checks":{}},{}]"#,
        v2: #"[{"habits":{"h1":{"id":"h1","title":"Water","groupId":"group:Health","#
            + #""createdAt":"2026-01-03T08:00:00.000Z","order":0,"weeklyTarget":7},"#
            + #""h2":{"id":"h2","title":"Read","createdAt":"2026-01-04T08:00:00.000Z","order":10,"#
            + #""weeklyTarget":7}},"checks":{},"habitGroups":{"group:Health":{"id":"group:Health","#
            + #""title":"Health","order":0,"createdAt":"2026-01-03T08:00:00.000Z"}}},{}]"#,
        byWidget: Edit(#""title":"Water""#, #""title":"Tea""#),
        byApp: Edit(#""title":"Read""#, #""title":"Write""#),
        rival: Edit(#""title":"Water""#, #""title":"Milk""#)
    )

    private static let todo = LiveApp(
        name: "todo",
        v1: #"{"config":{"id":1,"name":"Work","size":2,"showCompleted":1,"showCategories":0,"#
            + #""showPriority":1,"categoryFilter":null,"maxTasks":5,"createdAt":1768746600000},"tasks":[],"#
            + #""updatedAt":1768746600123,"taskCount":0,"completedCount":0,"overdueCount":0}"#,
        v2: #"{"config":{"id":1,"name":"Work","size":2,"showCompleted":true,"showCategories":false,"#
            + #""showPriority":true,"categoryFilter":null,"maxTasks":5,"createdAt":1768746600000},"#
            + #""tasks":[],"updatedAt":1768746600123,"taskCount":0,"completedCount":0,"overdueCount":0}"#,
        byWidget: Edit(
            v1: (
                #""name":"Work","size":2,"showCompleted":1"#, #""name":"Home","size":2,"showCompleted":0"#
            ),
            v2: (
                #""name":"Work","size":2,"showCompleted":true"#,
                #""name":"Home","size":2,"showCompleted":false"#
            )
        ),
        byApp: Edit(#""maxTasks":5"#, #""maxTasks":4"#),
        rival: Edit(
            v1: (
                #""name":"Work","size":2,"showCompleted":1"#, #""name":"Shop","size":2,"showCompleted":0"#
            ),
            v2: (
                #""name":"Work","size":2,"showCompleted":true"#,
                #""name":"Shop","size":2,"showCompleted":false"#
            )
        )
    )

    private static let finance = LiveApp(
        name: "finance",
        v1: #"{"lastUpdated":790439400.1229999,"totalBalance":12345678901234567.89,"monthlyIncome":0.1,"#
            + #""monthlyExpenses":1E2,"accounts":[],"upcomingBills":[{"id":"b","name":"Luz","#
            + #""amount":80.00,"dueDate":790439400,"status":"overdue","categoryIcon":"bolt"}],"goals":[],"#
            + #""recentTransactions":[]}"#,
        v2: #"{"lastUpdated":"2026-01-18T14:30:00.1229999Z","totalBalance":12345678901234567.89,"#
            + #""monthlyIncome":0.1,"monthlyExpenses":1E2,"accounts":[],"upcomingBills":[{"id":"b","#
            + #""name":"Luz","amount":80.00,"dueDate":"2026-01-18T14:30:00Z","status":"overdue","#
            + #""categoryIcon":"bolt"}],"goals":[],"recentTransactions":[]}"#,
        byWidget: Edit(
            v1: (#""dueDate":790439400"#, #""dueDate":790525800"#),
            v2: (#""dueDate":"2026-01-18T14:30:00Z""#, #""dueDate":"2026-01-19T14:30:00Z""#)
        ),
        byApp: Edit(#":12345678901234567.89"#, #":12345678901234567.90"#),
        rival: Edit(
            v1: (#""dueDate":790439400"#, #""dueDate":790353000"#),
            v2: (#""dueDate":"2026-01-18T14:30:00Z""#, #""dueDate":"2026-01-17T14:30:00Z""#)
        )
    )

    private static let balances = LiveApp(
        name: "balances",
        v1: #"{"totalsByCurrency":[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"}],"#
            + #""accountCount":3}"#,
        v2: #"{"totalsByCurrency":[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"}],"#
            + #""accountCount":3,"recentOperations":[],"topAccounts":[],"#
            + #""lastUpdate":"1970-01-01T00:00:00.000Z"}"#,
        byWidget: Edit(#""total":"1000.00""#, #""total":"1001.00""#),
        byApp: Edit(#""accountCount":3"#, #""accountCount":4"#),
        rival: Edit(#""total":"1000.00""#, #""total":"1002.00""#)
    )
}
