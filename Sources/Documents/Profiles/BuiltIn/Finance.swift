/// The finances of a Swift app.
enum FinanceProfile {
    static let yaml = #"""
        format: 1
        profile: finance
        about: Accounts, budgets, bills, goals, cards and transactions.
        group: group.com.yourteam.finpessoal
        otherGroups: [group.com.finpessoal.shared]
        locale: pt_BR
        deepLinks:
          - finpessoal://add-transaction
          - finpessoal://pay-bill/{id}
          - finpessoal://view-budget/{id}
          - finpessoal://view-goal/{id}
          - finpessoal://view-card/{id}
          - finpessoal://dashboard
          - finpessoal://accounts/{id}
          - finpessoal://transactions/{id}
          - finpessoal://add-transaction?type=expense
          - finpessoal://budgets/{id}
          - finpessoal://bills/{id}
          - finpessoal://goals/{id}
          - finpessoal://creditcards/{id}
          - finpessoal://reports
          - finpessoal://settings
        documents:
          finance.json:
            version: shapes
            merge: {/lastUpdated: newest}
            stale: {field: /lastUpdated, after: 30 min, missing: stale}
            kinds:
              BalanceWidget:
                families: {systemSmall: 1, systemMedium: all, systemLarge: 3}
                refresh: {every: 30 min}
                shows: [/totalBalance, /accounts]
              BudgetWidget:
                families: {systemMedium: 3, systemLarge: all}
                refresh: {every: 60 min}
                shows: [/budgets]
              BillsWidget:
                families: {systemSmall: 1, systemMedium: 3}
                refresh: {every: 60 min, daily: ["08:00"]}
                shows: [/upcomingBills]
              GoalsWidget:
                families: {systemSmall: 1, systemMedium: 2, systemLarge: all}
                refresh: {every: 120 min}
                shows: [/goals]
              TransactionsWidget:
                families: {systemMedium: 5, systemLarge: 10}
                refresh: {every: 15 min}
                shows: [/recentTransactions]
              CreditCardWidget:
                families: {systemSmall: all, systemMedium: all}
                refresh: {every: 60 min, daily: ["09:00"]}
                shows: [/creditCards]
              BalanceLockWidget:
                families: [accessoryCircular, accessoryRectangular]
                refresh: {every: 60 min}
                shows: [/totalBalance]
              BillsLockWidget:
                families: [accessoryInline, accessoryRectangular]
                refresh: {every: 60 min}
                shows: [/upcomingBills]
              BudgetLockWidget:
                families: [accessoryCircular, accessoryRectangular]
                refresh: {every: 120 min}
                shows: [/budgets]
              GoalsLockWidget:
                families: [accessoryCircular, accessoryRectangular]
                refresh: {every: 120 min}
                shows: [/goals]
            activities:
              BillActivity:
                list: /upcomingBills
                shows: [/name, /amount, /dueDate, /status]
                start: {before: /dueDate, times: [3 d, 1 d, 0 d]}
                end: {when: {properties: {status: {const: paid}}, required: [status]}, late: 24 h}
              BudgetActivity:
                list: /budgets
                shows: [/name, /spent, /limit]
                start: {percent: /spent, of: /limit, from: [90, 100]}
              GoalActivity:
                list: /goals
                shows: [/name, /currentAmount, /targetAmount]
                start: {percent: /currentAmount, of: /targetAmount, from: [25, 50, 75, 100]}
                end: {after: 4 h}
              CardActivity:
                list: /creditCards
                shows: [/name, /currentBalance, /dueDate]
                start: {before: /dueDate, times: [5 d, 1 d]}
                end:
                  when: {properties: {currentBalance: {const: 0}}, required: [currentBalance]}
                  late: 0 d
            stores:
              ios:
                group:
                  format: plist
                  file: Library/Preferences/group.com.yourteam.finpessoal.plist
                  data: widgetData
            versions:
              1:
                schema:
                  type: object
                  properties:
                    lastUpdated: &seconds {type: number, description: seconds since 2001}
                    totalBalance: &money {type: number, description: major units}
                    monthlyIncome: *money
                    monthlyExpenses: *money
                    accounts: &accounts
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          type: {type: string}
                          balance: *money
                          currency: {type: string, pattern: '^[A-Z]{3}$'}
                        required: [id, name, type, balance, currency]
                    budgets: &budgets
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          category: {type: string}
                          categoryIcon: {type: string}
                          spent: *money
                          limit: *money
                        required: [id, name, category, categoryIcon, spent, limit]
                    upcomingBills:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          amount: *money
                          dueDate: *seconds
                          status: {type: string, examples: [paid, overdue]}
                          categoryIcon: {type: string}
                        required: [id, name, amount, dueDate, status, categoryIcon]
                    goals:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          currentAmount: *money
                          targetAmount: *money
                          targetDate: &secondsOrNone {type: [number, "null"], description: seconds since 2001}
                          categoryIcon: {type: string}
                        required: [id, name, currentAmount, targetAmount, categoryIcon]
                    creditCards:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          currentBalance: *money
                          creditLimit: *money
                          dueDate: *secondsOrNone
                          brand: {type: string}
                        required: [id, name, currentBalance, creditLimit, brand]
                    recentTransactions:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          description: {type: string}
                          amount: *money
                          date: *seconds
                          type: {enum: [expense, income, transfer]}
                          category: {type: string}
                          categoryIcon: {type: string}
                        required: [id, description, amount, date, type, category, categoryIcon]
                  required: [lastUpdated, totalBalance, monthlyIncome, monthlyExpenses]
              2:
                when: {properties: {lastUpdated: {type: string}}, required: [lastUpdated]}
                schema:
                  type: object
                  properties:
                    lastUpdated: &instant {type: string, format: date-time}
                    totalBalance: *money
                    monthlyIncome: *money
                    monthlyExpenses: *money
                    accounts: *accounts
                    budgets: *budgets
                    upcomingBills:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          amount: *money
                          dueDate: *instant
                          status: {type: string}
                          categoryIcon: {type: string}
                        required: [id, name, amount, dueDate, status, categoryIcon]
                    goals:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          currentAmount: *money
                          targetAmount: *money
                          targetDate: &instantOrNone {type: [string, "null"], format: date-time}
                          categoryIcon: {type: string}
                        required: [id, name, currentAmount, targetAmount, categoryIcon]
                    creditCards:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          name: {type: string}
                          currentBalance: *money
                          creditLimit: *money
                          dueDate: *instantOrNone
                          brand: {type: string}
                        required: [id, name, currentBalance, creditLimit, brand]
                    recentTransactions:
                      type: array
                      items:
                        type: object
                        properties:
                          id: {type: string}
                          description: {type: string}
                          amount: *money
                          date: *instant
                          type: {enum: [expense, income, transfer]}
                          category: {type: string}
                          categoryIcon: {type: string}
                        required: [id, description, amount, date, type, category, categoryIcon]
                  required: [lastUpdated, totalBalance, monthlyIncome, monthlyExpenses]
                lenses:
                  - convert: {field: lastUpdated, from: seconds2001, to: iso8601}
                  - each:
                      field: /upcomingBills
                      lenses: [convert: {field: dueDate, from: seconds2001, to: iso8601}]
                  - each:
                      field: /goals
                      lenses: [convert: {field: targetDate, from: seconds2001, to: iso8601}]
                  - each:
                      field: /creditCards
                      lenses: [convert: {field: dueDate, from: seconds2001, to: iso8601}]
                  - each:
                      field: /recentTransactions
                      lenses: [convert: {field: date, from: seconds2001, to: iso8601}]
        strings:
          overdue: Vencido
          today: Hoje
          tomorrow: Amanhã
          inDays: em {n} dias
        facts:
          currency: BRL
          caps: 5 bills, 10 transactions; all active budgets by percentage, goals and cards
          budgetColors: green below 75 %, yellow to 90 %, red above
          dueSoon: 0 to 3 days
          perDay: balance 48, budget 24, bills 24, goals 12, transactions 96, cards 24; 228 together
          background: bills daily 08:00, cards daily 09:00; others as the app changes them
          syncTriggers: app open, transaction, budget, bill, goal, app enters background
          notBuilt: MonthlySummary, QuickExpense
        """#
}
