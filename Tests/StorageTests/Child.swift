import Foundation
import TestWorld

/// Real second processes.
enum Child {
    /// Starts `/bin/sh -c script` and waits until it prints a line.
    static func running(_ script: String) throws -> Running {
        let child = try Running(command: ["/bin/sh", "-c", script])
        guard child.waitForLine() != nil else {
            throw Violation(description: "the child ended without a word: \(script)")
        }
        return child
    }

    /// Runs a program to its end; returns its exit status.
    static func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws
        -> Int32
    {
        try Running(command: [program] + arguments, environment: environment).waitForEnd().status
    }

    /// The path of a program; `nil` if there is none.
    static func find(_ program: String) -> String? {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether a process may have its own mount namespace, which containers in CI often forbid.
    static let canUnshare =
        find("unshare").map { (try? run($0, ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])) == 0 } ?? false
}
