import Glibc

/// How a child process ended.
package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(by: Int32)

    /// Waits for its end; the kernel then releases the child.
    package init(of id: Int32) {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        self.init(status: status)
    }

    /// `nil` while it is running.
    package init?(ofEnded id: Int32) {
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return nil }
        self.init(status: status)
    }

    private init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(by: signal)
    }
}
