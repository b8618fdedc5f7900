import CLinux
import Glibc

/// A program to start as a child process, with only what is listed here.
///
/// It gets its own process group, so that Ctrl-C at the terminal does not reach it; its signal handling is
/// the default, whatever this process ignores or blocks; and it inherits no other descriptors than
/// `inherited`.
package struct Launch {
    package var program: String
    package var arguments: [String]
    /// Added to this process's environment.
    package var environment: [String: String] = [:]
    /// The working directory; this process's, if `nil`.
    package var directory: String?
    /// The standard streams; `nil` is the null device, and a stream's own number inherits it.
    package var input: Int32?
    package var output: Int32?
    package var errors: Int32? = 2
    /// More descriptors, by the numbers that the program has them under: 3 at least.
    package var inherited: [Int32: Int32] = [:]

    package struct Failure: Error, Hashable {
        /// The program, or the system call that failed before it ran.
        package let what: String
        package let errno: Int32

        package var text: String {
            let cause = unsafe strerror(errno).map { unsafe String(cString: $0) }
            return "\(what): \(cause ?? "error \(errno)")"
        }
    }

    package init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    package func start() throws(Failure) -> Int32 {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        if let directory { unsafe posix_spawn_file_actions_addchdir_np(&files, directory) }
        unsafe Self.give(input, as: 0, &files)
        unsafe Self.give(output, as: 1, &files)
        unsafe Self.give(errors, as: 2, &files)
        let moved = try Self.above(inherited)
        defer { for one in moved.values { close(one) } }
        for (number, one) in moved { unsafe posix_spawn_file_actions_adddup2(&files, one, number) }
        let others = (moved.keys.max() ?? 2) + 1
        for number in 3..<others where moved[number] == nil {
            unsafe posix_spawn_file_actions_addclose(&files, number)
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&files, others)

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

        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe allVariables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var id: Int32 = 0
        let result = unsafe posix_spawn(&id, program, &files, &attributes, &words, &variables)
        guard result == 0 else { throw Failure(what: program, errno: result) }
        return id
    }

    /// Copies of descriptors that no number in question would overwrite while they are handed over.
    private static func above(_ descriptors: [Int32: Int32]) throws(Failure) -> [Int32: Int32] {
        let first = (descriptors.keys.max() ?? 2) + 1
        var copies: [Int32: Int32] = [:]
        for (number, descriptor) in descriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, first)
            guard copy >= 0 else {
                let cause = errno
                for one in copies.values { close(one) }
                throw Failure(what: "fcntl", errno: cause)
            }
            copies[number] = copy
        }
        return copies
    }

    private static func give(
        _ stream: Int32?,
        as number: Int32,
        _ files: UnsafeMutablePointer<posix_spawn_file_actions_t>
    ) {
        switch stream {
        case nil: unsafe posix_spawn_file_actions_addopen(files, number, "/dev/null", O_RDWR, 0)
        case number: break
        case let stream?:
            precondition(stream > 2, "it would be overwritten while it is handed over")
            unsafe posix_spawn_file_actions_adddup2(files, stream, number)
        }
    }

    private var allVariables: [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let variable = unsafe place.pointee {
            let text = unsafe String(cString: variable)
            let name = text.prefix { $0 != "=" }
            if environment[String(name)] == nil { variables.append(text) }
            unsafe place += 1
        }
        return variables + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    // MARK: Communicating

    /// A pair of connected sockets. Unlike pipes they are created close-on-exec, and sending to a closed one
    /// is an error of `send`, not a signal to the whole process.
    package static func socketPair() throws(Failure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw Failure(what: "socketpair", errno: errno)
        }
        let (ours, theirs) = (aboveStandard(ends[0]), aboveStandard(ends[1]))
        guard ours > 2, theirs > 2 else {
            let cause = errno
            close(ours)
            close(theirs)
            throw Failure(what: "socketpair", errno: cause)
        }
        return (ours, theirs)
    }

    /// If this process was started without standard descriptors, new ones would get their numbers.
    private static func aboveStandard(_ descriptor: Int32) -> Int32 {
        guard descriptor <= 2 else { return descriptor }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard moved >= 0 else { return descriptor }
        close(descriptor)
        return moved
    }
}
