/// The functions of expressions, by the names that they are called with.
package enum ExpressionFunction: String, CaseIterable, Sendable, Hashable {
    // Of JMESPath: https://jmespath.org/specification.html#built-in-functions
    case abs, avg, ceil, contains, floor, join, keys, length, map, max, merge, min, reverse, sort, sum, type
    case values
    case endsWith = "ends_with"
    case maxBy = "max_by"
    case minBy = "min_by"
    case notNull = "not_null"
    case sortBy = "sort_by"
    case startsWith = "starts_with"
    case toArray = "to_array"
    case toNumber = "to_number"
    case toString = "to_string"

    // Of its community edition: https://github.com/jmespath-community/jmespath.spec/tree/main/functions
    case items, lower, replace, split, trim, upper, zip
    case findFirst = "find_first"
    case findLast = "find_last"
    case fromItems = "from_items"
    case groupBy = "group_by"
    case padLeft = "pad_left"
    case padRight = "pad_right"
    case trimLeft = "trim_left"
    case trimRight = "trim_right"

    // Of this program.
    case clamp, percent, round, take
    case date, duration, weekday
    case addDays = "add_days"
    case daysBetween = "days_between"
    case daysSince = "days_since"
    case daysUntil = "days_until"
    case hoursSince = "hours_since"
    case hoursUntil = "hours_until"
    case localDate = "local_date"
    case minutesSince = "minutes_since"
    case minutesUntil = "minutes_until"
    case startOfDay = "start_of_day"

    /// How many arguments it takes.
    package var arity: ClosedRange<Int> {
        switch self {
        case .merge, .notNull, .zip: 1...Int.max
        case .contains, .endsWith, .startsWith, .join, .map, .maxBy, .minBy, .sortBy, .groupBy, .percent,
            .take, .addDays, .daysBetween:
            2...2
        case .clamp: 3...3
        case .findFirst, .findLast: 2...4
        case .replace: 3...4
        case .padLeft, .padRight, .split: 2...3
        case .trim, .trimLeft, .trimRight, .round, .date: 1...2
        default: 1...1
        }
    }

    /// What it reads besides its arguments.
    var dependencies: DependencyKinds {
        switch self {
        case .date, .weekday, .addDays, .daysBetween, .localDate, .startOfDay: .place
        case .daysSince, .daysUntil, .hoursSince, .hoursUntil, .minutesSince, .minutesUntil:
            [.moment, .place]
        default: []
        }
    }
}
