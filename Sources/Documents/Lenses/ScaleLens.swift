/// Converts a number to another unit, such as a decimal amount to cents. Every digit is kept. A number that
/// needs more decimal places than a version allows is refused, or rounded if the profile says so.
struct ScaleLens: FieldLens {
    var key: [UInt8]
    /// The factor from the older version's number to the newer one's.
    var factor: Fraction
    /// The most decimal places in the older version; `nil` for no limit.
    var oldDigits: Int?
    var newDigits: Int?
    var isRounded: Bool

    func newer(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        try scale(value, factor, newDigits, &work)
    }

    func older(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value? {
        try scale(value, factor.inverse, oldDigits, &work)
    }

    private func scale(
        _ value: Draft.Value,
        _ factor: Fraction,
        _ digits: Int?,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        guard work.draft.kind(value) == .number else {
            throw work.mismatch(value, expected: .number, at: key)
        }
        let number = ExactDecimal(work.draft.text(value))
        let scaled = number.times(factor, digits: digits, isRounded: isRounded)
        guard let scaled, let written = WrittenDecimal(scaled.value) else {
            throw work.mismatch(value, expected: .scalable(by: factor, digits: digits), at: key)
        }
        if let digits, !scaled.isExact { work.lose(key, .rounded(digits: digits)) }
        return work.draft.make(written.json(isString: false))
    }

    func shape(_ field: inout Shape.Field) throws(ShapeFault) {
        try field.convert(from: [.number, .integer], to: newDigits == 0 ? .integer : .number)
    }

    func olderShape(_ field: inout Shape.Field) throws(ShapeFault) {
        try field.convert(from: [.number, .integer], to: oldDigits == 0 ? .integer : .number)
    }

    var words: String { "scale `\(name(key))` by \(factor)" }
}
