package import Documents
import Foundation

extension Message {
    /// Where and in which language a message is written.
    package struct Setting: Sendable {
        /// Such as `pt_BR`.
        package var locale: String
        package var zone: TimeZoneRules

        package init(locale: String, zone: TimeZoneRules) { (self.locale, self.zone) = (locale, zone) }
    }

    /// The text with the values of its arguments. One without a value is empty, and one whose value does not
    /// fit its form is written as it is.
    ///
    /// - Parameter values: by name; a number of a date is in seconds since 1970.
    package func text(_ values: [String: JSONValue], in setting: Setting) -> String {
        MessageWriter(values: values, setting: setting).text(parts, number: nil)
    }
}

private struct MessageWriter {
    let values: [String: JSONValue]
    let setting: Message.Setting

    private var locale: Locale { Locale(identifier: setting.locale) }

    /// - Parameter number: that of the `plural` around.
    func text(_ parts: [Message.Part], number: String?) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .number: text += number.map { written($0, .decimal) } ?? "#"
            case .argument(let argument): text += self.text(argument)
            }
        }
    }

    private func text(_ argument: Message.Argument) -> String {
        guard let value = values[argument.name], value != .null else { return chosen(argument.form) ?? "" }
        switch argument.form {
        case .plain: return plain(value)
        case .number(let style): return number(value).map { written($0, style) } ?? plain(value)
        case .money(let style): return number(value).flatMap { money($0, style) } ?? plain(value)
        case .date(let style): return DateWriter(locale, setting.zone).text(value, style) ?? plain(value)
        case .relative(let unit): return number(value).flatMap { relative($0, unit) } ?? plain(value)
        case .plural(let plural): return text(plural, value)
        case .select(let choices): return text(choices[keyword(value)] ?? choices["other"] ?? [], number: nil)
        }
    }

    /// What a choice gives where there is no value.
    private func chosen(_ form: Message.Form) -> String? {
        switch form {
        case .select(let choices): text(choices["null"] ?? choices["other"] ?? [], number: nil)
        default: nil
        }
    }

    private func plain(_ value: JSONValue) -> String {
        switch value {
        case .number(let text): written(text, .decimal)
        default: keyword(value)
        }
    }

    /// By which `select` chooses.
    private func keyword(_ value: JSONValue) -> String {
        if case .string(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: value.bytes, as: UTF8.self)
    }

    private func number(_ value: JSONValue) -> String? {
        if case .number(let text) = value { text } else { nil }
    }

    private func decimal(_ text: String) -> Decimal? { Decimal(string: text, locale: Self.json) }

    private static let json = Locale(identifier: "en_US_POSIX")

    // MARK: Numbers

    private func written(_ text: String, _ style: NumberStyle) -> String {
        guard style != .plain, let number = decimal(text) else { return text }
        switch style {
        case .plain: return text
        case .decimal:
            return number.formatted(.number.precision(.fractionLength(0...3)).locale(locale))
        case .integer: return number.formatted(.number.precision(.fractionLength(0)).locale(locale))
        case .percent:
            return number.formatted(.percent.precision(.fractionLength(0)).locale(locale))
        case .compact: return number.formatted(.number.notation(.compactName).locale(locale))
        case .decimals(let decimals, let isGrouped):
            let style = Decimal.FormatStyle.number.precision(.fractionLength(decimals)).locale(locale)
            return number.formatted(style.grouping(isGrouped ? .automatic : .never))
        }
    }

    private func money(_ text: String, _ style: MoneyStyle) -> String? {
        guard let number = decimal(text) else { return nil }
        let code: String
        switch style.currency {
        case .code(let known): code = known
        case .argument(let name):
            guard let value = values[name], case .string = value else { return written(text, .decimal) }
            code = keyword(value)
        }
        var format = Decimal.FormatStyle.Currency.currency(code: code).locale(locale)
        if style.isCompact { format = format.notation(.compactName) }
        if style.isWhole, number.isWhole { format = format.precision(.fractionLength(0)) }
        return number.formatted(format)
    }

    private func relative(_ text: String, _ unit: RelativeUnit) -> String? {
        guard let number = decimal(text), number.isWhole, abs(number) <= Self.mostUnits else { return nil }
        let count = NSDecimalNumber(decimal: number).doubleValue
        let now = Date(timeIntervalSince1970: 0)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let style = Date.AnchoredRelativeFormatStyle(
            anchor: now.addingTimeInterval(count * Double(unit.seconds)),
            allowedFields: [unit.field],
            presentation: .named,
            unitsStyle: .wide,
            locale: locale,
            calendar: calendar
        )
        return style.format(now)
    }

    private static let mostUnits: Decimal = 1_000_000

    // MARK: Plural forms

    private func text(_ plural: Message.Plural, _ value: JSONValue) -> String {
        guard let text = number(value), let number = decimal(text) else {
            return self.text(plural.categories[.other] ?? [], number: keyword(value))
        }
        let count = "\(number - Decimal(plural.offset))"
        if let exact = plural.exact.first(where: { Decimal($0.key) == number }) {
            return self.text(exact.value, number: count)
        }
        let rules = PluralRules(locale: setting.locale)
        let category = PluralOperands(count).flatMap {
            plural.isOrdinal ? rules?.ordinal($0) : rules?.cardinal($0)
        }
        let parts = category.flatMap { plural.categories[$0] } ?? plural.categories[.other] ?? []
        return self.text(parts, number: count)
    }
}

extension Decimal {
    fileprivate var isWhole: Bool {
        var (value, rounded) = (self, Decimal())
        unsafe NSDecimalRound(&rounded, &value, 0, .plain)
        return rounded == self
    }
}

extension RelativeUnit {
    fileprivate var field: Date.RelativeFormatStyle.Field {
        switch self {
        case .days: .day
        case .hours: .hour
        case .minutes: .minute
        }
    }
}
