import Glibc
import Processes

/// A running watching program: a child with a socket for its input and output, and another for its errors.
///
/// Sockets, not pipes: they are created close-on-exec, and sending to a process that has ended is an error of
/// `send`, not a signal to the whole agent.
final class HelperProcess {
    let id: Int32
    /// Its standard input and output.
    let descriptor: Int32
    private let complaints: Int32
    private var outgoing: [UInt8] = []
    private var isReaped = false

    init(_ program: String, _ arguments: [String]) throws(Launch.Failure) {
        let stream = try Launch.socketPair()
        let errors: (ours: Int32, theirs: Int32)
        do { errors = try Launch.socketPair() } catch {
            close(stream.ours)
            close(stream.theirs)
            throw error
        }
        defer {
            close(stream.theirs)
            close(errors.theirs)
        }
        var launch = Launch(program, arguments)
        (launch.input, launch.output, launch.errors) = (stream.theirs, stream.theirs, errors.theirs)
        do { id = try launch.start() } catch {
            close(stream.ours)
            close(errors.ours)
            throw error
        }
        descriptor = stream.ours
        complaints = errors.ours
    }

    deinit { end() }

    // MARK: Communicating

    /// Its output; `nil` once it has closed it.
    func receive() -> [UInt8]? { Self.receive(descriptor) }

    /// Its standard error.
    func receiveComplaints() -> [UInt8] { Self.receive(complaints) ?? [] }

    /// Sends a line, now or, while its input buffer is full, with a later `flush`.
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

    /// The size of one read. A shorter read means that there is no more for now.
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

    /// Closes its input: it answers the pending requests, and ends.
    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes its input; kills it if it does not end within `patience`.
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
        // A process that hangs in a system call ends when that returns; do not wait for it.
        let last = clock.now + .seconds(1)
        while Ending(ofEnded: id) == nil, clock.now < last { usleep(1_000) }
        close(descriptor)
        close(complaints)
    }
}
