/// A duration by ISO 8601, such as `P1DT2H30M`, in seconds. A day has 24 hours here.
///
/// `nil` for anything else, and for one with years or months, which have no fixed length.
func seconds(ofDuration text: [UInt8]) -> ExactNumber? {
    guard text.first == UInt8(ascii: "P") else { return nil }
    var units: [(Unicode.Scalar, Int)] = [("W", 604_800), ("D", 86_400)]
    var sum = ExactNumber.zero
    var isTime = false
    var isEmpty = true
    var rest = text.dropFirst()
    while let first = rest.first {
        if first == UInt8(ascii: "T"), !isTime {
            isTime = true
            isEmpty = true
            units = [("H", 3600), ("M", 60), ("S", 1)]
            rest = rest.dropFirst()
            continue
        }
        let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        rest = rest.dropFirst(digits.count)
        guard digits.count <= 30, let count = PlainDecimal(Array(digits)), let letter = rest.popFirst(),
            let place = units.firstIndex(where: { UInt32(letter) == $0.0.value }),
            // Only seconds have decimal places.
            count.fraction == nil || units[place].1 == 1,
            let part = ExactNumber(Array(digits)).times(ExactNumber(units[place].1)),
            let more = sum.plus(part)
        else { return nil }
        sum = more
        isEmpty = false
        units.removeFirst(place + 1)
    }
    return isEmpty ? nil : sum
}
