import Glibc

/// A command of the user's, run by the shell, in a process group of its own: whatever it starts is stopped,
/// continued and ended with it.
package final class ChildCommand {
    package let command: String
    let id: pid_t
    /// What it prints is read here; not with -1.
    let output: Int32
    private var rest: [UInt8] = []
    private var ending: Ending?

    package enum Ending: Sendable, Hashable {
        case exited(Int32)
        case killed(by: Int32)

        /// The shell says so of a command that it cannot find, or not run.
        var isNotThere: Bool { self == .exited(127) || self == .exited(126) }

        package var words: String {
            switch self {
            case .exited(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// - Parameters:
    ///   - environment: added to what this process has.
    ///   - isHeard: what it prints is for us, a line a time.
    ///   - isAnswered: and what it reads comes from us.
    package init(
        _ command: String,
        environment: [(name: String, value: String)] = [],
        isHeard: Bool,
        isAnswered: Bool = false
    ) throws(RaceFailure) {
        self.command = command
        var ends: [Int32] = [-1, -1]
        // A socket is closed on exec from the moment it exists.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        if isHeard, unsafe socketpair(AF_UNIX, type, 0, &ends) != 0 {
            throw .cannotRun(command, errno: errno)
        }
        defer { if ends[1] >= 0 { close(ends[1]) } }
        do throws(RaceFailure) {
            id = try Self.spawn(command, environment, output: ends[1], isAnswered: isAnswered)
        } catch {
            if ends[0] >= 0 { close(ends[0]) }
            throw error
        }
        output = ends[0]
    }

    deinit { end() }

    // MARK: What it says

    /// The lines it has printed since; never waits.
    func lines() -> [String] {
        guard output >= 0 else { return [] }
        while true {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, filled in
                filled = max(0, unsafe recv(output, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
            }
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

    /// `nil` while it runs.
    package func ended() -> Ending? {
        if ending == nil {
            var status: Int32 = 0
            if unsafe waitpid(id, &status, WNOHANG) == id { ending = Self.ending(status) }
        }
        return ending
    }

    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(by: signal)
    }

    /// Lets it read an empty line.
    func answer() {
        _ = unsafe Glibc.send(output, "\n", 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    // MARK: What becomes of it

    /// Of the whole group.
    func send(_ signal: Int32) { if ending == nil { Glibc.kill(-id, signal) } }

    /// At once, with all that it has started.
    func kill() {
        send(SIGKILL)
        end()
    }

    /// Asks it to end, and kills it, with all that it has started, if it has not after `patience`.
    package func end(patience: Duration = .seconds(2)) {
        let deadline = ContinuousClock.now + patience
        send(SIGTERM)
        send(SIGCONT)
        while ended() == nil, ContinuousClock.now < deadline { _ = poll(nil, 0, 5) }
        Glibc.kill(-id, SIGKILL)
        if ending == nil {
            var status: Int32 = 0
            while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
            ending = Self.ending(status)
        }
        if output >= 0, !isClosed { close(output) }
        isClosed = true
    }

    private var isClosed = false

    private static func spawn(
        _ command: String,
        _ environment: [(name: String, value: String)],
        output: Int32,
        isAnswered: Bool
    ) throws(RaceFailure) -> pid_t {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        if isAnswered {
            unsafe posix_spawn_file_actions_adddup2(&files, output, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        }
        if output >= 0 {
            unsafe posix_spawn_file_actions_adddup2(&files, output, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)

        let arguments = ["/bin/sh", "-c", command]
        let settings = inherited(but: environment.map(\.name)) + environment.map { "\($0.name)=\($0.value)" }
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe settings.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var id: pid_t = 0
        let result = unsafe posix_spawn(&id, "/bin/sh", &files, &attributes, &words, &variables)
        guard result == 0 else { throw .cannotRun(command, errno: result) }
        return id
    }

    private static func inherited(but names: [String]) -> [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let variable = unsafe place.pointee {
            let text = unsafe String(cString: variable)
            if !names.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(text) }
            unsafe place += 1
        }
        return variables
    }
}

/// Why nothing could be found out at all.
package enum RaceFailure: Error, Hashable, Sendable {
    case missingDirectory(String)
    /// One container is the other, or lies in it.
    case nestedDirectories(String, String)
    case cannotRun(String, errno: Int32)
    /// The shell does not find it, or cannot run it.
    case noCommand(String)
    /// The agent did not start, or not so far that it was ready.
    case agentFailed(String)
}
