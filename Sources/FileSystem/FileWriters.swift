internal import CLinux
internal import Glibc
package import Model

/// The processes that have a file open for writing, as far as this process may inspect others. For messages
/// to people only.
package enum FileWriters {
    package static func processes(of signature: Signature) -> [Int32] {
        let processes = Self.names(in: "/proc").compactMap { Int32($0) }.filter { process in
            Self.names(in: "/proc/\(process)/fd").contains { number in
                Self.isOf(signature, "/proc/\(process)/fd/\(number)")
                    && Self.mayWrite("/proc/\(process)/fdinfo/\(number)")
            }
        }
        return processes.sorted()
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(unsafe String(cString: linux_entry_name(entry)))
        }
        return names
    }

    /// Follows the link in `/proc` without opening its target.
    private static func isOf(_ signature: Signature, _ path: String) -> Bool {
        guard let opened = try? retried({ unsafe Glibc.open(path, linux_o_path | O_CLOEXEC) }) else {
            return false
        }
        defer { _ = Glibc.close(opened) }
        guard let status = try? Status(of: opened) else { return false }
        return status.device == signature.device && status.inode == signature.inode
    }

    /// Parses a line such as `flags:\t0100002`, in octal.
    private static func mayWrite(_ path: String) -> Bool {
        let lines = (try? KernelFacts.small(path))?.split(separator: "\n") ?? []
        let flags = lines.first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
        return flags.flatMap { Int32($0, radix: 8) }.map { $0 & O_ACCMODE != O_RDONLY } ?? false
    }
}
