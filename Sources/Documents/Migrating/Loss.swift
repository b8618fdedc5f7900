/// A value that another version cannot represent.
package struct Loss: Sendable, Hashable, Codable {
    package var pointer: String
    package var reason: Reason

    package init(pointer: String, reason: Reason) {
        self.pointer = pointer
        self.reason = reason
    }

    package enum Reason: Sendable, Hashable {
        /// The reference leads to no row of this table.
        case noRow(table: String)
        case time(TimeLoss)
        /// Several values become this one.
        case merged(into: String)
        /// The profile does not list the value.
        case unlisted(becomes: String)
        /// Rounded to this number of decimal places.
        case rounded(digits: Int)

        // The result of the way back.
        case gone
        case added
        case changed
        /// The way back refuses the result.
        case noWayBack(DocumentError)

        /// The text that an agent sent, which does not send the facts.
        case reported(String)
    }
}

/// What another time form cannot represent.
package enum TimeLoss: Sendable, Hashable {
    case leapSecond
    /// The clocks were put forward past this local time.
    case skippedHour
    /// The clocks were put back, so that this local time exists twice; the first one is taken.
    case repeatedHour
    /// This local time exists twice, and the value is the second one.
    case secondOfRepeatedHour
    /// It is finer than milliseconds.
    case digits
    /// It is not the first instant of its day.
    case timeOfDay
}

/// The agent sends a reason as text.
extension Loss.Reason: Codable {
    package init(from decoder: any Decoder) throws {
        self = .reported(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
