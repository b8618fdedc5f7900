/// What a program keeps of a number that it reads.
enum NumberReading: String, CaseIterable, Sendable {
    /// The nearest 64-bit floating-point number.
    case double
    /// The nearest 32-bit floating-point number.
    case float

    /// Whether any program keeps a number that is written so: it has few digits, and no exponent that could
    /// be out of range.
    private func keeps(_ text: ArraySlice<UInt8>) -> Bool {
        let most =
            switch self {
            case .double: 15
            case .float: 6
            }
        return text.count <= most && !text.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// Whether a value is just the one that a program read in place of `original`: the nearest binary
    /// number, in one of the notations in which programs write it.
    func isRounded(_ value: [UInt8], from original: [UInt8]) -> Bool {
        if keeps(value[...]), keeps(original[...]) { return false }
        let number = ExactDecimal(value)
        if number == ExactDecimal(original) { return false }
        let (text, source) = (
            String(decoding: value, as: UTF8.self), String(decoding: original, as: UTF8.self)
        )
        switch self {
        case .double:
            guard let nearest = Double(source), nearest.isFinite, Double(text) == nearest else {
                return false
            }
            return Self.notations(of: nearest).contains(number)
        case .float:
            guard let nearest = Float(source), nearest.isFinite, Float(text) == nearest else { return false }
            let exact = ExactDecimal(exactly: Double(nearest))
            return ExactDecimal(Array("\(nearest)".utf8)) == number || exact.rounded(toDigits: 9) == number
                || Self.notations(of: Double(nearest)).contains(number)
        }
    }

    /// The shortest one that reads as the same number, the one with 17 digits, and the exact one.
    private static func notations(of double: Double) -> [ExactDecimal] {
        let exact = ExactDecimal(exactly: double)
        return [ExactDecimal(Array("\(double)".utf8)), exact.rounded(toDigits: 17), exact]
    }

    /// Whether a number of the document may have more digits than a program keeps.
    func isCoarser(thanNumbersOf document: JSON) -> Bool {
        document.nodes.contains { $0.kind == .number && !keeps(document.bytes[Int($0.start)..<Int($0.end)]) }
    }

    /// Whether a save may have a number that its program rounded, as far as the save alone tells: an integer
    /// with few digits is taken for itself.
    func mayRound(numbersOf save: JSON) -> Bool {
        save.nodes.contains { node in
            guard node.kind == .number else { return false }
            let text = save.bytes[Int(node.start)..<Int(node.end)]
            return !keeps(text) || text.contains(UInt8(ascii: "."))
        }
    }
}

extension ExactDecimal {
    /// The exact value of a finite number.
    init(exactly double: Double) {
        guard double != 0 else {
            self = .zero
            return
        }
        var digits = Array(
            String(UInt64(double.significandBitPattern | (double.isNormal ? 1 << 52 : 0))).utf8
        )
        // A half is five tenths.
        let power = (double.isNormal ? Int(double.exponent) : -1022) - 52
        let (factor, step) = power < 0 ? (5, 20) : (2, 40)
        var rest = abs(power)
        while rest > 0 {
            let count = min(rest, step)
            digits = Self.product(digits, (0..<count).reduce(1) { product, _ in product * factor })
            rest -= count
        }
        self.init(double < 0, digits, min(power, 0))
    }

    /// The nearest number with at most this many digits.
    func rounded(toDigits count: Int) -> ExactDecimal {
        guard digits.count > count, case .small(let exponent) = exponent else { return self }
        return times(.one, digits: count - digits.count - exponent, isRounded: true)?.value ?? self
    }
}
