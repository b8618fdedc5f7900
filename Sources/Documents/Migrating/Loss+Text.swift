/// Both the command line and the agent show this text.
extension Loss.Reason {
    package var text: String {
        switch self {
        case .noRow(let table): "refers to no row of `\(table)`"
        case .time(let loss): loss.text
        case .merged(let value): "becomes \(value), as other values do"
        case .unlisted(let value): "is not listed, and becomes \(value)"
        case .rounded(let digits): "is rounded to \(digits) digits behind the point"
        case .gone: "has no place in the other version"
        case .added: "would be added on the way back"
        case .changed: "comes back as another value"
        case .told(let text): text
        }
    }
}

extension TimeLoss {
    fileprivate var text: String {
        switch self {
        case .leapSecond: "a leap second is the second after it"
        case .skippedHour: "this hour was skipped; taken as the clocks went on before it"
        case .repeatedHour: "this hour exists twice; taken as the first one"
        case .secondOfRepeatedHour: "this hour exists twice, and it is in the second one"
        case .digits: "milliseconds do not hold all digits"
        case .timeOfDay: "a date does not hold the time of the day"
        }
    }
}
