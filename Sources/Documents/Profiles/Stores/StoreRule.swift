/// Where and how the program of one side keeps a document, instead of in a JSON file of the document's name.
package struct StoreRule: Sendable, Hashable {
    package var format: StoreFormat
    /// The path of the file in the container.
    package var file: String
    /// The key, or the key of the row, that has the whole document; `nil` if only `fields` has values of it.
    package var whole: Whole?
    /// Values with keys of their own, in the profile's order.
    package var fields: [StoreField] = []
    /// Where the pointers of `fields` begin.
    package var start = Start()
    /// The name of the widget of `expo-widgets`, which its keys contain.
    package var widget: String?
    /// What the keys of `flutter` begin with: nothing where the app uses `SharedPreferencesAsync`.
    package var pluginPrefix = StoreFormat.flutterPrefix
    /// Whether `home-widget` marks real numbers under further keys, as version 0.7 and later do.
    package var hasMarkers = true
    /// Where the rows are; `nil` unless the file is a database.
    package var table: StoreTable?

    /// The whole document under one key.
    package enum Whole: Sendable, Hashable {
        /// JSON in a string.
        case text(key: String)
        /// JSON in bytes.
        case data(key: String)

        /// Without the format's prefix.
        package var key: String {
            switch self {
            case .text(let key), .data(let key): key
            }
        }
    }

    /// A pointer for each version of the document.
    package struct Start: Sendable, Hashable {
        /// For versions that have none of their own, and for documents without versions.
        package var others = JSONPointer.root
        package var versions: [Int: JSONPointer] = [:]

        package subscript(version: Int?) -> JSONPointer { version.flatMap { versions[$0] } ?? others }
    }

    package init(format: StoreFormat, file: String) { (self.format, self.file) = (format, file) }

    package var fileKind: StoreFileKind { format.fileKind(of: file) ?? .json }

    /// The keys of the profile, in its order.
    package var keys: [String] { (whole.map { [$0.key] } ?? []) + fields.map(\.key) }

    /// What precedes each key in the file.
    package var prefix: String {
        switch format {
        case .flutter: pluginPrefix
        case .expoWidgets: "__expo_widgets_\(widget ?? "")_"
        default: ""
        }
    }
}

/// A value of a document under a key of its own.
package struct StoreField: Sendable, Hashable {
    /// Without the format's prefix.
    package var key: String
    package var type: StoreFieldType
    /// From the rule's `start`.
    package var pointer: JSONPointer
    /// For a value that is a time.
    package var times: StoreTimes?
}

/// The type that the program's own code writes and reads. The raw value is its name in profiles.
package enum StoreFieldType: String, Sendable, Hashable, CaseIterable {
    case string, bool
    /// An integer of 64 bits: Android's `<long>`.
    case integer
    /// Android's `<int>`.
    case int32
    case real
    /// Android's `<float>`.
    case float
    /// A property list's `<date>`.
    case date
    /// A list of strings: an array of a property list, Android's `<set>`.
    case strings
    case array, dictionary
}

/// The table of a database in which each row has a key and a value.
package struct StoreTable: Sendable, Hashable {
    package var name: String
    package var keyColumn: String
    package var valueColumn: String

    package init(name: String, keyColumn: String, valueColumn: String) {
        (self.name, self.keyColumn, self.valueColumn) = (name, keyColumn, valueColumn)
    }
}

/// The stores of a document on one platform.
package struct StorePair: Sendable, Hashable {
    package var app: StoreRule?
    package var group: StoreRule?

    /// `nil` if the side keeps the document in a JSON file.
    package subscript(side: DocumentView.Container) -> StoreRule? {
        switch side {
        case .app: app
        case .group: group
        }
    }

    var rules: [StoreRule] { [app, group].compactMap { $0 } }

    /// Whether a time has a form that needs the profile's time zone.
    var needsZone: Bool {
        rules.contains { $0.fields.contains { $0.times?.needsZone == true } }
    }
}

/// The platform whose stores a side has. The raw value is its name in profiles and options.
package enum StorePlatform: String, Sendable, Hashable, CaseIterable {
    /// Every document is a JSON file.
    case json
    case ios
    case android
}
