/// Numbers as Java writes and reads them.
///
/// The text is that of `Double.toString` and `Float.toString` since Java 19: the shortest that is read back
/// as the same number. Android and older versions of Java sometimes write a longer one; both are read.
package enum JavaDouble {
    package static func text(_ number: Double) -> String {
        if let text = special(number) { return text }
        var decimal = Decimal(number.magnitude.description)
        if decimal.digits.count == 1, number.magnitude < 0x1p-1022 {
            decimal = Decimal(number.bitPattern & 0xFF_FFFF, times: 4.9406564584124654, exponent: -324)
        }
        return (number < 0 ? "-" : "") + decimal.text
    }

    package static func text(_ number: Float) -> String {
        if let text = special(number) { return text }
        var decimal = Decimal(number.magnitude.description)
        if decimal.digits.count == 1, number.magnitude < 0x1p-126 {
            decimal = Decimal(
                UInt64(number.bitPattern & 0x7FFF_FFFF),
                times: 1.4012984643248171,
                exponent: -45
            )
        }
        return (number < 0 ? "-" : "") + decimal.text
    }

    /// As `Double.parseDouble`, but for numbers in hexadecimal, which no program writes into preferences.
    package static func double(_ text: String) -> Double? {
        switch parsed(text) {
        case .number(let text): Double(text)
        case .infinity(isNegative: let isNegative): isNegative ? -.infinity : .infinity
        case .notANumber: .nan
        case nil: nil
        }
    }

    /// As `Float.parseFloat`.
    package static func float(_ text: String) -> Float? {
        switch parsed(text) {
        case .number(let text): Float(text)
        case .infinity(isNegative: let isNegative): isNegative ? -.infinity : .infinity
        case .notANumber: .nan
        case nil: nil
        }
    }

    private static func special(_ number: some BinaryFloatingPoint) -> String? {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number.isZero { return number.sign == .minus ? "-0.0" : "0.0" }
        return nil
    }

    private enum Parsed {
        /// A text that Swift reads as Java does.
        case number(String)
        case infinity(isNegative: Bool)
        case notANumber
    }

    private static func parsed(_ text: String) -> Parsed? {
        var rest = Substring(text).utf8.drop { $0 <= 0x20 }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        let number = rest
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        if rest.elementsEqual("NaN".utf8) { return .notANumber }
        if rest.elementsEqual("Infinity".utf8) { return .infinity(isNegative: isNegative) }
        let whole = digits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard whole + fraction > 0 else { return nil }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            guard digits(&rest) > 0 else { return nil }
        }
        let isSuffixed = rest.count == 1 && "fFdD".utf8.contains(rest[rest.startIndex])
        guard rest.isEmpty || isSuffixed else { return nil }
        return .number(String(Substring(number.prefix(upTo: rest.startIndex))))
    }

    private static func digits(_ text: inout Substring.UTF8View) -> Int {
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        text = text[digits.endIndex...]
        return digits.count
    }
}

/// A positive decimal: `0.DIGITS` times a power of ten.
private struct Decimal {
    /// Without zeros at either end.
    var digits: [UInt8]
    var exponent: Int

    /// From Swift's description of a number, which has the shortest digits, too.
    init(_ description: String) {
        let parts = description.utf8.split(separator: UInt8(ascii: "e"))
        let point = parts[0].firstIndex(of: UInt8(ascii: ".")) ?? parts[0].endIndex
        let whole = parts[0][..<point].drop { $0 == UInt8(ascii: "0") }
        digits = Array(whole) + parts[0][point...].dropFirst()
        exponent = whole.count + (parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0)
        trim()
    }

    /// The closest decimal with two digits to a few times the smallest number of a type. Java writes at least
    /// two digits, so where one would do, it writes the two that are closest.
    init(_ count: UInt64, times smallest: Double, exponent: Int) {
        var value = Double(count) * smallest
        self.exponent = exponent + 1
        while value >= 10 {
            value /= 10
            self.exponent += 1
        }
        digits = Array(String(Int((value * 10).rounded())).utf8)
        self.exponent += digits.count - 2
        trim()
    }

    private mutating func trim() {
        while digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    }

    /// Plain from 0.001 and below 10,000,000, else with an exponent; at least one digit after the point.
    var text: String {
        let zero = UInt8(ascii: "0")
        let whole: [UInt8]
        let fraction: [UInt8]
        switch exponent {
        case 1...7:
            whole = (0..<exponent).map { $0 < digits.count ? digits[$0] : zero }
            fraction = Array(digits.dropFirst(exponent))
        case -2...0: (whole, fraction) = ([zero], Array(repeating: zero, count: -exponent) + digits)
        default: (whole, fraction) = ([digits[0]], Array(digits.dropFirst()))
        }
        let plain = String(
            decoding: whole + [UInt8(ascii: ".")] + (fraction.isEmpty ? [zero] : fraction),
            as: UTF8.self
        )
        return (-2...7).contains(exponent) ? plain : plain + "E\(exponent - 1)"
    }
}
