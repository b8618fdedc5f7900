import Documents

/// The texts of numbers and dates in an XML property list.
enum XMLScalar {
    private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
        var bytes = Array(text.utf8)[...]
        while bytes.first?.isXMLSpace == true { bytes.removeFirst() }
        while bytes.last?.isXMLSpace == true { bytes.removeLast() }
        return bytes
    }

    // MARK: - Integers

    /// Decimal, or hexadecimal after `0x`. `nil` beyond 64 bits.
    static func integer(_ text: String) -> StoreValue? {
        var digits = trimmed(text)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits.removeFirst(2) }
        // A second sign would pass otherwise.
        guard digits.first != UInt8(ascii: "-"), digits.first != UInt8(ascii: "+"),
            let number = UInt64(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        if isNegative { return number <= 1 << 63 ? .integer(Int64(bitPattern: 0 &- number)) : nil }
        return number > Int64.max ? .unsigned(number) : .integer(Int64(number))
    }

    // MARK: - Reals

    static func real(_ text: String) -> StoreValue? {
        let text = String(decoding: trimmed(text), as: UTF8.self).lowercased()
        switch text {
        case "nan": return .real(.nan)
        case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
        case "-inf", "-infinity": return .real(-.infinity)
        default:
            // Swift reads more forms, such as hexadecimal ones.
            guard text.utf8.allSatisfy({ isOfReal($0) }) else { return nil }
            return Double(text).map(StoreValue.real)
        }
    }

    private static func isOfReal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "e"):
            true
        default: false
        }
    }

    /// The shortest text that is read as the same number.
    static func text(real number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        return number.description
    }

    // MARK: - Dates

    /// The dates that the format can represent: those of four-digit years, in seconds since 2001.
    private static let dates = -63_113_904_000.0...252_423_993_599.0
    private static let epoch: Int64 = 978_307_200

    /// A date such as `2026-01-18T14:30:00Z`.
    static func date(_ text: String) -> StoreValue? {
        let text = String(decoding: trimmed(text), as: UTF8.self)
        guard text.hasSuffix("Z") else { return nil }
        let precise = text.dropLast() + ".000Z"
        // Printed again, an hour 25 would be one of the next day.
        guard let milliseconds = UTCTime.milliseconds(String(precise)), UTCTime.text(milliseconds) == precise
        else { return nil }
        return .date(Double(milliseconds / 1000 - epoch))
    }

    /// `nil` for fractions of a second, which the format does not have, and for dates that it does not.
    static func text(date seconds: Double) -> String? {
        guard dates.contains(seconds), seconds == seconds.rounded(.down) else { return nil }
        return UTCTime.text((Int64(seconds) + epoch) * 1000).prefix(19) + "Z"
    }
}
