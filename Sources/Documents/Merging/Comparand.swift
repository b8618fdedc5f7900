/// A value as `newest`, `max` and `min` compare it: numbers and times by value, whatever their notation.
enum Comparand {
    /// `null`, which is below everything else.
    case never
    case number(ExactDecimal)
    case instant(Instant)
    /// A time without a known zone, or a date, which is compared only with others of its kind.
    case clock(Instant)

    init?(_ document: JSON, _ node: Int, zone: TimeZoneRules?) {
        switch document.kind(node) {
        case .null: self = .never
        case .number: self = .number(ExactDecimal(document.slice(node)))
        case .string: self.init(text: document.string(node), zone)
        default: return nil
        }
    }

    private init?(text: [UInt8], _ zone: TimeZoneRules?) {
        if let time = TimeText(text) {
            let form: TimeForm = time.zone == .missing ? .local : .iso8601
            guard form == .iso8601 || zone != nil else {
                self = .clock(Instant(seconds: time.clockSeconds, fraction: time.fraction))
                return
            }
            guard let reading = form.read(text, zone: zone) else { return nil }
            self = .instant(reading.instant)
            return
        }
        var scanner = DigitScanner(text)
        if let date = scanner.date(), scanner.isAtEnd {
            self = .clock(Instant(seconds: date.daysSince1970 * 86_400, fraction: nil))
        } else if let number = WrittenDecimal(text) {
            self = .number(number.value)
        } else {
            return nil
        }
    }

    /// Whether it is below `other`; `nil` if the two cannot be compared.
    func isBelow(_ other: Comparand) -> Bool? {
        switch (self, other) {
        case (_, .never): false
        case (.never, _): true
        case (.number(let mine), .number(let its)): mine < its
        case (.instant(let mine), .instant(let its)), (.clock(let mine), .clock(let its)): mine < its
        default: nil
        }
    }
}
