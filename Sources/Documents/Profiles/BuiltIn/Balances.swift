/// The account balances of an Expo app.
enum BalancesProfile {
    static let yaml = #"""
        format: 1
        profile: balances
        about: What is in all accounts, by currency.
        group: group.com.heywood8.monkeep
        documents:
          balances.json:
            version: shapes
            identity: {/totalsByCurrency: currency}
            merge: {/lastUpdate: newest}
            stale: {field: /lastUpdate, after: 15 min, missing: stale}
            errors:
              noAccounts:
                text: No accounts yet
                when: {properties: {totalsByCurrency: {maxItems: 0}}, required: [totalsByCurrency]}
            kinds:
              PennyWidget:
                families: [systemSmall, systemMedium]
                refresh: {every: 15 min}
                shows: [/totalsByCurrency, /accountCount, /recentOperations, /topAccounts]
            stores:
              ios:
                app:
                  format: async-storage
                  file: Library/Application Support/com.heywood8.monkeep/RCTAsyncLocalStorage_V1/manifest.json
                  text: penny_widget_data
                group:
                  format: plist
                  file: Library/Preferences/group.com.heywood8.monkeep.plist
                  data: penny_widget_data
              android:
                app: {format: async-storage, file: databases/AsyncStorage, text: penny_widget_data}
                group: {format: json, file: penny.json}
            versions:
              1:
                schema:
                  type: object
                  properties:
                    totalsByCurrency: &totals
                      type: array
                      items:
                        type: object
                        properties:
                          currency: {type: string, minLength: 1}
                          total: &decimal {type: string, pattern: '^-?\d+(\.\d+)?$'}
                          formatted: {type: string}
                        required: [currency, total, formatted]
                    accountCount: &count {type: integer, minimum: 0}
                    lastUpdate: {type: [string, "null"]}
                  required: [totalsByCurrency, accountCount]
              2:
                when: {required: [recentOperations, topAccounts]}
                schema:
                  type: object
                  properties:
                    totalsByCurrency: *totals
                    accountCount: *count
                    lastUpdate: {type: [string, "null"], description: 1970 means never}
                    recentOperations:
                      type: array
                      maxItems: 5
                      items:
                        type: object
                        properties:
                          id: {type: [string, integer]}
                          type: {type: string}
                          amount: {type: [string, number]}
                          formattedAmount: {type: string}
                          date: {type: string}
                          description: {type: [string, "null"]}
                          accountName: {type: string}
                          accountCurrency: {type: string}
                          categoryName: {type: [string, "null"]}
                          categoryIcon: {type: [string, "null"]}
                          toAccountName: {type: [string, "null"]}
                        required: [id, type, amount, formattedAmount, date]
                    topAccounts:
                      type: array
                      maxItems: 3
                      description: by the magnitude of their balance
                      items:
                        type: object
                        properties:
                          id: {type: [string, integer]}
                          name: {type: string}
                          balance: {type: [string, number]}
                          currency: {type: string}
                          formatted: {type: string}
                        required: [id, name, balance, currency, formatted]
                  required: [totalsByCurrency, accountCount, recentOperations, topAccounts]
                lenses:
                  - add: {field: recentOperations, value: []}
                  - add: {field: topAccounts, value: []}
                  - default: {field: lastUpdate, value: "1970-01-01T00:00:00.000Z"}
        strings:
          empty: No accounts yet
          emptyHint: Open app to add accounts
          accounts: "{n} account{s}"
        facts:
          key: penny_widget_data; in version 2 also penny_widget_last_update
          symbols: USD $, EUR €, GBP £, JPY ¥, AMD ֏, RUB ₽, others by their code
          sign: -$12.00
          decimals: always 2
          color: green from 0, red below
          perDay: 96
        """#
}
