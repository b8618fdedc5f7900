/// The tasks of a Flutter app.
enum TodoProfile {
    static let yaml = #"""
        format: 1
        profile: todo
        about: Tasks, as the widget is configured to show them.
        group: group.com.example.todoapp
        otherGroups: [group.com.example.todo_app]
        documents:
          todo.json:
            version: shapes
            # Each side's database gives out the ids.
            identity: {/tasks: {field: id, renumber: true}}
            merge:
              /updatedAt: newest
              /taskCount: {derived: {count: /tasks/*}}
              /completedCount:
                derived: {count: /tasks/*, where: {properties: {isCompleted: {const: true}}}}
              # It depends on the time of day: too many rather than too few, until the app saves again.
              /overdueCount: max
            errors:
              loading: {text: Loading tasks...}
              noTasks:
                text: No tasks
                when: {properties: {tasks: {maxItems: 0}}}
            kinds:
              TodoWidget:
                families: {systemSmall: 2, systemMedium: 3, systemLarge: all}
                refresh: {every: 5 min, least: 5 min, most: 15 min}
                shows: [/config, /tasks, /taskCount, /completedCount, /overdueCount]
            stores:
              ios:
                group:
                  format: home-widget
                  file: Library/Preferences/group.com.example.todoapp.plist
                  text: widget_data
              android:
                group:
                  format: home-widget
                  file: shared_prefs/HomeWidgetPreferences.xml
                  text: widget_data
            versions:
              1:
                schema:
                  type: object
                  properties:
                    config:
                      description: missing in the document that the app writes when it starts
                      type: object
                      properties:
                        id: &int64OrNull
                          type: [integer, "null"]
                          minimum: -9223372036854775808
                          maximum: 9223372036854775807
                        name: {type: string}
                        size: {enum: [0, 1, 2, 3], description: "small, medium, large, extra large (Android)"}
                        showCompleted: &flag {enum: [0, 1, true, false]}
                        showCategories: *flag
                        showPriority: *flag
                        categoryFilter: {type: [string, "null"]}
                        maxTasks: {type: integer, minimum: 0, maximum: 9223372036854775807, default: 3}
                        createdAt: {type: [integer, "null"], minimum: 0, maximum: 9223372036854775807}
                      required: [name, size, showCompleted, showCategories, showPriority, maxTasks]
                    tasks:
                      description: the app's design asks for 20 at most
                      type: array
                      items:
                        type: object
                        properties:
                          id: &int64
                            type: integer
                            minimum: -9223372036854775808
                            maximum: 9223372036854775807
                          title: {type: string}
                          description: {type: [string, "null"]}
                          isCompleted: *flag
                          priority: *int64
                          priorityLabel: {type: string}
                          priorityColor: &color {type: integer, minimum: 0, maximum: 4294967295}
                          dueDate: *int64OrNull
                          formattedDueDate: {type: [string, "null"]}
                          category: &category
                            type: [object, "null"]
                            properties:
                              name: {type: string}
                              color: *color
                            required: [name, color]
                          completedAt: *int64OrNull
                        required: [id, title, isCompleted, priority, priorityLabel, priorityColor]
                    updatedAt: {type: integer, minimum: 0, maximum: 9223372036854775807}
                    taskCount: &count {type: integer, minimum: 0, maximum: 9223372036854775807}
                    completedCount: *count
                    overdueCount: *count
                  required: [tasks, updatedAt, taskCount, completedCount, overdueCount]
              2:
                when:
                  properties:
                    config:
                      properties: &booleans
                        showCompleted: {type: boolean}
                        showCategories: {type: boolean}
                        showPriority: {type: boolean}
                    tasks: {items: {properties: {isCompleted: {type: boolean}}}}
                  required: [config]
                schema:
                  type: object
                  properties:
                    config:
                      type: object
                      properties:
                        id: *int64OrNull
                        name: {type: string}
                        size: {enum: [0, 1, 2, 3]}
                        showCompleted: {type: boolean}
                        showCategories: {type: boolean}
                        showPriority: {type: boolean}
                        categoryFilter: {type: [string, "null"]}
                        maxTasks: {type: integer, minimum: 0, maximum: 9223372036854775807, default: 3}
                        createdAt: {type: [integer, "null"], minimum: 0, maximum: 9223372036854775807}
                      required: [name, size, showCompleted, showCategories, showPriority, maxTasks]
                    tasks:
                      type: array
                      items:
                        type: object
                        properties:
                          id: *int64
                          title: {type: string}
                          description: {type: [string, "null"]}
                          isCompleted: {type: boolean}
                          priority: *int64
                          priorityLabel: {type: string}
                          priorityColor: *color
                          dueDate: *int64OrNull
                          formattedDueDate: {type: [string, "null"]}
                          category: *category
                          completedAt: *int64OrNull
                        required: [id, title, isCompleted, priority, priorityLabel, priorityColor]
                    updatedAt: {type: integer, minimum: 0, maximum: 9223372036854775807}
                    taskCount: *count
                    completedCount: *count
                    overdueCount: *count
                  required: [config, tasks, updatedAt, taskCount, completedCount, overdueCount]
                lenses:
                  - in:
                      field: /config
                      lenses:
                        - convert: {field: showCompleted, from: [0/1, boolean], to: boolean}
                        - convert: {field: showCategories, from: [0/1, boolean], to: boolean}
                        - convert: {field: showPriority, from: [0/1, boolean], to: boolean}
                  - default:
                      field: config
                      first: true
                      value:
                        name: Todo App
                        size: 1
                        showCompleted: false
                        showCategories: true
                        showPriority: true
                        maxTasks: 3
                  - each:
                      field: /tasks
                      lenses:
                        - convert: {field: isCompleted, from: [boolean, 0/1], to: boolean}
        strings:
          loading: Loading tasks...
          dueDate: MMM d, yyyy · h:mm a
        facts:
          androidKind: TodoWidgetProvider
          keys: widget_data, widget_config; also written as flutter.widget_data, flutter.widget_config
          percent: completed * 100 / total, cut off; 0 of 0 is 0
          overdue: dueDate < now and not completed
          stale: no rule
          refresh: asked for every 5 min, 288 a day; advised 5 to 15 min
          intents: ToggleTaskIntent(taskId), a stub
          maxTasksOnRead: 5
        """#
}
