/// A number, or a decimal number in a string, with the number of decimal places it was written with.
struct WrittenDecimal {
    var value: ExactDecimal
    private var places: Int

    static let zero = WrittenDecimal(0)

    /// The most digits of a sum.
    private static let most = 4000

    init(_ value: Int) {
        self.value = ExactDecimal(Array(String(value).utf8))
        places = 0
    }

    /// `nil` if it needs too many digits.
    init?(_ value: ExactDecimal) {
        guard case .small(let exponent) = value.exponent, abs(exponent) < Self.most else { return nil }
        self.init(value: value, places: 0)
    }

    private init(value: ExactDecimal, places: Int) {
        self.value = value
        self.places = places
    }

    /// `nil` for a value that is not a number.
    init?(_ document: JSON, _ node: Int) {
        switch document.kind(node) {
        case .number: self.init(number: document.slice(node))
        case .string: self.init(document.string(node))
        default: return nil
        }
    }

    /// `nil` for a text that is not a JSON number.
    init?(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text), json.kind(JSON.root) == .number,
            json.range(of: JSON.root) == 0..<text.count
        else { return nil }
        self.init(number: text)
    }

    private init(number: [UInt8]) {
        value = ExactDecimal(number)
        let isScientific = number.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let point = number.firstIndex(of: UInt8(ascii: "."))
        places = isScientific ? 0 : point.map { number.count - $0 - 1 } ?? 0
    }

    var negated: WrittenDecimal {
        var negated = self
        if !value.isZero { negated.value.isNegative.toggle() }
        return negated
    }

    /// `nil` if the sum needs too many digits.
    func plus(_ other: WrittenDecimal) -> WrittenDecimal? {
        guard let sum = value.adding(other.value, most: Self.most) else { return nil }
        return WrittenDecimal(value: sum, places: Swift.max(places, other.places))
    }

    /// Its JSON text, without an exponent.
    func json(isString: Bool) -> [UInt8] {
        guard case .small(let exponent) = value.exponent else { return [] }
        let behind = Swift.max(places, -exponent)
        let zero = UInt8(ascii: "0")
        var digits = value.digits + [UInt8](repeating: zero, count: exponent + behind)
        if value.isZero { digits = [] }
        digits = [UInt8](repeating: zero, count: Swift.max(0, behind + 1 - digits.count)) + digits
        if behind > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - behind) }
        if value.isNegative { digits.insert(UInt8(ascii: "-"), at: 0) }
        return isString ? escaped(digits) : digits
    }
}
