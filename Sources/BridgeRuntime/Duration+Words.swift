extension Duration {
    private static let units: [(name: String, length: Duration)] = [
        ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)),
        ("ms", .milliseconds(1)),
    ]

    /// From `5s`, `5 s`, `1.5s`, `100ms`, `2m`, `1h` or `30d`; `nil` for anything else, and what is negative.
    package init?(words text: String) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let rest = text.dropFirst(number.count)
        let name = rest.first == " " ? rest.dropFirst() : rest
        let unit = Self.units.first { $0.name == name }
        // The limit of a year keeps the sum below from overflowing.
        guard let unit, let count = Double(number), count * (unit.length / .seconds(1)) < 31_536_000 else {
            return nil
        }
        self = .milliseconds(Int64((count * (unit.length / .milliseconds(1))).rounded()))
    }

    /// The largest unit that gives a whole number: `90s` is `90s`, `120s` is `2m`, `0s` is `0s`.
    package var words: String { "\(parts.count)\(parts.unit)" }

    /// The same in a sentence: `90 s`, `2 min`.
    var text: String { "\(parts.count) \(parts.unit == "m" ? "min" : parts.unit)" }

    private var parts: (count: Int64, unit: String) {
        let fitting = Self.units.first { self >= $0.length && (self / $0.length).isWhole }
        guard let fitting else { return self == .zero ? (0, "s") : (Int64(self / .milliseconds(1)), "ms") }
        return (Int64(self / fitting.length), fitting.name)
    }
}

extension Double {
    fileprivate var isWhole: Bool { self == rounded() }
}
