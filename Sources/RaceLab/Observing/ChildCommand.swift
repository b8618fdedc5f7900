import CLinux
import Glibc
package import Processes

/// A shell command of the user in its own process group: the processes that it starts are stopped, continued
/// and ended with it.
package final class ChildCommand {
    package let command: String
    let id: pid_t
    /// The descriptor of its output; -1 if it is not read.
    let output: Int32
    /// Where it reports what it does, if it can.
    package let channel: LabChannel?
    private var rest: [UInt8] = []
    private var ending: Ending?

    /// - Parameters:
    ///   - environment: added to this process's.
    ///   - isHeard: whether its output is read, line by line.
    ///   - isAnswered: whether its input is written by this process, too.
    ///   - isReporting: whether it gets a descriptor for the lines of `LabLine`.
    ///   - change: starts it in another way.
    package init(
        _ command: String,
        environment: [String: String] = [:],
        isHeard: Bool,
        isAnswered: Bool = false,
        isReporting: Bool = false,
        by change: (Launch) -> Launch = { $0 }
    ) throws(RaceFailure) {
        self.command = command
        var launch = Launch("/bin/sh", ["-c", command])
        launch.environment = environment
        do {
            let ends = isReporting ? try Launch.socketPair() : nil
            defer { if let ends { close(ends.theirs) } }
            channel = ends.map { LabChannel($0.ours) }
            if let ends {
                launch.environment[LabChannel.variable] = "\(LabChannel.number)"
                launch.inherited[LabChannel.number] = ends.theirs
            }
            (id, output) = try Self.start(change(launch), isHeard: isHeard, isAnswered: isAnswered)
        } catch {
            throw .cannotRun(command, errno: error.errno)
        }
    }

    private static func start(
        _ launch: Launch,
        isHeard: Bool,
        isAnswered: Bool
    ) throws(Launch.Failure) -> (id: pid_t, output: Int32) {
        guard isHeard else { return (try launch.start(), -1) }
        let ends = try Launch.socketPair()
        defer { close(ends.theirs) }
        var launch = launch
        launch.output = ends.theirs
        if isAnswered { launch.input = ends.theirs }
        do { return (try launch.start(), ends.ours) } catch {
            close(ends.ours)
            throw error
        }
    }

    deinit { end() }

    // MARK: Output

    /// The new lines of output; does not wait.
    func lines() -> [String] {
        guard output >= 0 else { return [] }
        while true {
            let bytes = bytes()
            rest += bytes
            if bytes.isEmpty || rest.count > Self.mostBytes { break }
        }
        guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else {
            if rest.count > Self.mostBytes { rest = [] }
            return []
        }
        defer { rest.removeFirst(last + 1) }
        return rest[..<last].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let mostBytes = 1 << 20

    /// Makes room for what it prints next, which would wait otherwise; does not wait. A program may print
    /// without end, so there is a limit.
    func discardOutput() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for _ in 0..<Self.mostBytes / buffer.count {
            if unsafe recv(output, &buffer, buffer.count, Int32(MSG_DONTWAIT)) <= 0 { return }
        }
    }

    /// The new bytes of output, 16 KiB at most; does not wait.
    func bytes() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, filled in
            filled = max(0, unsafe recv(output, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
        }
    }

    /// Returns once there may be output, or after that time.
    func wait(milliseconds: Int32) {
        var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&polled, 1, milliseconds)
    }

    /// `nil` while it is running.
    package func ended() -> Ending? {
        if ending == nil { ending = Ending(ofEnded: id) }
        return ending
    }

    /// Whether a process of its group is there, apart from itself once it has ended.
    var hasProcesses: Bool { Glibc.kill(-id, 0) == 0 }

    /// Sends it an empty line.
    func answer() {
        _ = unsafe Glibc.send(output, "\n", 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    // MARK: Signals

    /// Sends a signal to the whole group.
    func send(_ signal: Int32) { if ending == nil { Glibc.kill(-id, signal) } }

    /// Kills it at once, with all processes that it started.
    func kill() {
        send(SIGKILL)
        end()
    }

    /// Asks it to end, and kills it with all processes that it started if it does not end within `patience`.
    package func end(patience: Duration = .seconds(2)) {
        let deadline = ContinuousClock.now + patience
        send(SIGTERM)
        send(SIGCONT)
        while ended() == nil, ContinuousClock.now < deadline { _ = poll(nil, 0, 5) }
        Glibc.kill(-id, SIGKILL)
        if ending == nil { ending = Ending(of: id) }
        if output >= 0, !isClosed { close(output) }
        isClosed = true
    }

    private var isClosed = false
}

extension Ending {
    /// The shell's status for a command that it cannot find or run.
    var isNotThere: Bool { self == .exited(127) || self == .exited(126) }

    package var words: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was killed by signal \(signal)"
        }
    }
}

/// Why a race could not start.
package enum RaceFailure: Error, Hashable, Sendable {
    case missingDirectory(String)
    /// One container is the other one, or is inside it.
    case nestedDirectories(String, String)
    case cannotRun(String, errno: Int32)
    /// The shell cannot find or run it.
    case noCommand(String)
    /// The agent did not start, or did not become ready.
    case agentFailed(String)
    /// The system calls of programs cannot be gated here.
    case cannotGate(GatedProgram.Refusal)
}
