import CLinux
import Foundation
import Glibc
import Synchronization

/// Runs a program to its end, or to that of its limits. All that it has started ends with it.
package struct LimitedRun: Sendable {
    package struct Limits: Sendable, Hashable {
        package var time = Duration.seconds(10)
        /// The most bytes of standard output and errors together.
        package var output = 64 << 10
        /// The most processes at once, the program itself among them.
        package var processes = 64

        package init() {}
    }

    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(by: Int32)
        case timedOut(Duration)
        case tooMuchOutput(bytes: Int)
        case tooManyProcesses(Int)
        case notStarted(errno: Int32)
        /// The task was cancelled.
        case cancelled
    }

    package struct Outcome: Sendable, Hashable {
        package var end: End
        /// Standard output and errors, as far as the limit goes.
        package var output: [UInt8]
    }

    package var program: String
    package var arguments: [String]
    package var environment: [String: String]
    /// Its standard input.
    package var input: [UInt8]
    package var limits: Limits

    package init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        input: [UInt8] = [],
        limits: Limits = Limits()
    ) {
        (self.program, self.arguments, self.environment) = (program, arguments, environment)
        (self.input, self.limits) = (input, limits)
    }

    /// On a thread of its own, because it waits.
    package func outcome() async -> Outcome {
        let life = Life()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread { continuation.resume(returning: run(life)) }
                thread.name = "hook"
                thread.start()
            }
        } onCancel: {
            life.end()
        }
    }

    /// What the program's life hangs on: the supervisor ends it when this is closed.
    private final class Life: Sendable {
        private struct State {
            var descriptor: Int32 = -1
            var hasEnded = false
        }
        private let state = Mutex(State())

        /// `false` if it has ended already.
        func begin(_ descriptor: Int32) -> Bool {
            state.withLock { state in
                if state.hasEnded { close(descriptor) } else { state.descriptor = descriptor }
                return !state.hasEnded
            }
        }

        var hasEnded: Bool { state.withLock(\.hasEnded) }

        func end() {
            state.withLock { state in
                if state.descriptor >= 0 { close(state.descriptor) }
                (state.descriptor, state.hasEnded) = (-1, true)
            }
        }
    }

    /// How long after its time is up a program that cannot be ended is waited for.
    private static let grace = Duration.seconds(6)

    private func run(_ life: Life) -> Outcome {
        let started: Started
        switch start() {
        case .failure(let failure): return Outcome(end: .notStarted(errno: failure.errno), output: [])
        case .success(let success): started = success
        }
        defer { started.close() }
        _ = life.begin(started.life)
        let deadline = ContinuousClock.now + limits.time
        var reading = Reading(started, limit: limits.output)
        var cut: End?
        while !reading.hasEnded {
            let left = deadline - ContinuousClock.now + (cut == nil ? .zero : Self.grace)
            if left <= .zero {
                // It cannot be ended.
                if cut != nil { break }
                cut = .timedOut(limits.time)
                life.end()
                continue
            }
            reading.wait(left)
            if reading.isFull, cut == nil, !reading.hasEnded {
                cut = .tooMuchOutput(bytes: limits.output)
                life.end()
            }
        }
        let end = cut ?? reading.report ?? .cancelled
        life.end()
        return Outcome(end: end, output: reading.output)
    }

    /// What the program prints, until its supervisor has ended.
    private struct Reading {
        private(set) var output: [UInt8] = []
        private(set) var report: End?
        private(set) var hasEnded = false
        private let limit: Int
        private var sources: [pollfd]
        private var isCut = false

        init(_ started: Started, limit: Int) {
            self.limit = limit
            sources = [started.output, started.reports].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
        }

        /// There is more than the limit.
        var isFull: Bool { isCut }

        mutating func wait(_ time: Duration) {
            let milliseconds = Int32(clamping: Int64(time / .milliseconds(1)) + 1)
            guard unsafe poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { return }
            if sources[0].revents != 0 { readOutput() }
            guard sources[1].revents != 0 else { return }
            if sources[1].revents & Int16(POLLIN) != 0 {
                let new = readReport()
                report = report ?? new
            } else {
                hasEnded = true
                while sources[0].fd >= 0, readOutput() {}
            }
        }

        /// `false` if there is nothing to read now.
        @discardableResult
        private mutating func readOutput() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(sources[0].fd, &buffer, buffer.count)
            // It is ignored then.
            if count == 0 { sources[0].fd = -1 }
            guard count > 0 else { return false }
            let room = limit - output.count
            output += buffer[..<min(count, room)]
            isCut = isCut || count > room
            return true
        }

        private mutating func readReport() -> End? {
            var end = linux_supervised_end()
            let size = MemoryLayout<linux_supervised_end>.size
            guard unsafe read(sources[1].fd, &end, size) == size else { return nil }
            switch end.what {
            case 0:
                let signal = end.value & 0x7F
                return signal == 0 ? .exited((end.value >> 8) & 0xFF) : .killed(by: signal)
            case 1: return .notStarted(errno: end.value)
            default: return .tooManyProcesses(Int(end.value))
            }
        }
    }

    // MARK: Starting

    private struct Started {
        var supervisor: Int32
        var output: Int32
        var life: Int32
        var reports: Int32

        func close() {
            for one in [output, reports] { Glibc.close(one) }
            // It has ended already, unless there is something that it cannot end.
            kill(supervisor, SIGKILL)
            _ = Ending(of: supervisor)
        }
    }

    private func start() -> Result<Started, Launch.Failure> {
        var open: [Int32] = []
        func failure(_ what: String) -> Result<Started, Launch.Failure> {
            let cause = errno
            for one in open { close(one) }
            return .failure(Launch.Failure(what: what, errno: cause))
        }
        func pipe() -> (reader: Int32, writer: Int32)? {
            var ends: [Int32] = [-1, -1]
            guard unsafe linux_pipe(&ends) == 0 else { return nil }
            open += ends
            return (ends[0], ends[1])
        }
        guard let output = pipe(), let life = pipe(), let reports = pipe() else { return failure("pipe") }
        let memory = unsafe linux_memory_file("hook")
        guard memory >= 0 else { return failure("memfd_create") }
        open.append(memory)
        guard unsafe write(memory, input, input.count) == input.count, lseek(memory, 0, SEEK_SET) == 0 else {
            return failure("write")
        }
        for one in [output.reader, reports.reader] { _ = fcntl(one, F_SETFL, O_NONBLOCK) }
        let supervisor = supervise(memory, output.writer, life.reader, reports.writer)
        if supervisor < 0 {
            errno = -supervisor
            return failure("fork")
        }
        for one in [memory, output.writer, life.reader, reports.writer] { close(one) }
        return .success(
            Started(
                supervisor: supervisor,
                output: output.reader,
                life: life.writer,
                reports: reports.reader
            )
        )
    }

    private func supervise(_ input: Int32, _ output: Int32, _ life: Int32, _ report: Int32) -> Int32 {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let texts = unsafe variables.map { unsafe strdup($0) } + [nil]
        let path = unsafe strdup(program)
        defer { unsafe (words + texts + [path]).forEach { unsafe free($0) } }
        guard let path = unsafe path else { return -ENOMEM }
        return unsafe words.withUnsafeBufferPointer { words in
            unsafe texts.withUnsafeBufferPointer { texts in
                guard let words = words.baseAddress, let texts = texts.baseAddress else { return -EINVAL }
                var program = unsafe linux_supervised_program(
                    path: path,
                    arguments: words,
                    environment: texts,
                    input: input,
                    output: output,
                    life: life,
                    report: report,
                    most: Int32(clamping: limits.processes)
                )
                return unsafe linux_supervise(&program)
            }
        }
    }
}
