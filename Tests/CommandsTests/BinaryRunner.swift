import Foundation
import Glibc
import Synchronization
import TestBridge

/// The program as it was built beside these tests.
enum Binary {
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "widgetbridge").path

    struct Ended: Equatable {
        var status: Int32
        var output = ""
        var errors = ""
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], input: String = "") async throws -> Ended {
        let running = try Running(arguments)
        running.write(input)
        return await running.ended()
    }
}

/// A process, its standard streams in our hands: the program, unless another is named.
final class Running: Sendable {
    private let process: Mutex<Process>
    private let lines: Mutex<[UInt8]>
    private let input: FileHandle
    private let output: FileHandle
    private let errors: FileHandle

    /// - Parameter wrapper: a command that ends by running the one behind it.
    convenience init(
        _ arguments: [String],
        through wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        try self.init(command: wrapper + [Binary.path] + arguments, environment: environment)
    }

    init(command: [String], in directory: String? = nil, environment: [String: String] = [:]) throws {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        self.errors = errors.fileHandleForReading
        identifier = process.processIdentifier
        lines = Mutex([])
        self.process = Mutex(process)
    }

    let identifier: Int32

    /// Everything that is to be read; then its end.
    func write(_ text: String) {
        try? input.write(contentsOf: Data(text.utf8))
        try? input.close()
    }

    /// The next line it prints; `nil` once it prints no more.
    func line() async -> String? {
        await endingWhenCancelled { [self] in
            lines.withLock { buffer in
                while true {
                    if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                        defer { buffer.removeSubrange(...end) }
                        return String(decoding: buffer[..<end], as: UTF8.self)
                    }
                    let more = output.availableData
                    if more.isEmpty { return nil }
                    buffer += more
                }
            }
        }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Returns once it has been at work for a while.
    func worked() async {
        let deadline = ContinuousClock.now + .seconds(60)
        while (processorTime ?? .max) < 50, .now < deadline { await Task.yield() }
    }

    /// In hundredths of a second; `nil` once it has ended.
    private var processorTime: Int? {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        let fields = text?.split(separator: ")").last?.split(separator: " ")
        return fields.flatMap { $0.count > 12 ? Int($0[11]) : nil }
    }

    /// Its end, and what it printed that was not read yet.
    func ended() async -> Binary.Ended {
        async let printed = endingWhenCancelled { [self] in
            lines.withLock { $0 } + ((try? output.readToEnd()) ?? Data())
        }
        async let complaints = endingWhenCancelled { [self] in (try? errors.readToEnd()) ?? Data() }
        let (text, complaint) = await (printed, complaints)
        let status = await endingWhenCancelled { [self] in
            process.withLock { process in
                process.waitUntilExit()
                return process.terminationReason == .exit
                    ? process.terminationStatus : 128 + process.terminationStatus
            }
        }
        return Binary.Ended(
            status: status,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self)
        )
    }

    /// Beyond its time a test is cancelled, and what it waits for does not come.
    private func endingWhenCancelled<Result: Sendable>(
        _ work: @Sendable @escaping () -> Result
    ) async -> Result {
        await withTaskCancellationHandler {
            await onThread(work)
        } onCancel: {
            send(SIGKILL)
        }
    }
}
