/// Both the command line and the agent show this text.
extension Loss.Reason {
    package var text: String {
        switch self {
        case .noRow(let table): "refers to no row of `\(table)`"
        case .time(let loss): loss.text
        case .merged(let value): "becomes \(value), like other values"
        case .unlisted(let value): "is not listed in the profile, and becomes \(value)"
        case .rounded(let digits): "is rounded to \(digits) decimal places"
        case .gone: "cannot be represented in the other version"
        case .added: "would be added on the way back"
        case .changed: "comes back as another value"
        case .noWayBack(let error): "the result cannot be migrated back: \(error.located.withoutPosition)"
        case .reported(let text): text
        }
    }
}

extension TimeLoss {
    fileprivate var text: String {
        switch self {
        case .leapSecond: "a leap second becomes the second after it"
        case .skippedHour: "a clock change skips this local time; it is read as if the clock had not changed"
        case .repeatedHour: "a clock change repeats this local time; the first one is taken"
        case .secondOfRepeatedHour: "a clock change repeats this local time, and it is the second one"
        case .digits: "milliseconds cannot represent all digits"
        case .timeOfDay: "a date cannot represent the time of day"
        }
    }
}
