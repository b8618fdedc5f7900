import Documents
import Testing

@Suite("Stores in profiles")
struct StoreRuleTests {
    private static let key = "documents.d.json.stores.ios.app"

    /// A profile whose document has this store in its tenth line.
    private func profile(_ store: String, document: String = "d.json", zone: Bool = true) throws -> Profile {
        try Profile(
            yaml: """
                profile: p
                \(zone ? #"timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}"# : "")
                documents:
                  \(document):
                    version: {field: version, missing: 1}
                    versions: {1: {}, 2: {}}
                    views: [1]
                    stores:
                      ios:
                        app: {\(store)}
                """,
            file: "p.yaml"
        )
    }

    private func store(_ text: String) throws -> StoreRule {
        try #require(try profile(text).documents[0].stores[.ios]?.app)
    }

    @Test("have a format, a file, and the key of the whole document")
    func whole() throws {
        let text = try store("format: flutter, file: Library/Preferences/a.b.plist, text: widget_data")
        #expect(text.format == .flutter && text.fileKind == .propertyList)
        #expect(text.whole == .text(key: "widget_data") && text.keys == ["widget_data"])
        #expect(text.prefix == "flutter.")
        let bare = try store(#"format: flutter, file: shared_prefs/A.xml, text: k, prefix: """#)
        #expect(bare.prefix.isEmpty)
        #expect(try store("format: flutter, file: a.plist, text: k, prefix: myapp.").prefix == "myapp.")
        let data = try store("format: plist, file: a.plist, data: k")
        #expect(data.whole == .data(key: "k") && data.prefix.isEmpty)
        #expect(try store("format: flutter, file: shared_prefs/A.xml, text: k").fileKind == .preferences)
        #expect(try store("format: json, file: penny.json").fileKind == .json)
    }

    @Test("have fields with a type, a pointer and the forms of a time")
    func fields() throws {
        let rule = try store(
            """
            format: plist, file: a.plist, data: k, at: {1: "", 2: /data}, fields: {
              a: {real: /spent}, b: {integer: /at, from: [iso8601, local], to: milliseconds},
              c: {date: /at, from: seconds1970}, d: {dictionary: ""}}
            """
        )
        #expect(rule.keys == ["k", "a", "b", "c", "d"])
        #expect(rule.fields.map(\.type) == [.real, .integer, .date, .dictionary])
        #expect(rule.fields.map(\.pointer.description) == ["/spent", "/at", "/at", ""])
        #expect(rule.fields[1].times == StoreTimes(document: [.iso8601, .local], store: .milliseconds))
        #expect(rule.fields[2].times == StoreTimes(document: [.seconds1970], store: .seconds2001))
        #expect(rule.start[1] == .root && rule.start[2].description == "/data" && rule.start[nil] == .root)
        let everywhere = try store("format: plist, file: a.plist, at: /x, fields: {a: {bool: /b}}")
        #expect(everywhere.start[1].description == "/x" && everywhere.whole == nil)
    }

    @Test("in a database have the table, the columns and the key of the row")
    func databases() throws {
        let tinybase = try store("format: tinybase, file: Documents/SQLite/a.db")
        #expect(tinybase.table == StoreTable(name: "tinybase", keyColumn: "_id", valueColumn: "store"))
        #expect(tinybase.whole == .text(key: "_"))
        let any = try store("format: sqlite, file: a, table: t, columns: {key: k, value: v}, data: row")
        #expect(any.table == StoreTable(name: "t", keyColumn: "k", valueColumn: "v"))
        #expect(any.whole == .data(key: "row"))
        let room = try store("format: async-storage, file: databases/AsyncStorage, text: k")
        #expect(room.table == StoreTable(name: "Storage", keyColumn: "key", valueColumn: "value"))
        let old = try store("format: async-storage, file: databases/RKStorage, text: k")
        #expect(old.table?.name == "catalystLocalStorage")
        let manifest = try store("format: async-storage, file: a/manifest.json, text: k")
        #expect(manifest.fileKind == .manifest && manifest.table == nil)
    }

    @Test("of expo-widgets have the widget's keys, with the types that the package writes")
    func expoWidgets() throws {
        let rule = try store(
            "format: expo-widgets, file: a.plist, widget: W, fields: {timeline: {array: /timeline}}"
        )
        #expect(rule.prefix == "__expo_widgets_W_" && rule.fields[0].type == .array)
        let wrong = "format: expo-widgets, file: a.plist, widget: W, fields: {timelines: {array: /t}}"
        #expect(try fault(wrong).reason.unknownWord?.known == ["layout", "initial_props", "timeline"])
        let type = "format: expo-widgets, file: a.plist, widget: W, fields: {layout: {array: /t}}"
        #expect(try fault(type).reason.unknownWord?.known == ["string", "from", "to"])
    }

    private func fault(_ store: String, document: String = "d.json", zone: Bool = true) throws -> ProfileError
    {
        try #require(throws: ProfileError.self) { try profile(store, document: document, zone: zone) }
    }

    /// A store, the column of the error, and its text.
    static let faults: [(store: String, column: Int, text: String)] = [
        ("file: a", 14, "`format`, one of `json`"),
        ("fromat: plist", 15, "unknown key; known here: format, file,"),
        ("format: plits", 23, "expected one of `json`, `plist`, `shared-preferences`"),
        ("format: plist, file: a.plist, table: t", 45, "unknown key; known here: format, file, text, data"),
        ("format: plist, text: t", 14, "`file`, the path of the file in the container, is missing"),
        ("format: plist, file: a.xml, text: t", 36, "the name of a `plist` file ends in `.plist`"),
        ("format: plist, file: a.plist, text: k, prefix: x", 54, "unknown key; known here: format, file"),
        ("format: flutter, file: a, text: t", 38, "file ends in `.plist` or `.xml`"),
        ("format: json, file: /a.json", 35, "expected a path in the container, such as"),
        ("format: json, file: a/../b.json", 35, "found `a/../b.json`"),
        ("format: json, file: a//b.json", 35, "found `a//b.json`"),
        ("format: plist, file: a.plist", 14, "one of `text`, `data`, `fields` is required"),
        ("format: plist, file: a.plist, text: a, data: b", 14, "`text` or `data` is required"),
        ("format: home-widget, file: a.xml, data: k", 55, "preferences have no bytes: use `text`"),
        ("format: plist, file: a.plist, text: k, at: /a", 58, "`at` needs `fields`"),
        (
            "format: expo-widgets, file: a.plist, fields: {}", 14,
            "`widget`, the name of the widget, is missing"
        ),
        ("format: sqlite, file: a, text: k", 14, "`table` and `columns` are required"),
        (
            "format: sqlite, file: a, table: t, columns: {key: k}, text: k", 59,
            "`key` and `value` are required"
        ),
    ]

    @Test("that cannot be read are refused with their place", arguments: faults)
    func refusals(store: String, column: Int, text: String) throws {
        let error = try fault(store)
        #expect(error.line == 10 && error.column == column, "\(error.column)")
        #expect(error.reason.text.contains(text), "\(error.reason.text)")
    }

    /// The fields of a store, and the text of the error.
    static let fieldFaults: [(fields: String, text: String)] = [
        (
            "a: {reel: /a}",
            "unknown key; known here: string, bool, integer, real, date, strings, array, dictionary"
        ),
        ("a: {}", "one of `string`, `bool`, `integer`"), ("a: {real: /a, bool: /b}", "one of `string`"),
        ("a: {real: a}", "expected a JSON Pointer"),
        ("k: {real: /a}", "`k` is the key of the whole document"),
        ("a: {int32: /a}", "unknown key; known here"),
        ("a: {date: /a}", "`from`, the forms that the time has"),
        ("a: {date: /a, from: iso8601, to: milliseconds}", "a `date` has no `to`"),
        ("a: {real: /a, from: iso8601}", "`from` needs `to`"),
        ("a: {real: /a, to: milliseconds}", "`to` needs `from`"),
        ("a: {real: /a, from: iso, to: milliseconds}", "expected one of `iso8601`, `local`"),
        (
            "a: {real: /a, from: iso8601, to: millisecondsText}",
            "expected one of `seconds2001`, `seconds1970`"
        ),
        ("a: {string: /a, from: iso8601, to: milliseconds}", "expected one of `iso8601`, `local`"),
        ("a: {real: /a, from: [], to: milliseconds}", "`from`, the forms that the time has"),
        ("a: {real: /a}}, at: {1: /a", "`2`, where the fields are in a document of this version, is missing"),
        ("a: {real: /a}}, at: {1: /a, 2: /b, 3: /c", "unknown key; known here: 1, 2"),
    ]

    @Test("with fields that cannot be read are refused", arguments: fieldFaults)
    func fieldRefusals(fields: String, text: String) throws {
        let error = try fault("format: plist, file: a.plist, text: k, fields: {\(fields)}")
        #expect(error.line == 10 && error.reason.text.contains(text), "\(error.reason.text)")
    }

    @Test("suggest the word that was meant")
    func suggestions() throws {
        #expect(try fault("format: tinybas").reason.unknownWord?.word == "tinybas")
        let error = try #require(throws: ProfileError.self) {
            try Profile(yaml: "profile: p\ndocuments: {d.json: {stores: {iOS: {}}}}", file: "p")
        }
        #expect(error.reason == .unknownKey("iOS", known: ["ios", "android"]))
    }

    @Test("belong to one document, and have local times only with a time zone")
    func documents() throws {
        let pattern = try fault("format: json, file: a.json", document: "\"*.json\"")
        #expect(pattern.reason == .rule(.store(.ofPattern)))
        let local = "format: plist, file: a.plist, fields: {a: {date: /a, from: local}}"
        #expect(try fault(local, zone: false).reason == .rule(.store(.noTimeZone)))
        _ = try profile(local)
    }

    @Test("have only types that their format has")
    func types() {
        for format in StoreFormat.allCases {
            for file in ["a.plist", "a.xml"] {
                guard let kind = format.fileKind(of: file), kind == .propertyList || kind == .preferences
                else {
                    continue
                }
                let types = format.types(in: kind)
                #expect(types.contains(.string) && types.contains(.bool) && types.contains(.integer))
                #expect(types.contains(.date) == (kind == .propertyList))
            }
        }
    }
}
