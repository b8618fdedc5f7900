import Glibc
import Testing

@testable import Watching

/// What tests need of the system round the helper: namespaces of its own, another user, a shell.
enum World {
    /// A user namespace whose limits are its own.
    static func limited(_ name: String, to value: Int) -> [String] {
        let script = "echo \(value) > /proc/sys/user/\(name) && exec \"$@\""
        return ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh"]
    }

    /// A user namespace in which mounts can be made that nobody else sees.
    static let withMounts = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount"]

    /// Somebody who may not read what is not for all. Nothing where the tests themselves are such a one.
    static var unprivileged: [String] {
        getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    }

    /// Runs a program to its end; what it said on standard output, and its status behind that.
    static func run(_ command: String...) throws -> [String] { try run(command) }

    static func run(_ command: [String]) throws -> [String] {
        let script = "\"$@\" 2>&1; echo \"status $?\""
        let process = try HelperProcess("/bin/sh", ["-c", script, "sh"] + command)
        process.endInput()
        var bytes: [UInt8] = []
        while let came = process.receive() {
            bytes += came
            var waited = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waited, 1, 1000)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A shell that works on beside the helper, until it is killed.
    final class Background {
        private let process: HelperProcess

        init(_ line: String) throws { process = try HelperProcess("/bin/sh", ["-c", line]) }

        deinit { kill(process.id, SIGKILL) }
    }

    /// Runs a shell line in the namespaces of a helper.
    static func run(inside helper: Helper, _ line: String) throws {
        let enter = ["/usr/bin/nsenter", "--target", "\(helper.id)", "--user", "--mount"]
        let said = try run(enter + ["--preserve-credentials", "/bin/sh", "-c", line])
        try #require(said.last == "status 0", "\(line): \(said)")
    }

    /// Where the system allows none of this, the test says so and is not counted.
    static func require(_ wrapper: [String]) throws {
        let said = try run(wrapper + ["/bin/true"])
        if said.last != "status 0" { try Test.cancel("not allowed here: \(wrapper[0]): \(said)") }
    }
}
