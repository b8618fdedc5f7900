import Glibc

/// Signals that reach an agent before it has begun: its own handlers are set only once the command line is
/// read.
enum EarlySignals {
    /// There is nothing to be ended in order yet, and locks end with the process: what is asked for is done.
    /// A configuration that is still to be read need not be read again.
    static func trap() {
        for ending in [SIGTERM, SIGINT] { signal(ending) { _ in _exit(0) } }
        signal(SIGHUP, SIG_IGN)
    }
}
