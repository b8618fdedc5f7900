/// What `newest`, `max` and `min` compare: numbers and times by value, however they are written.
enum Comparand {
    /// `null` is before all else.
    case never
    case number(ExactDecimal)
    case instant(Instant)
    /// A time whose zone nobody knows, or a day: to be compared with its like.
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

    /// `nil` where the two cannot be compared.
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
