import CLinux
import Glibc
import Processes
import Synchronization

/// The gates of a race: a thread that answers the system calls of all players, one at a time in the order
/// that its chooser draws.
///
/// It answers what leads elsewhere at once, whatever the owner of the race does meanwhile.
final class Gate: Sendable {
    enum Order: Sendable {
        /// A command has been started. One that is free passes all its gates.
        case attach(RacePlayer, GateListener, process: Int32, isFree: Bool)
        case hold(RacePlayer)
        /// All players are there.
        case begin
        /// What this many steps have changed has been looked at.
        case grant(Int)
        /// After a pause.
        case resume
        /// From now on everything passes.
        case open
        case close
    }

    /// What the thread reports to its owner.
    struct Progress: Sendable {
        var steps = 0
        /// All wait, and the change that the last of this many steps made may be looked at.
        var awaitsGrant: Int?
        /// It waits before the step at which it was to pause.
        var isPaused = false
        /// The steps when the programs had ended.
        var programSteps: Int?
        /// How long the bridge has waited at its gates, though it could go on.
        var bridgeWaited = Duration.zero
        /// How long each program ran, or all waited for nothing of ours.
        var ran: [RacePlayer: Duration] = [:]
        /// How long each slept beside that, of its own will, while others went on.
        var slept: [RacePlayer: Duration] = [:]
        /// For how long no program has called, and none has waited for the lab.
        var quiet = Duration.zero
        /// The programs only look again where they have looked before.
        var standstill: RepeatedLooks.Standstill?
        var escapes: Set<GateEscape> = []
        var isFull = false
    }

    struct Settings: Sendable {
        var containers: ContainerPaths
        var chooser: StepChooser
        var marks: [RacePlayer: String]
        /// It pauses before this step.
        var pause: Int?
        /// How long a player may run before others go on beside it.
        var patience = Duration.seconds(3)
    }

    private struct Shared {
        var orders: [Order] = []
        var progress = Progress()
        var steps: [GatedStep] = []
        var hasEnded = false
    }

    private let shared = Mutex(Shared())
    private let ordersBell = linux_eventfd()
    private let progressBell = linux_eventfd()

    init(_ settings: Settings) {
        let start = ThreadStart { [self] in
            var keeper = GateKeeper(settings, self)
            keeper.run()
        }
        start.run()
    }

    deinit {
        Glibc.close(ordersBell)
        Glibc.close(progressBell)
    }

    // MARK: The owner's side

    func order(_ order: Order) {
        shared.withLock { $0.orders.append(order) }
        linux_ring(ordersBell)
    }

    var progress: Progress { shared.withLock { $0.progress } }
    var steps: [GatedStep] { shared.withLock { $0.steps } }

    func steps(from first: Int) -> [GatedStep] { shared.withLock { Array($0.steps.dropFirst(first)) } }

    /// Returns once `isDone` says so of the progress, or after `limit`.
    @discardableResult
    func wait(within limit: Duration, until isDone: (Progress) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + limit
        while true {
            let (progress, hasEnded) = shared.withLock { ($0.progress, $0.hasEnded) }
            if isDone(progress) { return true }
            let left = deadline - ContinuousClock.now
            if hasEnded || left <= .zero { return false }
            linux_wait(progressBell, -1, -1, Int64(left / .nanoseconds(1)))
        }
    }

    /// Ends all processes of the players, and then the thread.
    func close() {
        order(.close)
        while !shared.withLock({ $0.hasEnded }) { linux_wait(progressBell, -1, -1, 10_000_000) }
    }

    // MARK: The thread's side

    var bell: Int32 { ordersBell }

    func takeOrders() -> [Order] {
        shared.withLock { shared in
            defer { shared.orders = [] }
            return shared.orders
        }
    }

    func publish(_ progress: Progress, _ steps: ArraySlice<GatedStep>) {
        shared.withLock { shared in
            shared.progress = progress
            shared.steps += steps
        }
        linux_ring(progressBell)
    }

    func publishEnd() {
        shared.withLock { $0.hasEnded = true }
        linux_ring(progressBell)
    }
}

/// A thread of its own for one function.
private final class ThreadStart: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            },
            argument
        )
        precondition(result == 0, "there is no room for a thread")
        pthread_detach(thread)
    }
}
