import CLinux
import Glibc

/// Starts a program whose system calls wait at a gate.
///
/// The filter has to be installed by the new process itself, between its start and its `exec`, where no Swift
/// may run in a copy of this process. So `widgetbridge` is started first, with `word` as its first argument:
/// it installs the filter, sends the listener back over an inherited socket and becomes the program.
package enum GatedProgram {
    package static let word = "gated-program"
    private static let socket: Int32 = 3
    /// The exit status for a program that cannot be gated, or not be run, as a shell has it.
    private static let cannotRun: Int32 = 126

    /// The launch of `program`, which is `widgetbridge`, that becomes `launch`.
    ///
    /// - Parameter answer: the socket over which the listener comes.
    package static func launch(_ launch: Launch, by program: String, answering answer: Int32) -> Launch {
        var gated = launch
        gated.program = program
        gated.arguments = [word, launch.program] + launch.arguments
        gated.inherited[socket] = answer
        return gated
    }

    /// Why a program cannot be gated.
    package enum Refusal: Error, Hashable, Sendable {
        /// The kernel, or a sandbox around this process, allows no filter with a listener.
        case system(errno: Int32)
        /// The memory of a child cannot be read, and so no path in its calls.
        case memory
        /// It ended, or sent nothing in time.
        case silent
    }

    /// Tries it with a program that does nothing; `nil` if the system allows it.
    ///
    /// - Parameter program: the path of `widgetbridge`.
    package static func refusal(trying program: String, within limit: Duration = .seconds(20)) -> Refusal? {
        do {
            let ends = try Launch.socketPair()
            defer { close(ends.ours) }
            let trial = launch(Launch("/bin/sh", ["-c", ":"]), by: program, answering: ends.theirs)
            let started = Result { () throws(Launch.Failure) in try trial.start() }
            close(ends.theirs)
            let process = try started.get()
            defer {
                kill(process, SIGKILL)
                _ = Ending(of: process)
            }
            let listener = try Self.listener(from: ends.ours, within: limit)
            defer { listener.close() }
            return answerFirst(of: listener, within: limit)
        } catch let refusal as Refusal {
            return refusal
        } catch {
            return .system(errno: (error as? Launch.Failure)?.errno ?? 0)
        }
    }

    /// The first call that names a path is the program's `execve`.
    private static func answerFirst(of listener: GateListener, within limit: Duration) -> Refusal? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            var ready = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, 100) > 0 else { continue }
            guard Int32(ready.revents) & POLLIN != 0 else { return .silent }
            guard let call = listener.next() else { continue }
            if FilteredCall(number: call.number) == .execve {
                let path = Result { () throws(ProcessMemory.Denied) in
                    try ProcessMemory.text(of: call.thread, at: call.first)
                }
                return (try? path.get()) == nil ? .memory : nil
            }
            listener.letThrough(call.id)
        }
        return .silent
    }

    /// - Parameter socket: the other end of the one that the program inherited.
    package static func listener(from socket: Int32, within limit: Duration) throws(Refusal) -> GateListener {
        var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: Int(limit / .milliseconds(1)))
        guard unsafe poll(&ready, 1, milliseconds) == 1 else { throw .silent }
        var code: Int32 = 0
        let descriptor = unsafe linux_receive_descriptor(socket, &code)
        guard descriptor >= 0 else { throw code == 0 ? .silent : .system(errno: code) }
        return GateListener(descriptor: descriptor)
    }

    /// Whether `arguments` of this process ask for it.
    package static var isAskedFor: Bool { ThisProgram.isAsked(for: word, with: 1) }

    /// Becomes the program; returns only if that fails.
    ///
    /// The arguments are passed on as bytes: they need not be UTF-8.
    package static func run() -> Int32 {
        let filter = SystemCallFilter.instructions
        let listener = unsafe filter.withUnsafeBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return -EINVAL }
            return unsafe linux_gate_install(first, UInt16(buffer.count))
        }
        guard listener >= 0 else {
            _ = linux_send_descriptor(socket, -1, -listener)
            return cannotRun
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        guard linux_send_descriptor(socket, listener, 0) == 0,
            let program = unsafe CommandLine.unsafeArgv[2]
        else { return cannotRun }
        unsafe execv(program, CommandLine.unsafeArgv + 2)
        return cannotRun
    }
}
