import Glibc

/// The program that this process runs.
package enum ThisProgram {
    /// The system does not reveal the file.
    package struct Unknown: Error, Hashable {
        package let errno: Int32
    }

    /// Whether its first argument is `word`, with as many more as the other program needs. Nothing of the
    /// arguments is decoded: they need not be UTF-8.
    package static func isAsked(for word: String, with more: Int) -> Bool {
        guard CommandLine.argc > more + 1, let first = unsafe CommandLine.unsafeArgv[1] else { return false }
        return unsafe strcmp(first, word) == 0
    }

    /// The path of its file, with links resolved.
    package static func path() throws(Unknown) -> String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { throw Unknown(errno: errno) }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
