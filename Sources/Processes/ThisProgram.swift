import Glibc

/// The program that this process runs.
package enum ThisProgram {
    /// The system does not reveal the file.
    package struct Unknown: Error, Hashable {
        package let errno: Int32
    }

    /// The path of its file, with links resolved.
    package static func path() throws(Unknown) -> String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { throw Unknown(errno: errno) }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
