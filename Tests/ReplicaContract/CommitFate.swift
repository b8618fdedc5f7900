import Model

/// The outcome of a commit.
enum CommitFate: Hashable {
    /// It is compared, swapped and answered in one call.
    case answered
    /// Another commit was faster and wrote the content that was there before.
    case outrun
    /// It arrives after this time, `nil` for never, and is answered at these times after that. A network
    /// may repeat an answer, or lose it.
    case pending(arrival: Duration?, answers: [Duration])

    static let late = Self.pending(arrival: .milliseconds(50), answers: [.milliseconds(100)])
    static let twice = Self.pending(
        arrival: .milliseconds(50),
        answers: [.milliseconds(100), .milliseconds(300)]
    )
    static let lost = Self.pending(arrival: nil, answers: [])
    /// It arrives, and no answer comes.
    static let unanswered = Self.pending(arrival: .zero, answers: [])
    /// It arrives after the timeout.
    static let overdue = Self.pending(arrival: .seconds(3), answers: [.seconds(4)])

    /// The timeout, after which the document is returned without an answer.
    static let patience: Duration = .seconds(2)

    static let all: [Self] = [.answered, .outrun, .late, .twice, .lost, .unanswered, .overdue]

    static func any(_ generator: inout some RandomNumberGenerator) -> Self {
        all.randomElement(using: &generator) ?? .answered
    }

    /// When something is known of a commit sent then, including answers after the timeout.
    func tellings(since sent: Duration) -> [Duration] {
        guard case .pending(_, let answers) = self else { return [] }
        let gaveUp = answers.contains { $0 <= Self.patience } ? [] : [Self.patience]
        return (gaveUp + answers).sorted().map { sent + $0 }
    }
}
