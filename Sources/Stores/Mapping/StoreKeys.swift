import Documents

/// The keys and values of a store as they are in its file.
struct StoreKeys: Sendable {
    private let encoding: KeyEncoding
    private let format: FileFormat
    /// For keys that the encoding does not change.
    private let prefix: String

    init(_ store: StoreRule) {
        switch store.format {
        case .flutter: (encoding, prefix) = (.flutter(prefix: store.prefix), "")
        case .homeWidget: (encoding, prefix) = (.homeWidget(markers: store.hasMarkers), "")
        default: (encoding, prefix) = (.plain, store.prefix)
        }
        format =
            switch store.fileKind {
            case .preferences: .sharedPreferences
            case .manifest: .asyncStorage
            // A row has the same types.
            case .propertyList, .json, .database: .binaryPropertyList
            }
    }

    /// A key of the profile as in the file.
    func spelled(_ key: String) -> String { keys(of: key).first ?? key }

    /// All keys of the file that belong to a key of the profile.
    func keys(of key: String) -> [String] { encoding.keys(of: prefix + key, in: format) }

    /// The values to write, by their keys in the file.
    func encode(
        _ value: StoreValue?,
        under key: String
    ) throws(StoreMismatch.Reason) -> StoreChanges {
        do throws(StoreFault) {
            return try encoding.encoded(value, as: prefix + key, in: format)
        } catch {
            throw .encoding(error)
        }
    }

    /// The value of a key of the profile, which must have this type.
    func decode(
        _ key: String,
        of type: StoreType,
        from values: (String) -> StoreValue?
    ) throws(StoreMismatch.Reason) -> StoreValue? {
        let value: StoreValue?
        do throws(StoreFault) {
            value = try encoding.decoded(prefix + key, expecting: type, in: format, from: values)
        } catch {
            guard case .wrongType(_, _, let found, let expected) = error else { throw .encoding(error) }
            throw .type(found: found, expected: expected)
        }
        guard let value else { return nil }
        // `UserDefaults` reads an integer as a real number as well; Android's preferences throw.
        let isNumber = type == .real && value.type == .integer && format != .sharedPreferences
        guard value.type == type || isNumber else { throw .type(found: value.type, expected: type) }
        return value
    }
}
