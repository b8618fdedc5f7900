/// Values as the plugin `home_widget` keeps them in Android's preferences.
enum HomeWidgetValue {
    /// - Parameter knowsLongs: Whether it writes integers beyond 32 bits; before version 0.7 it refuses them.
    static func encoded(_ value: StoreValue, key: String, knowsLongs: Bool) throws(StoreFault) -> StoreValue {
        switch value.dart {
        case .string, .bool: return value
        case .real(let number): return .integer(Int64(bitPattern: number.bitPattern))
        case .integer(let number):
            if let small = Int32(exactly: number) { return .int32(small) }
            guard knowsLongs else { throw .unrepresentable(.sharedPreferences, key: key, .integer) }
            return .integer(number)
        default: throw .unrepresentable(.sharedPreferences, key: key, value.type)
        }
    }

    /// Milliseconds since 1970, from 1973 to 5138.
    private static let times: ClosedRange<Int64> = 100_000_000_000...100_000_000_000_000

    /// Whether a long for a value of this type may be a real number as well as an integer.
    static func isDoubtful(_ long: Int64, as type: StoreType, isMarked marker: StoreValue?) -> Bool {
        let looksLikeDouble = Long(long, isMarked: nil, areAllDoubles: false).looksLikeDouble
        switch (type, marker) {
        case (.real, .bool(false)?), (.integer, .bool(true)?): return false
        case (.real, nil): return looksLikeDouble || times.contains(long)
        case (.real, _): return times.contains(long)
        default: return looksLikeDouble
        }
    }

    /// A long, which is a number or the bits of a double.
    struct Long {
        private let long: Int64
        /// `nil` if nothing tells.
        private let isDouble: Bool?
        private let isDoubleUnlessExpected: Bool

        init(_ long: Int64, isMarked marker: StoreValue?, areAllDoubles: Bool) {
            self.long = long
            if case .bool(let isDouble)? = marker { self.isDouble = isDouble } else { isDouble = nil }
            isDoubleUnlessExpected = areAllDoubles
        }

        private var double: Double { Double(bitPattern: UInt64(bitPattern: long)) }

        /// Whether the long makes no sense as a number that an app counts or measures time with, and does as
        /// a double. A value of version 0.6, which is read by version 0.7, has no marker.
        fileprivate var looksLikeDouble: Bool {
            guard long.magnitude > 1 << 53 else { return false }
            return double.isZero || !double.isFinite || (1e-300...1e300).contains(double.magnitude)
        }

        func value(expecting expected: StoreType?, key: String) throws(StoreFault) -> StoreValue {
            switch (isDouble, expected) {
            case (true?, _): return .real(double)
            case (false?, _): return .integer(long)
            case (nil, .real?):
                guard looksLikeDouble || long == 0 else { throw wrong(key, .integer, .real) }
                return .real(double)
            case (nil, .integer?):
                guard !looksLikeDouble else { throw wrong(key, .real, .integer) }
                return .integer(long)
            default: return isDoubleUnlessExpected ? .real(double) : .integer(long)
            }
        }

        private func wrong(_ key: String, _ found: StoreType, _ expected: StoreType) -> StoreFault {
            .wrongType(.sharedPreferences, key: key, found: found, expected: expected)
        }
    }
}
