/// How a number is written.
package enum NumberStyle: Sendable, Hashable {
    /// As the locale has it, with at most three decimals.
    case decimal
    /// Without decimals, rounded half to even.
    case integer
    /// A fraction of 1.
    case percent
    /// Abbreviated: `12K`.
    case compact
    /// As JSON has it, whatever the locale.
    case plain
    /// With so many decimals, and groups of digits or not.
    case decimals(ClosedRange<Int>, isGrouped: Bool)

    /// Of the style of an argument: a name, or a pattern such as `0.00` or `#,##0.0#`.
    init?(_ text: String) {
        switch text {
        case "": self = .decimal
        case "integer": self = .integer
        case "percent": self = .percent
        case "compact": self = .compact
        case "plain": self = .plain
        default:
            let isGrouped = text.utf8.starts(with: "#,##".utf8)
            var rest = Array(text.utf8)[(isGrouped ? 4 : 0)...]
            guard rest.popFirst() == UInt8(ascii: "0") else { return nil }
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: "."), rest.count <= Self.mostDecimals else {
                return nil
            }
            let least = rest.prefix { $0 == UInt8(ascii: "0") }.count
            guard rest.dropFirst(least).allSatisfy({ $0 == UInt8(ascii: "#") }) else { return nil }
            self = .decimals(least...rest.count, isGrouped: isGrouped)
        }
    }

    private static let mostDecimals = 20
}

/// How an amount of money is written.
package struct MoneyStyle: Sendable, Hashable {
    package enum Currency: Sendable, Hashable {
        /// By its code of ISO 4217.
        case code(String)
        /// The argument with the code.
        case argument(String)
    }

    package var currency: Currency
    /// Abbreviated: `R$ 12 mil`.
    package var isCompact = false
    /// With decimals only where there are some.
    package var isWhole = false

    /// Of the style of an argument: `EUR`, or the name of an argument, and `compact` or `whole`.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let first = words.first, words.count <= 2 else { return nil }
        let isCode = first.utf8.count == 3 && first.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        currency = isCode ? .code(String(first)) : .argument(String(first))
        if words.count == 1 { return }
        switch words[1] {
        case "compact": isCompact = true
        case "whole": isWhole = true
        default: return nil
        }
    }
}

/// The unit of a relative time.
package enum RelativeUnit: String, Sendable, Hashable {
    case days, hours, minutes

    package var seconds: Int {
        switch self {
        case .days: 86_400
        case .hours: 3600
        case .minutes: 60
        }
    }
}
