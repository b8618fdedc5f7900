/// A number as the rules of plural forms read it
/// (https://unicode.org/reports/tr35/tr35-numbers.html#Operands).
struct PluralOperands: Sendable, Hashable {
    /// The number without its sign; rounded, where it has more digits than a `Double`.
    var n: Double
    /// The digits before the point, the last 18 of them.
    var i: Int
    /// How many decimals it is written with, and how many of them are no zeros at the end.
    var v: Int
    var w: Int
    /// The decimals as a number, with and without zeros at the end.
    var f: Int
    var t: Int

    /// Of a number as JSON has it, without an exponent; `nil` if it is none.
    init?(_ text: String) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let number = Double(digits), (1...2).contains(parts.count) else { return nil }
        let decimals = parts.count == 2 ? String(parts[1].prefix(18)) : ""
        guard let whole = Int(parts[0].suffix(18)), decimals.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        var trimmed = decimals[...]
        while trimmed.last == "0" { trimmed.removeLast() }
        (n, i) = (number, whole)
        (v, w) = (decimals.count, trimmed.count)
        (f, t) = (Int(decimals) ?? 0, Int(trimmed) ?? 0)
    }
}
