/// The habits of an Expo app, as TinyBase stores them: a list of its tables and its values.
enum HabitsProfile {
    static let yaml = #"""
        format: 1
        profile: habits
        about: Habits, and on which days they were kept.
        group: group.com.ilyakukarkinorg.beebloom
        deepLinks: ["beebloom://today"]
        documents:
          habits.json:
            version: shapes
            tuples: [""]
            # The widget toggles checks; all else is the app's.
            merge: {/0/checks/*/updatedAt: newest}
            ownership: {app: [/0/habits, /0/habitGroups, /1], group: [/0/checks]}
            errors:
              noData:
                text: Add your first habit in BeeBloom
                when:
                  description: there is none, but for deleted ones
                  prefixItems: [{properties: {habits: {additionalProperties: {required: [deletedAt]}}}}]
              loading: {text: Loading habits…}
              error: {text: Open BeeBloom to refresh}
            kinds:
              HabitWidget:
                families: {systemSmall: 3, systemMedium: 6, systemLarge: 10}
                refresh: {every: 15 min, least: 15 min}
                retry: {times: 3, after: 5 s}
                shows: [/0/habits, /0/habitGroups, /0/checks]
            stores:
              ios:
                app: {format: tinybase, file: Documents/SQLite/beebloom.db}
                group: {format: tinybase, file: beebloom.db}
              android:
                app: {format: tinybase, file: files/SQLite/beebloom.db}
                group: {format: tinybase, file: files/SQLite/beebloom.db}
            versions:
              1:
                schema:
                  type: array
                  minItems: 2
                  prefixItems:
                    - type: object
                      properties:
                        habits:
                          type: object
                          additionalProperties:
                            type: object
                            properties: &habit
                              id: {type: string}
                              title: {type: string, minLength: 1}
                              description: {type: string}
                              color: {type: string, pattern: '^#[0-9A-Fa-f]{3,8}$'}
                              group: {type: string, description: the name of its group}
                              createdAt: {type: string, format: date-time}
                              deletedAt: {type: string, format: date-time, description: a soft deletion}
                            required: [id, title]
                        checks: &checks
                          type: object
                          description: rows are named HABIT:YYYY-MM-DD, a day of the local calendar
                          additionalProperties:
                            type: object
                            properties:
                              habitId: {type: string}
                              date: {type: string, format: date}
                              completed: {type: boolean}
                              updatedAt: {type: string, format: date-time}
                            required: [habitId, date, completed]
                    - {type: object}
                  items: false
              2:
                when:
                  description: >-
                    no habit has the name of a group, and each has what version 2 gave it, but for those that
                    were deleted before
                  prefixItems:
                    - properties:
                        habits:
                          additionalProperties:
                            if: {required: [deletedAt]}
                            else:
                              properties: {group: false}
                              anyOf: [{required: [order]}, {required: [weeklyTarget]}, {required: [groupId]}]
                          # Deleted ones alone tell nothing, unless they have no name of a group either.
                          anyOf:
                            - not: {additionalProperties: {required: [deletedAt]}}
                            - additionalProperties: {properties: {group: false}}
                schema:
                  type: array
                  minItems: 2
                  prefixItems:
                    - type: object
                      properties:
                        habits:
                          type: object
                          additionalProperties:
                            type: object
                            properties:
                              id: {type: string}
                              title: {type: string, minLength: 1}
                              description: {type: string}
                              color: {type: string, pattern: '^#[0-9A-Fa-f]{3,8}$'}
                              groupId: {type: string}
                              order: {type: number, minimum: 0, description: in steps of 10}
                              createdAt: {type: string, format: date-time}
                              deletedAt: {type: string, format: date-time}
                              weeklyTarget: {type: number, minimum: 1, maximum: 7, default: 7}
                            required: [id, title]
                        habitGroups:
                          type: object
                          additionalProperties:
                            type: object
                            properties:
                              id: {type: string}
                              title: {type: string, minLength: 1}
                              color: {type: [string, "null"]}
                              order: {type: number, minimum: 0}
                              createdAt: {type: string, format: date-time}
                            required: [id, title, order]
                        checks: *checks
                    - {type: object}
                  items: false
                lenses:
                  - extract:
                      rows: /0/habits
                      field: group
                      into: /0/habitGroups
                      as: groupId
                      title: title
                      id: id
                      order: order
                      step: 10
                      smallest: createdAt
                  - orderBy: {rows: /0/habits, field: order, by: createdAt, step: 10}
                  - eachRow:
                      field: /0/habits
                      lenses:
                        - add: {field: weeklyTarget, value: 7}
        strings:
          overflow: +{n} more
          empty: Add your first habit in BeeBloom
          done: All habits completed today! 🌸
          loading: Loading habits…
          error: Open BeeBloom to refresh
        facts:
          bundle: com.ilyakukarkinorg.beebloom
          widgetBundle: com.ilyakukarkinorg.beebloom.widgets
          database: beebloom.db, table tinybase, row _
          writeRule: the app toggles today and yesterday, the widget today; never a deleted habit
          order: group.order, ungrouped last, then habit.order
          timeline: now, +15, +30, +45, +60 min, next local midnight
          onChange: reload at once, within 5 s; 3 retries, 5 s apart
          capacityAtHead: small 4, medium 4, large 8
          limits: 30 MB, 5 s, below 100 habits; query 100 ms, state 50 ms, render 200 ms
          pushNotifications: off
        """#
}
