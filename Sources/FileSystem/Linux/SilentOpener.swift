internal import CLinux
internal import Glibc
internal import Model
internal import Synchronization

/// Opens files and directories such that no other program can notice: the kernel raises no event when they
/// are opened, read or closed, and their access times stay.
///
/// The kernel asks this process for permission whenever something is opened through a private mount, and
/// sends a descriptor of the file with the question. Such a descriptor raises no events. The permission is
/// denied, so the opening itself fails and raises none either. Openings by other programs do not go through
/// that mount, and are neither delayed nor denied.
final class SilentOpener: Sendable {
    private let questions: Questions
    private let thread: pthread_t
    /// Only one opening at a time.
    private let turn = Mutex(())

    /// - Parameter mounts: descriptors of private mounts.
    /// - Throws: `EPERM` without CAP_SYS_ADMIN; `EINVAL` or `ENOSYS` where the kernel has no such events.
    init(_ mounts: [Int32]) throws(Errno) {
        let group = try retried { linux_permission_group() }
        questions = Questions(group: group)
        for mount in mounts { _ = try retried { linux_ask_permission(group, mount) } }
        var thread = pthread_t()
        let answering = unsafe Unmanaged.passRetained(questions).toOpaque()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { questions in
                if let questions = unsafe questions {
                    unsafe Unmanaged<Questions>.fromOpaque(questions).takeRetainedValue().answer()
                }
                return nil
            },
            answering
        )
        guard code == 0 else {
            unsafe Unmanaged<Questions>.fromOpaque(answering).release()
            throw Errno(code: code)
        }
        self.thread = thread
    }

    deinit {
        questions.end()
        pthread_join(thread, nil)
    }

    /// - Parameter attempt: opens a file or directory through one of the mounts.
    /// - Returns: a descriptor that is open for reading.
    func open(_ attempt: () throws(Errno) -> Int32) throws(Errno) -> Int32 {
        try turn.withLock { _ throws(Errno) in
            questions.discard()
            do throws(Errno) {
                return try attempt()
            } catch {
                guard error.code == EPERM, let file = questions.take() else { throw error }
                return file
            }
        }
    }
}

/// The kernel's questions for permission, which a thread answers.
private final class Questions: Sendable {
    private let group: Int32
    private let bell = linux_eventfd()
    /// The file of the last question of this process.
    private let file = Mutex<Int32?>(nil)

    init(group: Int32) { self.group = group }

    deinit {
        discard()
        _ = Glibc.close(bell)
        _ = Glibc.close(group)
    }

    func take() -> Int32? {
        file.withLock { file in
            defer { file = nil }
            return file
        }
    }

    func discard() { if let file = take() { _ = Glibc.close(file) } }

    func end() { linux_ring(bell) }

    /// Answers until `end` is called.
    func answer() {
        while true {
            var polled = [group, bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&polled, 2, -1)
            if polled[1].revents != 0 { return }
            if polled[0].revents != 0 { answerNext() }
        }
    }

    private func answerNext() {
        var process: Int32 = 0
        let asked = unsafe linux_next_permission(group, &process)
        guard asked >= 0 else { return }
        // Another process may find the private mount in /proc.
        let isOurs = process == getpid()
        if isOurs {
            discard()
            file.withLock { $0 = asked }
        }
        linux_answer_permission(group, asked, isOurs ? 0 : 1)
        if !isOurs { _ = Glibc.close(asked) }
    }
}
