import Glibc
import Synchronization

/// A person, or whoever else may, asks a command to come to its end.
enum Interruption {
    private static let times = Atomic<Int>(0)

    static var isAsked: Bool { times.load(ordering: .relaxed) > 0 }
    /// Asked again: by somebody who does not want to wait for what is left to do either.
    static var isUrgent: Bool { times.load(ordering: .relaxed) > 1 }

    /// From here on a signal ends nothing by itself.
    static func listen(on terminal: Terminal) {
        guard terminal.ownsProcess else { return }
        // Made before the handler needs it.
        _ = isAsked
        // A terminal that is closed, unless it was asked that this be outlived, as by `nohup`.
        for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            signal(number) { _ in Interruption.times.add(1, ordering: .relaxed) }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        _ = unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
