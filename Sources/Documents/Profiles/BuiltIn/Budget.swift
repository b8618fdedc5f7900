/// The home budget of a Flutter app.
enum BudgetProfile {
    static let yaml = #"""
        format: 1
        profile: budget
        about: What a family has spent of its budget for the month.
        group: group.com.family.financetracker
        otherGroups: [group.com.ecologicaleaving.fin]
        locale: it_IT
        timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
        deepLinks: ["finapp://dashboard", "finapp://add-expense", "finapp://scan-receipt"]
        documents:
          budget.json:
            version: {field: version, missing: 1}
            merge: {/data/lastUpdated: newest}
            stale: {field: /data/lastUpdated, after: 24 h, missing: stale}
            errors:
              hasError:
                text: Errore di caricamento
                when: {properties: {data: {properties: {hasError: {const: true}}, required: [hasError]}}}
              noData:
                text: Budget non configurato
                when:
                  properties:
                    data:
                      properties: {spent: {const: 0}, limit: {const: 0}, month: {const: ""}}
                      required: [spent, limit, month]
              stale: {text: Dati non aggiornati}
              unknown: {text: Errore sconosciuto}
              never: {text: Mai aggiornato}
            kinds:
              BudgetWidget:
                families: [systemSmall, systemMedium, systemLarge]
                refresh: {every: 30 min, least: 15 min, most: 60 min}
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
            stores:
              ios:
                app:
                  format: flutter
                  file: Library/Preferences/com.ecologicaleaving.fin.plist
                  text: widget_data
                group:
                  format: flutter
                  file: Library/Preferences/group.com.family.financetracker.plist
                  text: widget_data
                  at: &dataOfVersion {1: "", 2: /data}
                  fields:
                    spent: {real: /spent}
                    limit: {real: /limit}
                    percentage: {real: /percentage}
                    month: {string: /month}
                    currency: {string: /currency}
                    groupName: {string: /groupName}
                    errorMessage: {string: /errorMessage}
                    isDarkMode: {bool: /isDarkMode}
                    hasError: {bool: /hasError}
                    expenseCount: {integer: /expenseCount}
                    lastUpdated:
                      real: /lastUpdated
                      from: &timesOfParts [iso8601, local, milliseconds, millisecondsText]
                      to: milliseconds
              android:
                app:
                  format: flutter
                  file: shared_prefs/FlutterSharedPreferences.xml
                  text: widget_data
                group:
                  format: home-widget
                  file: shared_prefs/HomeWidgetPreferences.xml
                  text: widgetDataJson
                  at: *dataOfVersion
                  fields:
                    spent: {real: /spent}
                    limit: {real: /limit}
                    percentage: {real: /percentage}
                    month: {string: /month}
                    currency: {string: /currency}
                    groupName: {string: /groupName}
                    errorMessage: {string: /errorMessage}
                    isDarkMode: {bool: /isDarkMode}
                    hasError: {bool: /hasError}
                    expenseCount: {integer: /expenseCount}
                    lastUpdated: {integer: /lastUpdated, from: *timesOfParts, to: milliseconds}
            versions:
              1:
                schema:
                  type: object
                  properties:
                    version: {const: 1}
                    totalAmount: {type: number, minimum: 0, description: major units; what was spent}
                    expenseCount: {type: [integer, "null"], minimum: 0}
                    hasError: {type: [boolean, "null"]}
                    lastUpdated:
                      description: four forms, as its parts write it
                      type: [string, integer]
                      anyOf:
                        - {type: string, format: date-time}
                        - {type: string, pattern: '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$'}
                        - {type: string, pattern: '^\d+$'}
                        - {type: integer, minimum: 0}
                    spent: {type: number, minimum: 0, description: major units}
                    limit: {type: number, minimum: 0, description: major units; 0 where none is set}
                    month: {type: string, description: "MMMM yyyy, in Italian"}
                    currency: {type: [string, "null"], maxLength: 3, default: €}
                    percentage: {type: number, minimum: 0, description: spent / limit * 100; may exceed 100}
                    isDarkMode: {type: boolean}
                    groupId: {type: string}
                    groupName: {type: [string, "null"], description: empty means absent}
                    errorMessage: {type: [string, "null"]}
                  required: [spent, limit, month, isDarkMode, lastUpdated, groupId]
                  if: {$ref: "#/$defs/noGoodData"}
                  else: {$ref: "#/$defs/goodData"}
                  $defs: &defs
                    noGoodData:
                      description: the app's own error document, or nothing configured yet
                      anyOf:
                        - {properties: {hasError: {const: true}}, required: [hasError]}
                        - properties: {spent: {const: 0}, limit: {const: 0}, month: {const: ""}}
                    goodData:
                      properties:
                        month: {pattern: '^\S+ \d{4}$'}
                        groupId: {format: uuid}
              2:
                schema:
                  type: object
                  properties:
                    version: {const: 2}
                    data:
                      type: object
                      properties:
                        totalAmount: {type: number, minimum: 0}
                        expenseCount: {type: [integer, "null"], minimum: 0}
                        hasError: {type: [boolean, "null"]}
                        lastUpdated: {type: string, format: date-time}
                        spent: {type: number, minimum: 0}
                        limit: {type: number, minimum: 0}
                        month: {type: string}
                        currency: {type: [string, "null"], maxLength: 3, default: €}
                        percentage: {type: number, minimum: 0}
                        isDarkMode: {type: boolean}
                        groupId: {type: string}
                        groupName: {type: [string, "null"]}
                        errorMessage: {type: [string, "null"]}
                      required:
                        - totalAmount
                        - expenseCount
                        - hasError
                        - lastUpdated
                        - spent
                        - limit
                        - month
                        - isDarkMode
                        - groupId
                      if: {$ref: "#/$defs/noGoodData"}
                      else: {$ref: "#/$defs/goodData"}
                  required: [version, data]
                  $defs: *defs
                lenses:
                  - convert:
                      field: lastUpdated
                      from: [iso8601, local, milliseconds, millisecondsText]
                      to: iso8601
                  - add: {field: totalAmount, copy: spent, first: true}
                  - add: {field: expenseCount, value: 0, after: totalAmount}
                  - add: {field: hasError, value: false, after: expenseCount}
                  - wrap: data
        strings:
          now: Aggiornato ora
          minutes: Aggiornato {n} min fa
          hours: Aggiornato {n} ore fa
          old: Dati non aggiornati
          oldNative: Agg. dd/MM HH:mm
          never: Mai aggiornato
        facts:
          androidKind: BudgetWidgetProvider
          warning: from 80 %, below 100 %
          critical: from 100 %
          errorPrecedence: hasError, noData, stale
          latency: read below 5 ms, render below 100 ms, cycle about 60 ms
          size: 281 bytes
        """#
}
