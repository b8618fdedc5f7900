import CLinux
import Glibc
import Processes

extension Hook {
    /// - Parameter input: what the program gets on its standard input, or the server as the body.
    func act(_ input: [UInt8], environment: [String: String]) async throws(HookFailure) {
        switch action {
        case .command(let words): try await run(words, input, environment)
        case .signal(let program, let number):
            try ProgramSignal(try Self.path(of: program, environment), number).send()
        case .post(let address): try await address.post(input, within: timeout)
        }
    }

    private func run(
        _ words: [String],
        _ input: [UInt8],
        _ environment: [String: String]
    ) async throws(HookFailure) {
        let program = try Self.path(of: words[0], environment)
        var run = LimitedRun(program, Array(words.dropFirst()), environment: environment, input: input)
        run.limits.time = timeout
        let outcome = await run.outcome()
        guard outcome.end != .exited(0) else { return }
        // A program that prints no text has no line.
        let first = outcome.output.split { $0 < 0x20 || $0 == 0x7F }.first
        let line = first.map { String(decoding: $0.prefix(200), as: UTF8.self) }
        throw .ended(outcome.end, output: line)
    }

    /// Why what it starts or signals cannot run here; `nil` also for a server, which may be started later.
    ///
    /// - Parameter environment: names the directories of programs.
    package func foreseenFailure(_ environment: [String: String]) -> HookFailure? {
        let program: String
        switch action {
        case .command(let words): program = words[0]
        case .signal(let named, _): program = named
        case .post: return nil
        }
        do throws(HookFailure) {
            let path = try Self.path(of: program, environment)
            var status = stat()
            guard unsafe access(path, X_OK) == 0, unsafe stat(path, &status) == 0 else {
                throw .unusableProgram(path, errno: errno)
            }
            if status.st_mode & S_IFMT == S_IFDIR { throw .unusableProgram(path, errno: EISDIR) }
            return nil
        } catch {
            return error
        }
    }

    static func path(of program: String, _ environment: [String: String]) throws(HookFailure) -> String {
        if program.contains("/") { return program }
        let directories = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        // A relative one would begin at the working directory.
        for directory in directories where directory.hasPrefix("/") {
            let path = "\(directory)/\(program)"
            if unsafe access(path, X_OK) == 0 { return path }
        }
        throw .noProgram(program)
    }
}

/// A signal to all processes of this user that run a program.
struct ProgramSignal {
    private let file: String
    private let number: Int32

    init(_ path: String, _ number: Int32) {
        file = Self.realPath(path) ?? path
        self.number = number
    }

    /// Succeeds if no such process runs: a bar may be closed.
    func send() throws(HookFailure) {
        var failure: Int32 = 0
        for process in Self.processes where isOne(process) {
            let descriptor = linux_pidfd_open(process)
            if descriptor < 0 { continue }
            defer { close(descriptor) }
            // The number may have become that of another process before the descriptor was opened.
            guard isOne(process) else { continue }
            if linux_pidfd_send_signal(descriptor, number) != 0, errno != ESRCH { failure = errno }
        }
        if failure != 0 { throw .signal(errno: failure) }
    }

    private func isOne(_ process: Int32) -> Bool {
        var status = stat()
        guard unsafe stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid() else { return false }
        return Self.realPath("/proc/\(process)/exe") == file
    }

    private static func realPath(_ path: String) -> String? {
        let real = unsafe realpath(path, nil)
        defer { unsafe free(real) }
        return unsafe real.map { unsafe String(cString: $0) }
    }

    private static var processes: [Int32] {
        guard let directory = unsafe opendir("/proc") else { return [] }
        defer { unsafe closedir(directory) }
        var found: [Int32] = []
        while let entry = unsafe readdir(directory) {
            if let process = Int32(unsafe String(cString: linux_entry_name(entry))) { found.append(process) }
        }
        return found
    }
}
