import Glibc
import Synchronization

/// Requests to stop the running command, as by Ctrl-C.
enum Interruption {
    private static let times = Atomic<Int>(0)

    static var isAsked: Bool { times.load(ordering: .relaxed) > 0 }
    /// Requested a second time: skips also the work that the command finishes after the first request.
    static var isUrgent: Bool { times.load(ordering: .relaxed) > 1 }

    /// From here on these signals no longer end the process; the command checks `isAsked`.
    static func listen(on terminal: Terminal) {
        guard terminal.ownsProcess else { return }
        // Initializes the counter before the handler uses it.
        _ = isAsked
        // SIGHUP, of a closed terminal, counts unless it is ignored, as under `nohup`.
        for number in [SIGINT, SIGTERM, SIGQUIT] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            signal(number) { _ in Interruption.times.add(1, ordering: .relaxed) }
        }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        _ = unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
