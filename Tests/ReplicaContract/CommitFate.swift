import Model

/// What becomes of a commit.
enum CommitFate: Hashable {
    /// It is compared, swapped and answered in one call.
    case answered
    /// Another one came first; what that wrote is what was there before.
    case outrun
    /// It arrives that long after it was sent, `nil` for never, and is answered at these times after that,
    /// each of them one answer; a network may say things twice, or not at all.
    case pending(arrival: Duration?, answers: [Duration])

    static let late = Self.pending(arrival: .milliseconds(50), answers: [.milliseconds(100)])
    static let twice = Self.pending(
        arrival: .milliseconds(50),
        answers: [.milliseconds(100), .milliseconds(300)]
    )
    static let lost = Self.pending(arrival: nil, answers: [])
    /// It arrived, and nobody says so.
    static let unanswered = Self.pending(arrival: .zero, answers: [])
    /// After nobody waits for it any more.
    static let overdue = Self.pending(arrival: .seconds(3), answers: [.seconds(4)])

    /// What is not answered by then is given back, for nobody may be going to answer.
    static let patience: Duration = .seconds(2)

    static let all: [Self] = [.answered, .outrun, .late, .twice, .lost, .unanswered, .overdue]

    static func any(_ generator: inout some RandomNumberGenerator) -> Self {
        all.randomElement(using: &generator) ?? .answered
    }

    /// When something is known of what was sent then. Answers that come later than anybody waits are told as
    /// well.
    func tellings(since sent: Duration) -> [Duration] {
        guard case .pending(_, let answers) = self else { return [] }
        let gaveUp = answers.contains { $0 <= Self.patience } ? [] : [Self.patience]
        return (gaveUp + answers).sorted().map { sent + $0 }
    }
}
