import Glibc
import Model
import Processes

/// A program of a race, with all that it started.
struct RacedProgram {
    let player: RacePlayer
    let command: ChildCommand
    /// As the user gave it.
    let text: String
    let containers: ContainerPaths
    private let leftovers: Leftovers
    private var endedAt: Duration?
    /// It has ended, and no process that it started is left.
    private(set) var isGone = false
    private var nextSearch = Duration.zero

    private static let searchPace = Duration.milliseconds(50)
    /// What a program started may take this long to end with it.
    private static let grace = Duration.milliseconds(500)

    init(
        _ player: RacePlayer,
        _ command: ChildCommand,
        text: String,
        in containers: ContainerPaths,
        leaving leftovers: Leftovers
    ) {
        self.player = player
        self.command = command
        self.text = text
        self.containers = containers
        self.leftovers = leftovers
    }

    /// The command's and those that it started.
    var processes: [pid_t] { leftovers.processes }

    var side: Side { player == .app ? .app : .group }
    /// The command has ended.
    var isOver: Bool { endedAt != nil }
    /// Processes that it started are running, as they may in the background.
    var hasLeftovers: Bool { isOver && !isGone && leftovers.isAny }

    /// The command's end, once; then looks for what it started, now and then.
    mutating func attend(at now: Duration) -> Ending? {
        guard isOver else {
            guard let ending = command.ended() else { return nil }
            endedAt = now
            return ending
        }
        // Processes that went into the background are no children of the lab's.
        if !isGone, now >= nextSearch {
            nextSearch = now + Self.searchPace
            isGone = !leftovers.isAny
        }
        return nil
    }

    /// Whether the race need not wait for it any more.
    func isSettled(at now: Duration) -> Bool { isGone || endedAt.map { now - $0 > Self.grace } ?? false }
}
