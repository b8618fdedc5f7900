import Glibc
import TestWorld
import Testing

@testable import Watching

/// What tests need of the system round the helper: a shell, beside it and in its surroundings.
enum World {
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
        let said = try run(Wrapper.inside(helper.id, line))
        try #require(said.last == "status 0", "\(line): \(said)")
    }

    /// Where the system allows none of this, the test says so and is not counted.
    static func require(_ wrapper: [String]) throws {
        let said = try run(wrapper + ["/bin/true"])
        if said.last != "status 0" { try Test.cancel("not allowed here: \(wrapper[0]): \(said)") }
    }
}
