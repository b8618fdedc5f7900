/// A point in time, with every digit that was written.
struct Instant: Hashable, Sendable {
    /// Since 1970, rounded down.
    var seconds: Int
    /// The decimal places as written; `nil` if there is no point.
    var fraction: [UInt8]?

    /// The range of RFC 3339: the years 0 to 9999.
    private static let range = -62_167_219_200...253_402_300_799
    static let epoch2001 = 978_307_200

    var isWritable: Bool { Self.range.contains(seconds) }

    /// From a decimal number of seconds; `nil` if it is out of range.
    init?(decimal text: [UInt8], shiftedBy shift: Int) {
        guard let plain = PlainDecimal(text) else { return nil }
        var whole = plain.whole
        fraction = plain.fraction
        if plain.isNegative {
            whole = -whole
            if let digits = plain.fraction, digits.contains(where: { $0 != UInt8(ascii: "0") }) {
                // Rounded down, so that the fraction counts up from there.
                whole -= 1
                fraction = Self.complement(digits)
            }
        }
        seconds = whole + shift
        guard isWritable else { return nil }
    }

    /// From seconds since 2001.
    init?(secondsSince2001 text: [UInt8]) { self.init(decimal: text, shiftedBy: Self.epoch2001) }

    /// From milliseconds since 1970; the fraction has three digits.
    init?(milliseconds text: [UInt8]) {
        guard var plain = PlainDecimal(text) else { return nil }
        plain.movePoint(3)
        self.init(decimal: plain.text, shiftedBy: 0)
    }

    init(seconds: Int, fraction: [UInt8]?) {
        self.seconds = seconds
        self.fraction = fraction
    }

    /// `epoch` is in seconds since 1970.
    func seconds(since epoch: Int) -> [UInt8] {
        let whole = seconds - epoch
        guard let fraction else { return Array(String(whole).utf8) }
        guard whole < 0, fraction.contains(where: { $0 != UInt8(ascii: "0") }) else {
            return Array("\(whole).".utf8) + fraction
        }
        return Array("-\(-(whole + 1)).".utf8) + Self.complement(fraction)
    }

    /// Rounded down to whole milliseconds.
    var milliseconds: [UInt8] {
        let digits = Array((fraction ?? []).prefix(3))
        let rest = (digits + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - digits.count)).reduce(0) {
            $0 * 10 + Int($1 - UInt8(ascii: "0"))
        }
        return Array(String(seconds * 1000 + rest).utf8)
    }

    /// Whether it has a fraction that milliseconds cannot represent.
    var isFinerThanMilliseconds: Bool {
        (fraction ?? []).dropFirst(3).contains { $0 != UInt8(ascii: "0") }
    }

    /// Whether both are the same instant, regardless of trailing zeros in the fraction.
    func isSame(as other: Instant?) -> Bool {
        other.map { seconds == $0.seconds && digits.elementsEqual($0.digits) } ?? false
    }

    static func < (a: Instant, b: Instant) -> Bool {
        a.seconds == b.seconds ? a.digits.lexicographicallyPrecedes(b.digits) : a.seconds < b.seconds
    }

    /// The digits of the fraction without trailing zeros.
    private var digits: ArraySlice<UInt8> {
        let all = (fraction ?? [])[...]
        return all.prefix((all.lastIndex { $0 != UInt8(ascii: "0") } ?? -1) + 1)
    }

    /// 1 - 0.digits.
    private static func complement(_ digits: [UInt8]) -> [UInt8] {
        var result = digits.map { UInt8(ascii: "9") - ($0 - UInt8(ascii: "0")) }
        for index in result.indices.reversed() {
            if result[index] < UInt8(ascii: "9") {
                result[index] += 1
                break
            }
            result[index] = UInt8(ascii: "0")
        }
        return result
    }
}
