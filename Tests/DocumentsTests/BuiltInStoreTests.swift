import Documents
import Testing

/// The stores of the five apps are a contract: the paths, keys and types of the apps' own code.
@Suite("The five apps' stores")
struct BuiltInStoreTests {
    private func stores(_ name: String, _ platform: StorePlatform) throws -> StorePair {
        try #require(Profile.builtIn(name)?.documents.first?.stores[platform])
    }

    private func expect(
        _ rule: StoreRule?,
        _ format: StoreFormat,
        _ file: String,
        _ whole: StoreRule.Whole?,
        fields: Int = 0
    ) {
        #expect(rule?.format == format)
        #expect(rule?.file == file)
        #expect(rule?.whole == whole)
        #expect(rule?.fields.count == fields)
    }

    @Test("of the budget are the plugins' keys, and single values beside the document for the widget")
    func budget() throws {
        let ios = try stores("budget", .ios)
        let data = StoreRule.Whole.text(key: "widget_data")
        expect(ios.app, .flutter, "Library/Preferences/com.ecologicaleaving.fin.plist", data)
        let group = "Library/Preferences/group.com.family.financetracker.plist"
        expect(ios.group, .flutter, group, data, fields: 11)
        let android = try stores("budget", .android)
        expect(android.app, .flutter, "shared_prefs/FlutterSharedPreferences.xml", data)
        let preferences = "shared_prefs/HomeWidgetPreferences.xml"
        expect(android.group, .homeWidget, preferences, .text(key: "widgetDataJson"), fields: 11)
        #expect(android.group?.hasMarkers == true)
        for (pair, stamp) in [(ios, StoreFieldType.real), (android, .integer)] {
            let fields = try #require(pair.group?.fields)
            func keys(_ type: StoreFieldType) -> [String] { fields.filter { $0.type == type }.map(\.key) }
            #expect(keys(.real).prefix(3) == ["spent", "limit", "percentage"])
            #expect(keys(.string) == ["month", "currency", "groupName", "errorMessage"])
            #expect(keys(.bool) == ["isDarkMode", "hasError"])
            #expect(keys(.integer).first == "expenseCount")
            #expect(fields.last?.key == "lastUpdated" && fields.last?.type == stamp)
            #expect(fields.last?.times?.store == .milliseconds)
            #expect(pair.group?.start[1] == .root && pair.group?.start[2].description == "/data")
        }
    }

    @Test("of the habits are databases, of version 1 in the app container on iOS")
    func habits() throws {
        let row = StoreRule.Whole.text(key: "_")
        let (ios, android) = (try stores("habits", .ios), try stores("habits", .android))
        expect(ios.app, .tinybase, "Documents/SQLite/beebloom.db", row)
        expect(ios.group, .tinybase, "beebloom.db", row)
        expect(android.app, .tinybase, "files/SQLite/beebloom.db", row)
        expect(android.group, .tinybase, "files/SQLite/beebloom.db", row)
        #expect(ios.app?.table?.name == "tinybase")
    }

    @Test("of todo, finance and balances are on the widget's side what it reads")
    func others() throws {
        let todo = StoreRule.Whole.text(key: "widget_data")
        expect(
            try stores("todo", .ios).group,
            .homeWidget,
            "Library/Preferences/group.com.example.todoapp.plist",
            todo
        )
        expect(
            try stores("todo", .android).group,
            .homeWidget,
            "shared_prefs/HomeWidgetPreferences.xml",
            todo
        )
        #expect(try stores("todo", .ios).app == nil && stores("todo", .android).app == nil)
        let finance = "Library/Preferences/group.com.yourteam.finpessoal.plist"
        expect(try stores("finance", .ios).group, .plist, finance, .data(key: "widgetData"))
        #expect(Profile.builtIn("finance")?.documents[0].stores[.android] == nil)
        let (ios, android) = (try stores("balances", .ios), try stores("balances", .android))
        let directory = "Library/Application Support/com.heywood8.monkeep/RCTAsyncLocalStorage_V1"
        let penny = "penny_widget_data"
        expect(ios.app, .asyncStorage, "\(directory)/manifest.json", .text(key: penny))
        expect(ios.group, .plist, "Library/Preferences/group.com.heywood8.monkeep.plist", .data(key: penny))
        expect(android.app, .asyncStorage, "databases/AsyncStorage", .text(key: penny))
        expect(android.group, .json, "penny.json", nil)
    }

    @Test("have no finding of lint")
    func lint() throws {
        for name in Profile.builtInNames {
            let findings = try #require(Profile.builtIn(name)).lint()
            #expect(!findings.contains { $0.rule.rawValue.hasPrefix("STORE") })
        }
    }
}
