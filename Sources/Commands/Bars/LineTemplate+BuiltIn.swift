/// What a status bar shows of a kind: a line, and where it has a number of percent, that.
struct BarTemplate: Hashable, Sendable {
    var line: LineTemplate
    var percentage: LineTemplate?

    init(_ line: String, percentage: String? = nil) throws(BarError) {
        self.line = try LineTemplate(parsing: line)
        self.percentage = try percentage.map { text throws(BarError) in try LineTemplate(parsing: text) }
    }

    init(_ line: LineTemplate) { self.line = line }

    /// For the kinds of the built-in profiles, in their newest versions.
    private static let builtIn: [String: [String: (line: String, percentage: String?)]] = [
        "budget": [
            "BudgetWidget": ("{data.spent} {data.currency} of {data.limit}", "{data.percentage}")
        ],
        "habits": ["HabitWidget": ("{#0.habits} habits, {#0.checks} checks", nil)],
        "todo": ["TodoWidget": ("{taskCount} tasks, {overdueCount} overdue", nil)],
        "finance": [
            "BalanceWidget": ("{totalBalance} in {#accounts} accounts", nil),
            "MonthlySummaryWidget": ("{monthlyIncome} in, {monthlyExpenses} out", nil),
            "BudgetWidget": ("{budgets.0.name} {budgets.0.spent} of {budgets.0.limit}", nil),
            "BillsWidget": ("{#upcomingBills} bills", nil),
            "GoalsWidget": ("{#goals} goals", nil),
            "CreditCardWidget": ("{#creditCards} cards", nil),
            "BalanceLockWidget": ("{totalBalance}", nil),
            "BillsDueLockWidget": ("{#upcomingBills} bills", nil),
            "BudgetLockWidget": ("{budgets.0.spent} of {budgets.0.limit}", nil),
            "GoalsLockWidget": ("{#goals} goals", nil),
            "QuickExpenseWidget": ("Adicionar despesa", nil),
            "TransactionsWidget": ("{#recentTransactions} transactions", nil),
        ],
        "balances": ["PennyWidget": ("{totalsByCurrency.0.formatted}, {accountCount} accounts", nil)],
    ]

    static func builtIn(profile: String, kind: String) throws(BarError) -> BarTemplate? {
        guard let found = builtIn[profile]?[kind] else { return nil }
        return try BarTemplate(found.line, percentage: found.percentage)
    }
}
