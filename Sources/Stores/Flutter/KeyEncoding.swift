import Documents

/// How a plugin writes the value of a field into preferences: under which keys, and as which types.
///
/// A Dart `double` is a `.real`, an `int` an `.integer`, a list of strings an `.array` of `.string`, in a
/// property list as in Android's preferences.
package enum KeyEncoding: Sendable, Hashable {
    /// Under the name of the field, as it is.
    case plain
    /// `shared_preferences`: a prefix, and on Android doubles and lists as text.
    case flutter(prefix: String = StoreFormat.flutterPrefix)
    /// `home_widget`: on Android, doubles as the bits of a long; since version 0.7 with a marker beside every
    /// value, which tells whether it is a double. Before, there is none, and every long is a double.
    case homeWidget(markers: Bool)

    /// The keys that a field may have: that of its value, and that of its marker.
    package func keys(of field: String, in format: FileFormat) -> [String] {
        switch self {
        case .plain: [field]
        case .flutter(let prefix): [prefix + field]
        case .homeWidget(let markers):
            markers && format == .sharedPreferences ? [field, Self.markerPrefix + field] : [field]
        }
    }

    /// The field whose value a key has; `nil` for a marker, or a key of somebody else.
    package func field(ofKey key: String, in format: FileFormat) -> String? {
        switch self {
        case .plain: key
        case .flutter(let prefix): key.rest(after: prefix)
        case .homeWidget(let markers):
            markers && format == .sharedPreferences && key.rest(after: Self.markerPrefix) != nil ? nil : key
        }
    }

    /// What the plugin would write: changes for `KeyedFile.replacing`. `nil` removes the field.
    package func encoded(
        _ value: StoreValue?,
        as field: String,
        in format: FileFormat
    ) throws(StoreFault) -> StoreChanges {
        let keys = keys(of: field, in: format)
        guard let value else { return Dictionary(uniqueKeysWithValues: keys.map { (ExactText($0), nil) }) }
        let key = keys[0]
        switch (self, format) {
        case (.plain, _): return [ExactText(key): value]
        case (.flutter, .sharedPreferences):
            return [ExactText(key): try FlutterValue.encoded(value, key: key)]
        case (.homeWidget(let markers), .sharedPreferences):
            let encoded = try HomeWidgetValue.encoded(value, key: key, knowsLongs: markers)
            guard markers else { return [ExactText(key): encoded] }
            return [ExactText(key): encoded, ExactText(keys[1]): .bool(value.dart.type == .real)]
        case (.flutter, _), (.homeWidget, _): return [ExactText(key): value.dart]
        }
    }

    /// The value of a field; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - expected: The type of the field, which decides where a long may be a number or a double's bits.
    ///   - values: The value under a key.
    package func decoded(
        _ field: String,
        expecting expected: StoreType? = nil,
        in format: FileFormat,
        from values: (String) -> StoreValue?
    ) throws(StoreFault) -> StoreValue? {
        let keys = keys(of: field, in: format)
        guard let value = values(keys[0]) else { return nil }
        switch (self, format) {
        case (.plain, _): return value
        case (.flutter, .sharedPreferences): return try FlutterValue.decoded(value, key: keys[0])
        case (.homeWidget(let markers), .sharedPreferences):
            guard case .integer(let long) = value else { return value.dart }
            let marker = markers ? values(keys[1]) : nil
            let reading = HomeWidgetValue.Long(long, isMarked: marker, areAllDoubles: !markers)
            return try reading.value(expecting: expected, key: keys[0])
        case (.flutter, _), (.homeWidget, _): return value.dart
        }
    }

    private static let markerPrefix = "home_widget.double."
}

extension StoreValue {
    /// The same value in the types that Dart has: one for integers, one for reals, and lists.
    var dart: StoreValue {
        switch self {
        case .int32(let number): .integer(Int64(number))
        case .float(let number): .real(Double(number))
        case .strings(let strings): .array(strings.map { .string($0) })
        default: self
        }
    }
}

extension String {
    /// What follows `prefix`, compared byte by byte: a combining character behind it is part of the rest.
    package func rest(after prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }
}
