import CLinux
import Foundation
import Glibc

/// The reader of standard output. A command that prints seldom would notice only at its next line that it has
/// gone, and keep its connection to the agent until then.
package enum OutputReader {
    /// Ends the process with this status once the reader has closed the pipe or the terminal.
    package static func end(with status: Int32) {
        let thread = Thread {
            // Without events, only an error or a hang-up is reported; a file has neither.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
            if output.revents & Int16(POLLERR | POLLHUP) != 0 { _exit(status) }
        }
        thread.stackSize = 64 << 10
        thread.start()
    }
}
