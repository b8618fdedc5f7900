import Documents

/// The budget app's versions and lenses without its schemas: the lab's programs write only a few keys, and
/// what they write is to be carried.
enum LabProfile {
    static let budget = try? Profile(yaml: yaml, file: "budget (race lab)")

    private static let yaml = #"""
        profile: budget
        timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
        documents:
          budget.json:
            version: {field: version, missing: 1}
            kinds:
              BudgetWidget:
                shows: [/data/spent, /data/limit, /data/month, /data/currency, /data/groupName]
            versions:
              1: {}
              2:
                lenses:
                  - convert:
                      field: lastUpdated
                      from: [iso8601, local, milliseconds, millisecondsText]
                      to: iso8601
                  - add: {field: totalAmount, copy: spent, first: true}
                  - add: {field: expenseCount, value: 0, after: totalAmount}
                  - add: {field: hasError, value: false, after: expenseCount}
                  - wrap: data
        """#
}
