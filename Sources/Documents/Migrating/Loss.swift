/// Something that a document of another version cannot say.
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
        /// To so many digits behind the point.
        case rounded(digits: Int)

        // What the way back makes of the value.
        case gone
        case added
        case changed

        /// Told by an agent, of which only the words are left.
        case told(String)
    }
}

/// What another form of time cannot say.
package enum TimeLoss: Sendable, Hashable {
    case leapSecond
    /// The clocks were put forward past this local time.
    case skippedHour
    /// The clocks were put back, and showed this local time twice: the first one is meant.
    case repeatedHour
    /// The same, but the time is the second one.
    case secondOfRepeatedHour
    /// It is finer than milliseconds.
    case digits
    /// It is not the first instant of its day.
    case timeOfDay
}

/// Over an agent's socket a reason goes in its words.
extension Loss.Reason: Codable {
    package init(from decoder: any Decoder) throws {
        self = .told(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
