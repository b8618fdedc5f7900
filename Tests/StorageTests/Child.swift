import Foundation

/// A real second process.
struct Child {
    private let process = Process()
    private let output = Pipe()

    /// Starts `/bin/sh -c script` and waits until it prints a line.
    static func running(_ script: String) throws -> Child {
        let child = Child()
        try child.start("/bin/sh", ["-c", script])
        guard !child.output.fileHandleForReading.availableData.isEmpty else {
            throw Violation(description: "the child ended without a word: \(script)")
        }
        return child
    }

    /// Runs it to its end; its exit status, or the signal that ended it, below zero.
    static func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws
        -> Int32
    {
        let child = Child()
        child.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try child.start(program, arguments)
        _ = child.output.fileHandleForReading.readDataToEndOfFile()
        return child.wait()
    }

    private func start(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var number: Int32 { process.processIdentifier }

    func kill() {
        Glibc.kill(number, SIGKILL)
        _ = wait()
    }

    private func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Where a program is, if it is.
    static func find(_ program: String) -> String? {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A process may have a mount namespace of its own, as containers in CI often may not.
    static let canUnshare =
        find("unshare").map { (try? run($0, ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])) == 0 } ?? false
}
