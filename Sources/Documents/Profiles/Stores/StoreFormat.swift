/// The format of a store. The raw value is its name in profiles.
package enum StoreFormat: String, Sendable, Hashable, CaseIterable {
    /// The document is a file.
    case json
    /// Keys of a property list, such as `UserDefaults`.
    case plist
    /// Keys of Android's preferences.
    case sharedPreferences = "shared-preferences"
    /// Keys of the Flutter plugin `shared_preferences`, in a property list or in preferences.
    case flutter
    /// Keys of the Flutter plugin `home_widget`, in a property list or in preferences.
    case homeWidget = "home-widget"
    /// Keys of React Native's AsyncStorage: a manifest, or a database.
    case asyncStorage = "async-storage"
    /// The keys of a widget of `expo-widgets`, in a property list.
    case expoWidgets = "expo-widgets"
    /// The row in which TinyBase keeps a store.
    case tinybase
    /// A row of any database.
    case sqlite

    /// What the keys of `shared_preferences` begin with, unless the app sets another prefix.
    package static let flutterPrefix = "flutter."

    /// The kind of a file by its name; `nil` if no file of this format has such a name.
    package func fileKind(of file: String) -> StoreFileKind? {
        func ends(in suffix: String) -> Bool {
            file.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        }
        switch self {
        case .json: return .json
        case .plist, .expoWidgets: return ends(in: ".plist") ? .propertyList : nil
        case .sharedPreferences: return ends(in: ".xml") ? .preferences : nil
        case .flutter, .homeWidget:
            return ends(in: ".plist") ? .propertyList : ends(in: ".xml") ? .preferences : nil
        case .asyncStorage: return ends(in: ".json") ? .manifest : .database
        case .tinybase, .sqlite: return .database
        }
    }

    /// What the name of a file ends in; empty if it may be any name.
    var suffixes: [String] {
        switch self {
        case .json, .asyncStorage, .tinybase, .sqlite: []
        case .plist, .expoWidgets: [".plist"]
        case .sharedPreferences: [".xml"]
        case .flutter, .homeWidget: [".plist", ".xml"]
        }
    }

    /// The keys of such a store in a profile.
    var keys: [String] {
        let common = ["format", "file"]
        switch self {
        case .json: return common
        case .plist: return common + ["text", "data", "at", "fields"]
        case .sharedPreferences: return common + ["text", "at", "fields"]
        case .flutter: return common + ["text", "data", "at", "fields", "prefix"]
        case .homeWidget: return common + ["text", "data", "at", "fields", "markers"]
        case .asyncStorage: return common + ["text"]
        case .expoWidgets: return common + ["widget", "at", "fields"]
        case .tinybase: return common + ["table"]
        case .sqlite: return common + ["table", "columns", "text", "data"]
        }
    }

    /// The types that a value in such a file can have.
    package func types(in file: StoreFileKind) -> [StoreFieldType] {
        switch (self, file) {
        case (_, .propertyList): [.string, .bool, .integer, .real, .date, .strings, .array, .dictionary]
        case (.flutter, .preferences): [.string, .bool, .integer, .real, .strings]
        case (.homeWidget, .preferences): [.string, .bool, .integer, .real]
        case (_, .preferences): [.string, .bool, .integer, .int32, .float, .strings]
        case (_, .json), (_, .manifest), (_, .database): []
        }
    }
}

/// What a file is, whatever program writes it.
package enum StoreFileKind: String, Sendable, Hashable, CaseIterable {
    case json
    case propertyList = "property list"
    case preferences
    case manifest
    case database
}

/// The keys of a widget of `expo-widgets`, whose types are fixed.
enum ExpoWidgetKey: String, CaseIterable {
    case layout
    case initialProps = "initial_props"
    case timeline

    var type: StoreFieldType {
        switch self {
        case .layout: .string
        case .initialProps: .dictionary
        case .timeline: .array
        }
    }
}
