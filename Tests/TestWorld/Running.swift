import Foundation
import Glibc
import Processes
import Synchronization

/// A program that a test has started, with its standard streams. It is killed if it is released while it
/// runs.
package final class Running: Sendable {
    package let identifier: Int32
    private let input: FileHandle
    private let output: FileHandle
    /// `nil` if errors are part of the output.
    private let errors: FileHandle?
    private let unread = Mutex<[UInt8]>([])
    private let ending = Mutex<Ending?>(nil)

    package struct Ended: Equatable, Sendable {
        /// The exit status, or 128 plus the signal, as in a shell.
        package var status: Int32
        package var output: String
        package var errors: String

        package init(status: Int32, output: String = "", errors: String = "") {
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    /// - Parameter isMixed: Whether standard error is part of the output.
    package init(
        command: [String],
        in directory: String? = nil,
        environment: [String: String] = [:],
        isMixed: Bool = false
    ) throws {
        let (input, output, errors) = (Pipe(), Pipe(), isMixed ? nil : Pipe())
        var launch = Launch(command[0], Array(command.dropFirst()))
        launch.directory = directory
        launch.environment = environment
        launch.input = input.fileHandleForReading.fileDescriptor
        launch.output = output.fileHandleForWriting.fileDescriptor
        launch.errors = (errors ?? output).fileHandleForWriting.fileDescriptor
        identifier = try launch.start()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        self.errors = errors?.fileHandleForReading
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        try errors?.fileHandleForWriting.close()
    }

    deinit {
        send(SIGKILL)
        _ = waitForStatus()
    }

    package func send(_ signal: Int32) {
        ending.withLock { if $0 == nil { kill(identifier, signal) } }
    }

    // MARK: Talking

    /// Writes the whole input, and ends it.
    package func write(_ text: String) {
        try? input.write(contentsOf: Data(text.utf8))
        try? input.close()
    }

    /// Writes a line to its input; more may follow.
    package func say(_ line: String) { try? input.write(contentsOf: Data("\(line)\n".utf8)) }

    /// The next line of output; `nil` at its end.
    package func line() async -> String? { await endingWhenCancelled { self.waitForLine() } }

    package func waitForLine() -> String? {
        unread.withLock { buffer in
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

    // MARK: Its end

    /// Waits for the end; returns the output that was not read yet.
    package func ended() async -> Ended { await endingWhenCancelled { self.waitForEnd() } }

    package func waitForEnd() -> Ended {
        var said = [unread.withLock { $0 }, []]
        var open: [(place: Int, handle: FileHandle)] = [(0, output)] + (errors.map { [(1, $0)] } ?? [])
        while !open.isEmpty {
            var waited = open.map { pollfd(fd: $0.handle.fileDescriptor, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&waited, nfds_t(waited.count), -1)
            for (index, wait) in waited.enumerated().reversed() where wait.revents != 0 {
                let more = open[index].handle.availableData
                said[open[index].place] += more
                if more.isEmpty { open.remove(at: index) }
            }
        }
        let texts = said.map { String(decoding: $0, as: UTF8.self) }
        return Ended(status: waitForStatus(), output: texts[0], errors: texts[1])
    }

    private func waitForStatus() -> Int32 {
        // Without the lock, which sending a signal needs; until then the process ID stays reserved.
        var end = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &end, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let ending = ending.withLock { known in
            let ending = known ?? Ending(of: identifier)
            known = ending
            return ending
        }
        return switch ending {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        }
    }

    /// A test that exceeds its time is cancelled, and then waits for nothing.
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

/// Runs outside the pool of tasks, because the work blocks.
package func onThread<Result: Sendable>(_ work: @Sendable @escaping () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
