/// When a kind requests a reload by itself.
package struct RefreshRule: Sendable, Hashable {
    /// Minutes from a reload to the next one; `nil`: not after a reload.
    package var every: Int?
    /// The smallest and the largest number of minutes that may be set.
    package var least: Int?
    package var most: Int?
    /// What a widget gets with each reload; `nil`: one entry, which it shows until the next reload.
    package var timeline: Timeline?
    /// Seconds since local midnight, in order.
    package var daily: [Int] = []

    /// The entries that a widget shows one after the other, without a reload between them.
    package struct Timeline: Sendable, Hashable {
        /// The first one is that of the reload.
        package var entries: Int
        /// Minutes from an entry to the next one.
        package var step: Int
        package var then: Policy

        /// Minutes from a reload to the next one; `nil`: it requests none.
        var interval: Int? {
            let last = (entries - 1) * step
            return switch then {
            case .atEnd: last
            case .after(let minutes): last + minutes
            case .never: nil
            }
        }
    }

    /// When a widget requests a reload after the last entry of a timeline.
    package enum Policy: Sendable, Hashable {
        /// As soon as it shows that entry.
        case atEnd
        case after(minutes: Int)
        case never

        /// As a profile has it.
        package var text: String {
            switch self {
            case .atEnd: "atEnd"
            case .after(let minutes): "after \(minutes) min"
            case .never: "never"
            }
        }
    }

    /// Minutes from a reload to the next one; `nil`: not after a reload.
    package var interval: Int? { timeline.map(\.interval) ?? every }

    /// The daily times, as a profile has them.
    package var dailyTexts: [String] {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return daily.map { "\(two($0 / 3600)):\(two($0 / 60 % 60))" }
    }

    /// The most reloads that it asks for within a day.
    var perDay: Int { (interval.map { 1440 / $0 } ?? 0) + daily.count }
}
