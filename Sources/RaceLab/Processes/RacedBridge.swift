import Processes

/// The bridge between the programs of a race: the agent, or a command of the user.
struct RacedBridge {
    private let settings: ProcessSettings
    private var command: ChildCommand
    private let restart: () throws(RaceFailure) -> ChildCommand
    private var hasEnded = false

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

    mutating func killAndRestart() throws(RaceFailure) {
        command.kill()
        command = try restart()
    }

    /// Only the lab may end the bridge. Returns the doubt that its end raises, once.
    mutating func check() throws(RaceFailure) -> ObservationDoubt? {
        guard let ending = command.ended() else { return nil }
        if let bridge = settings.bridge, ending.isNotThere { throw .noCommand(bridge) }
        if hasEnded { return nil }
        hasEnded = true
        guard let bridge = settings.bridge else { return .agentEnded(ending) }
        // It has done its work.
        return ending == .exited(0) ? nil : .ended(command: bridge, ending)
    }
}
