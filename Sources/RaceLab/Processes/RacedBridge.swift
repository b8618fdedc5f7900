import Processes

/// The bridge between the programs of a race: the agent, or a command of the user.
struct RacedBridge {
    private let settings: ProcessSettings
    private var command: ChildCommand
    private let restart: () throws(RaceFailure) -> ChildCommand
    private var hasEnded = false
    /// A bridge of the user's ended with status 0.
    private(set) var hasDoneItsWork = false
    /// Since when an agent that was killed starts anew; `nil` if it is ready.
    private var starting: Duration?

    init(
        _ settings: ProcessSettings,
        _ command: ChildCommand,
        restart: @escaping () throws(RaceFailure) -> ChildCommand
    ) {
        self.settings = settings
        self.command = command
        self.restart = restart
    }

    func end() { command.end() }

    var isStarting: Bool { starting != nil }

    /// It may wait for a document that a program has half saved, so a program does not wait for it long.
    func isAwaited(at now: Duration, within limit: Duration) -> Bool {
        starting.map { now - $0 <= limit } ?? false
    }

    mutating func killAndRestart(at now: Duration) throws(RaceFailure) {
        command.kill()
        command = try restart()
        starting = now
    }

    /// Only the lab may end the bridge. Returns the doubt that its end raises, once.
    mutating func check(at now: Duration) throws(RaceFailure) -> ObservationDoubt? {
        if let start = starting {
            if command.lines().contains("ready") { starting = nil }
            if now - start > ProcessRace.startLimit { throw .agentFailed("was not ready in time") }
        }
        guard let ending = command.ended() else { return nil }
        if let bridge = settings.bridge, ending.isNotThere { throw .noCommand(bridge) }
        if hasEnded { return nil }
        hasEnded = true
        guard let bridge = settings.bridge else { return .agentEnded(ending) }
        hasDoneItsWork = ending == .exited(0)
        return hasDoneItsWork ? nil : .ended(command: bridge, ending)
    }
}
