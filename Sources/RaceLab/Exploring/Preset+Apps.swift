extension Preset {
    /// A normal use of the five apps: the app has version 1, its widget version 2, and the app is updated to
    /// version 2 while both are running. No anomaly may be found.
    static let apps = [
        app(
            "budget",
            holds:
                #"{"spent":450.50,"limit":800.00,"month":"Gennaio 2026","currency":"€","groupName":"Rossi"}"#,
            byApp: "/month",
            migrated: "/data/month",
            byWidget: "/data/groupName"
        ),
        app(
            "habits",
            holds: #"[{"habits":{"h1":{"id":"h1","title":"Water","group":"Health","#
                + #""createdAt":"2026-01-03T08:00:00.000Z"},"h2":{"id":"h2","title":"Read","#
                + #""createdAt":"2026-01-04T08:00:00.000Z"}},"checks":{}},{}]"#,
            byApp: "/0/habits/h2/title",
            migrated: "/0/habits/h2/title",
            byWidget: "/0/habits/h1/title"
        ),
        app(
            "todo",
            holds: #"{"config":{"id":1,"name":"Work","size":2,"showCompleted":1,"showCategories":0,"#
                + #""showPriority":1},"tasks":[{"id":7,"title":"Mail","isCompleted":false,"priority":0}],"#
                + #""updatedAt":1768746600123,"taskCount":1,"completedCount":0,"overdueCount":0}"#,
            byApp: "/config/name",
            migrated: "/config/name",
            byWidget: "/tasks/0/title"
        ),
        app(
            "finance",
            holds: #"{"lastUpdated":790439400.1229999,"totalBalance":12345678901234567.89,"#
                + #""monthlyIncome":0.1,"monthlyExpenses":1E2,"accounts":[],"upcomingBills":[{"id":"b","#
                + #""name":"Luz","amount":80.00,"dueDate":790439400,"status":"overdue","categoryIcon":"bolt"}],"#
                + #""goals":[],"recentTransactions":[]}"#,
            byApp: "/upcomingBills/0/name",
            migrated: "/upcomingBills/0/name",
            byWidget: "/upcomingBills/0/categoryIcon"
        ),
        app(
            "balances",
            holds: #"{"totalsByCurrency":[{"currency":"USD","total":"1000.00","formatted":"$1,000.00"},"#
                + #"{"currency":"EUR","total":"-500.50","formatted":"-€500.50"}],"accountCount":3}"#,
            byApp: "/totalsByCurrency/0/formatted",
            migrated: "/totalsByCurrency/0/formatted",
            byWidget: "/totalsByCurrency/1/formatted"
        ),
    ]

    private static func app(
        _ name: String,
        holds: String,
        byApp: String,
        migrated: String,
        byWidget: String
    ) -> String {
        """
        name: app-\(name)
        about: >-
          The app in version 1 and its widget in version 2 both save; then the app becomes version 2 itself,
          and saves on. Nothing may be lost, late or told twice.
        profile: \(name)
        documents: [{name: \(name).json, holds: '\(holds)'}]
        settings: {evidence: no}
        actors:
          app:
            version: 1
            does:
              - {write: \(name).json, field: \(byApp)}
              - {migrate: \(name).json, version: 2, field: \(migrated)}
          widget:
            version: 2
            does:
              - subscribe
              - {write: \(name).json, field: \(byWidget)}
              - read
          agent: {}
        """
    }
}
