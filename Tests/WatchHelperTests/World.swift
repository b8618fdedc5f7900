import Glibc
import TestWorld
import Testing

@testable import Watching

/// System features that tests need around the helper: a shell beside it, and one in its namespaces.
enum World {
    /// Runs a program to its end; returns its standard output, followed by its status.
    static func run(_ command: String...) throws -> [String] { try run(command) }

    static func run(_ command: [String]) throws -> [String] {
        let running = try Running(command: command, isMixed: true)
        running.write("")
        let ended = running.waitForEnd()
        return ended.output.split(separator: "\n").map(String.init) + ["status \(ended.status)"]
    }

    /// A shell that runs beside the helper, as long as it is kept.
    static func background(_ line: String) throws -> Running {
        try Running(command: ["/bin/sh", "-c", line])
    }

    /// Runs a shell line in the namespaces of a helper.
    static func run(inside helper: Helper, _ line: String) throws {
        let said = try run(Wrapper.inside(helper.id, line))
        try #require(said.last == "status 0", "\(line): \(said)")
    }

    /// If the system forbids this, the test reports that and is not counted.
    static func require(_ wrapper: [String]) throws {
        let said = (try? run(wrapper + ["/bin/true"])) ?? []
        if said.last != "status 0" { try Test.cancel("not allowed here: \(wrapper[0]): \(said)") }
    }
}
