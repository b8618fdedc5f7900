extension ProfileManual {
    static let stores: [ManualBlock] = [
        .text(
            """
            A store is where and how an app's own program keeps a document on a device, instead of in a JSON \
            file. `stores` of a document has the platforms, each has the sides, and each side has a store. \
            A side without one has the JSON file.
            """
        ),
        .code(
            """
            stores:
              ios:
                app: {format: flutter, file: Library/Preferences/com.example.app.plist, text: notes}
                group:
                  format: plist
                  file: Library/Preferences/group.com.example.app.plist
                  data: notes
                  at: {1: "", 2: /data}
                  fields:
                    count: {integer: /count}
                    savedAt: {date: /savedAt, from: [iso8601, milliseconds]}
            """
        ),
        .heading("platforms and sides"),
        platformKeys.terms,
        sideKeys.terms,
        .heading("a store"),
        .text("Each format has some of these keys:"),
        storeKeys.terms,
        .text("`format` is one of these:"),
        .terms(storeFormats.map { ManualTerm("`\($0.format)`", $0.text) }),
        .heading("fields"),
        .text(
            """
            A store with `text` or `data` has the whole document under that key, and the fields are copies \
            of it for programs that read them. What a program writes to a field alone is overwritten. \
            A store with `fields` only has nothing else of the document; the rest of it stays as it was \
            last written. Each field is a mapping with its type and its JSON Pointer:
            """
        ),
        .terms(fieldTypes.map { ManualTerm("`\($0.type):` <pointer>", $0.text) }),
        fieldKeys.terms,
        .text(
            """
            A value that is missing or `null` has no key. A document whose value the type cannot represent \
            is not written: a number that is not whole or too large for an integer, a string for a number.
            """
        ),
        .heading("columns"),
        columnKeys.terms,
    ]

    static let platformKeys = ManualTable([
        .init("ios", "<mapping>", "The stores on iOS."),
        .init("android", "<mapping>", "The stores on Android."),
    ])

    static let sideKeys = ManualTable([
        .init("app", "<mapping>", "The app's store, in the app container."),
        .init("group", "<mapping>", "The widget's store, in the App Group container."),
    ])

    static let storeKeys = ManualTable([
        .init("format", "<word>", "The format; see below. Required."),
        .init("file", "<path>", "The path of the file in the container. Required."),
        .init("text", "<key>", "The key that has the document as JSON in a string."),
        .init("data", "<key>", "The key that has the document as JSON in bytes, instead of `text`."),
        .init("fields", "<mapping>", "Keys that have values of the document; see below."),
        .init(
            "at",
            "<pointer or mapping>",
            "Where the pointers of `fields` begin, for all versions of the document or for each."
        ),
        .init(
            "prefix",
            "<text>",
            """
            For `flutter`: what each key begins with, as set by `SharedPreferences.setPrefix`; `""` for \
            `SharedPreferencesAsync`.
            """,
            default: "flutter."
        ),
        .init(
            "markers",
            "`true` or `false`",
            "For `home-widget`: whether it is version 0.7 or later, which marks real numbers.",
            default: "true"
        ),
        .init("widget", "<name>", "For `expo-widgets`: the name of the widget. Required."),
        .init("table", "<name>", "For `sqlite`: the table. Required. For `tinybase`: `tinybase` by default."),
        .init("columns", "<mapping>", "For `sqlite`: the columns; see below. Required."),
    ])

    static let storeFormats: [(format: String, text: String)] = [
        ("json", "The document is a file, of any name."),
        ("plist", "Keys of a property list, such as `UserDefaults`. The name of the file ends in `.plist`."),
        ("shared-preferences", "Keys of Android's preferences. The name of the file ends in `.xml`."),
        (
            "flutter",
            """
            Keys of the Flutter plugin `shared_preferences`, which begin with `prefix`, in a `.plist` or \
            `.xml`.
            """
        ), ("home-widget", "Keys of the Flutter plugin `home_widget`, in a `.plist` or `.xml`."),
        (
            "async-storage",
            """
            A key of React Native's AsyncStorage: `manifest.json` of iOS, or a database of Android, \
            `AsyncStorage` or `RKStorage`.
            """
        ),
        (
            "expo-widgets",
            """
            The keys of a widget of `expo-widgets` in a `.plist`: the fields `layout` (a string), \
            `initial_props` (a dictionary) and `timeline` (an array).
            """
        ), ("tinybase", "The row in which TinyBase's persister keeps a store in a database."),
        ("sqlite", "A row of any database, whose key is that of `text` or `data`."),
    ]

    static let fieldTypes: [(type: String, text: String)] = [
        ("string", "A string."), ("bool", "`true` or `false`."),
        (
            "integer",
            "An integer of 64 bits: Android's `long`, and its `int` for small numbers of `home-widget`."
        ), ("int32", "Android's `int`."), ("real", "A real number of 64 bits, the nearest one."),
        ("float", "Android's `float`, the nearest one."), ("date", "The `date` of a property list."),
        ("strings", "A list of strings."),
        (
            "array",
            """
            An array of a property list. Whole numbers become integers, and members that are `null` are \
            left out.
            """
        ), ("dictionary", "A dictionary of a property list, with values as in `array`."),
    ]

    static let fieldKeys = ManualTable([
        .init(
            "from",
            "<form or list>",
            """
            The value is a time, in one of these forms in the document; see `convert` in LENSES. Required \
            for `date`.
            """
        ), .init("to", "<form>", "The form of the time in the store, for other types than `date`."),
    ])

    static let columnKeys = ManualTable([
        .init("key", "<name>", "The column with the key of the row. Required."),
        .init("value", "<name>", "The column with the document. Required."),
    ])
}
