import Documents
import Stores
import TestDocuments
import Testing

@Suite("The documents of the five apps in their stores")
struct AppStoreTests {
    @Test("come back byte for byte, in both versions, on every platform and side", arguments: Fixture.all)
    func roundTrip(fixture: Fixture) throws {
        var tried = 0
        for platform in StorePlatform.allCases {
            let stores = try #require(Profile.builtIn(fixture.profile)?.documents.first).stores[platform]
            for side in DocumentView.Container.allCases {
                guard let rule = stores?[side], rule.fileKind != .json else { continue }
                var store = try MappedStore(fixture.profile, platform, side)
                #expect(try store.document() == nil)
                for (text, version) in [(fixture.v1, 1), (fixture.v2, 2)] {
                    try store.write(text, at: version)
                    #expect(try store.document() == text)
                    #expect(Set(store.values.keys).isSubset(of: store.mapping.keys))
                    tried += 1
                }
                try store.write(nil)
                #expect(store.values.isEmpty)
            }
        }
        #expect(tried >= 2)
    }

    @Test("are text, or data, as the widget reads it")
    func types() throws {
        for (profile, key, type) in [
            ("todo", "widget_data", StoreType.string), ("finance", "widgetData", .data),
            ("balances", "penny_widget_data", .data),
        ] {
            let fixture = try #require(Fixture.all.first { $0.profile == profile })
            var store = try MappedStore(profile, .ios, .group)
            try store.write(fixture.v1, at: 1)
            #expect(store.values.mapValues(\.type) == [key: type])
        }
    }

    private static let iosKeys: [String: StoreValue] = [
        "flutter.spent": .real(450.5), "flutter.limit": .real(800), "flutter.month": .string("Gennaio 2026"),
        "flutter.currency": .string("€"), "flutter.isDarkMode": .bool(false),
        "flutter.lastUpdated": .real(1_768_746_600_000), "flutter.groupName": .string("Famiglia Rossi"),
    ]

    @Test("of the budget have single values beside the text, from where the version has them")
    func budget() throws {
        var store = try MappedStore("budget", .ios, .group)
        try store.write(Budget.v1, at: 1)
        let text = ["flutter.widget_data": StoreValue.string(Budget.v1)]
        #expect(store.values == Self.iosKeys.merging(text) { $1 })
        try store.write(Budget.v2, at: 2)
        let added: [String: StoreValue] = [
            "flutter.widget_data": .string(Budget.v2), "flutter.expenseCount": .integer(0),
            "flutter.hasError": .bool(false),
        ]
        #expect(store.values == Self.iosKeys.merging(added) { $1 })
        // A value that the next document does not have goes.
        try store.write(Budget.v1, at: 1)
        #expect(store.values["flutter.hasError"] == nil)
        #expect(store.mapping.keys.count == 12)
    }

    @Test(
        "of the budget have the same time in each of the forms that its parts write",
        arguments: [
            #""2026-01-18T14:30:00.000Z""#, #""2026-01-18T15:30:00+01:00""#, #""2026-01-18T15:30:00.000""#,
            "1768746600000", #""1768746600000""#,
        ]
    )
    func times(form: String) throws {
        let text = Budget.v1.replacing(#""2026-01-18T14:30:00.000Z""#, with: form)
        var ios = try MappedStore("budget", .ios, .group)
        try ios.write(text, at: 1)
        #expect(ios.values["flutter.lastUpdated"] == .real(1_768_746_600_000))
        let android = try MappedStore("budget", .android, .group).mapping
        #expect(
            try android.changes(writing: Array(text.utf8), at: 1)["lastUpdated"]
                == .integer(1_768_746_600_000)
        )
    }

    @Test("of the budget have on Android the bits of doubles, each value with its marker")
    func android() throws {
        var store = try MappedStore("budget", .android, .group)
        try store.write(Budget.v2, at: 2)
        let values: [String: StoreValue] = [
            "widgetDataJson": .string(Budget.v2), "spent": .integer(4_646_632_896_004_620_288),
            "limit": .integer(4_650_248_090_236_747_776), "month": .string("Gennaio 2026"),
            "currency": .string("€"), "groupName": .string("Famiglia Rossi"), "isDarkMode": .bool(false),
            "hasError": .bool(false), "expenseCount": .int32(0), "lastUpdated": .integer(1_768_746_600_000),
        ]
        for (key, value) in values {
            #expect(store.values[key] == value, "\(key)")
            let isDouble = key == "spent" || key == "limit"
            #expect(store.values["home_widget.double.\(key)"] == .bool(isDouble), "\(key)")
        }
        #expect(store.values.count == 2 * values.count)
        #expect(store.mapping.keys.count == 24)
        var app = try MappedStore("budget", .android, .app)
        try app.write(Budget.v1, at: 1)
        #expect(app.values == ["flutter.widget_data": .string(Budget.v1)])
    }

    @Test("of the budget are the text, whatever the single values say")
    func dualStorage() throws {
        var store = try MappedStore("budget", .ios, .group)
        try store.write(Budget.v1, at: 1)
        store.values["flutter.spent"] = .string("wrong")
        #expect(try store.document() == Budget.v1)
        store.values["flutter.widget_data"] = nil
        #expect(try store.document() == nil)
    }
}
