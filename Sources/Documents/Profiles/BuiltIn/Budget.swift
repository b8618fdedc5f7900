extension BuiltIn {
    /// A Flutter app's home budget.
    static let budget = """
        profile: budget
        group: group.com.family.financetracker
        documents:
          budget.json:
            version:
              field: version
              missing: 1
            versions:
              1: {}
              2:
                lenses:
                  - add: {field: totalAmount, copy: spent, first: true}
                  - add: {field: expenseCount, value: 0, after: totalAmount}
                  - add: {field: hasError, value: false, after: expenseCount}
                  - wrap: data
            kinds:
              BudgetWidget:
                shows:
                  - /data/spent
                  - /data/limit
                  - /data/month
                  - /data/currency
                  - /data/isDarkMode
                  - /data/lastUpdated
                  - /data/groupName
                  - /data/hasError
                  - /data/errorMessage
        """
}
