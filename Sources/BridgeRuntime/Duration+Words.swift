extension Duration {
    private static let units: [(name: String, length: Duration)] = [
        ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
    ]

    /// From `5s`, `1.5s`, `100ms`, `2m` or `1h`; `nil` for anything else, and for what is negative.
    package init?(words text: String) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = Self.units.first { $0.name == text.dropFirst(number.count) }
        // A year is more than anyone means, and keeps the sum below from overflowing.
        guard let unit, let count = Double(number), count * (unit.length / .seconds(1)) < 31_536_000 else {
            return nil
        }
        self = .milliseconds(Int64((count * (unit.length / .milliseconds(1))).rounded()))
    }

    /// In whole units, the largest that fits: `90s` is `90s`, `120s` is `2m`, `0s` is `0s`.
    package var words: String {
        let fitting = Self.units.first { self >= $0.length && (self / $0.length).isWhole }
        guard let fitting else { return self == .zero ? "0s" : "\(Int64(self / .milliseconds(1)))ms" }
        return "\(Int64(self / fitting.length))\(fitting.name)"
    }
}

extension Double {
    fileprivate var isWhole: Bool { self == rounded() }
}
