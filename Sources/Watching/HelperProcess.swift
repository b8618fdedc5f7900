import Glibc

/// A running helper: a child with a socket for its input and output, and one for its complaints.
///
/// Sockets, not pipes: they are closed on exec from the moment they exist, and a helper that is gone is an
/// error of `send`, never a signal to the whole agent.
final class HelperProcess {
    let id: pid_t
    /// Its standard input and output.
    let descriptor: Int32
    private let complaints: Int32
    private var outgoing: [UInt8] = []
    private var isReaped = false

    struct StartError: Error {
        let text: String

        init(_ what: String, _ code: Int32) {
            let cause = unsafe strerror(code).map { unsafe String(cString: $0) }
            text = "\(what): \(cause ?? "error \(code)")"
        }
    }

    init(_ program: String, _ arguments: [String]) throws(StartError) {
        let stream = try Self.socketPair()
        let errors: (ours: Int32, theirs: Int32)
        do { errors = try Self.socketPair() } catch {
            close(stream.ours)
            close(stream.theirs)
            throw error
        }
        defer {
            close(stream.theirs)
            close(errors.theirs)
        }
        do {
            id = try Self.spawn(program, arguments, stream: stream.theirs, errors: errors.theirs)
        } catch {
            close(stream.ours)
            close(errors.ours)
            throw error
        }
        descriptor = stream.ours
        complaints = errors.ours
    }

    deinit { end() }

    // MARK: Talking

    /// What it has said; `nil` once it says no more.
    func receive() -> [UInt8]? { Self.receive(descriptor) }

    /// What it has said on its standard error.
    func receiveComplaints() -> [UInt8] { Self.receive(complaints) ?? [] }

    /// Sends a line, now or, while its ear is full, with a later `flush`.
    func send(_ line: String) {
        outgoing += "\(line)\n".utf8
        flush()
    }

    func flush() {
        guard !outgoing.isEmpty else { return }
        let sent = unsafe outgoing.withUnsafeBytes {
            unsafe Glibc.send(
                descriptor,
                $0.baseAddress,
                $0.count,
                Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            )
        }
        if sent > 0 { outgoing.removeFirst(sent) }
    }

    /// So many bytes are taken at once. Less than that means that there is no more for now.
    static let space = 16 * 1024

    private static func receive(_ descriptor: Int32) -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: space) { buffer, filled in
            repeat {
                count = unsafe recv(descriptor, buffer.baseAddress, space, Int32(MSG_DONTWAIT))
            } while count < 0 && errno == EINTR
            filled = max(0, count)
        }
        if count > 0 || (count < 0 && errno == EAGAIN) { return bytes }
        return nil
    }

    // MARK: Ending

    /// It answers what it was asked, and ends.
    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends its input, which ends it; kills it if it has not gone within `patience`.
    func end(patience: Duration = .seconds(2)) {
        guard !isReaped else { return }
        isReaped = true
        endInput()
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while receive() != nil, clock.now < deadline {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&waited, 1, 100)
        }
        kill(id, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        close(descriptor)
        close(complaints)
    }

    // MARK: Starting

    private static func socketPair() throws(StartError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw StartError("socketpair", errno) }
        return (aboveStandard(ends[0]), aboveStandard(ends[1]))
    }

    /// Where the agent was started without standard descriptors, ours would get their numbers and be
    /// overwritten while they are handed to the child.
    private static func aboveStandard(_ descriptor: Int32) -> Int32 {
        guard descriptor <= 2 else { return descriptor }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard moved >= 0 else { return descriptor }
        close(descriptor)
        return moved
    }

    private static func spawn(
        _ program: String,
        _ arguments: [String],
        stream: Int32,
        errors: Int32
    ) throws(StartError) -> pid_t {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        unsafe posix_spawn_file_actions_adddup2(&files, stream, 0)
        unsafe posix_spawn_file_actions_adddup2(&files, stream, 1)
        unsafe posix_spawn_file_actions_adddup2(&files, errors, 2)

        // A process group of its own: a Ctrl-C at the terminal is for the agent, which then ends the helper.
        // And signals as a fresh program has them, whatever the agent ignores or blocks.
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

        var id: pid_t = 0
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let result = unsafe posix_spawn(&id, program, &files, &attributes, &words, environ)
        guard result == 0 else { throw StartError(program, result) }
        return id
    }
}
