/// The exit status of the program, by its meaning.
enum CommandStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case changesPending = 2
    case lossy = 3
    case newerVersion = 4
    case drift = 5
    case partlyDone = 6
    case needsDecision = 7
    case usage = 64
    case `internal` = 70
    case interrupted = 130

    /// Of a command that comes to a verdict on what it was given: there is none.
    static let undecided = CommandStatus.changesPending

    /// If several apply, the program exits with the first of these.
    private static let byWeight: [CommandStatus] = [
        .interrupted, .internal, .usage, .failed, .drift, .partlyDone, .newerVersion, .needsDecision, .lossy,
        .changesPending, .done,
    ]

    static func heaviest(_ all: some Sequence<CommandStatus>) -> CommandStatus {
        let all = Set(all)
        return byWeight.first(where: all.contains) ?? .done
    }
}
