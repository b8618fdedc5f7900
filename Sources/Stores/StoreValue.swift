/// A value under a key of a store, in the type that the platform's own code writes and reads.
package enum StoreValue: Sendable, Hashable {
    case string(String)
    case bool(Bool)
    /// A property list's `<integer>`, Android's `<long>`.
    case integer(Int64)
    /// A property list's `<integer>` above the range of `integer`.
    case unsigned(UInt64)
    /// Android's `<int>`.
    case int32(Int32)
    /// A property list's `<real>`.
    case real(Double)
    /// Android's `<float>`.
    case float(Float)
    /// A property list's `<data>`.
    case data([UInt8])
    /// A property list's `<date>`, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Android's `<set>` of strings, in the order of the file, which is a hash table's and means nothing.
    case strings([String])
    /// A property list's `<array>`.
    case array([StoreValue])
    /// A property list's `<dict>`.
    case dictionary([ExactText: StoreValue])
    /// The `UID` of a keyed archive, in a binary property list.
    case uid(UInt64)

    package var type: StoreType {
        switch self {
        case .string: .string
        case .bool: .bool
        case .integer, .unsigned: .integer
        case .int32: .int32
        case .real: .real
        case .float: .float
        case .data: .data
        case .date: .date
        case .strings: .strings
        case .array: .array
        case .dictionary: .dictionary
        case .uid: .uid
        }
    }
}

/// The type of a `StoreValue`; the raw value is its name in profiles, output and errors.
package enum StoreType: String, Sendable, Hashable, CaseIterable {
    case string, bool, integer, int32, real, float, data, date, strings, array, dictionary, uid
}
