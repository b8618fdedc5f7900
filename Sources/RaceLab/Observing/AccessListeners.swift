import Glibc

/// The programs that the kernel notifies of opened and read files. Programs of other users cannot be seen.
enum AccessListeners {
    private static let accesses = UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE)

    /// Their names, in order.
    ///
    /// - Parameter inodes: of the directories and files in question. Their devices are not compared: some
    ///   file systems report others to the kernel than to programs.
    static func names(on inodes: Set<UInt64>) -> [String] {
        let processes = RealTree.names(in: "/proc").filter { UInt64($0) != nil }
        return Set(processes.filter { isListening($0, inodes) }.map(name)).sorted()
    }

    private static func isListening(_ process: String, _ inodes: Set<UInt64>) -> Bool {
        RealTree.names(in: "/proc/\(process)/fd").contains { descriptor in
            guard isOfEvents("/proc/\(process)/fd/\(descriptor)"),
                let facts = RealTree.read("/proc/\(process)/fdinfo/\(descriptor)")
            else { return false }
            return hears(String(decoding: facts, as: UTF8.self), inodes)
        }
    }

    private static func isOfEvents(_ path: String) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        let count = max(0, unsafe readlink(path, &target, target.count))
        let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text == "anon_inode:inotify" || text == "anon_inode:[fanotify]"
    }

    /// - Parameter facts: with a line for each watch, such as `inotify wd:1 ino:3f2 sdev:800001 mask:fce …`;
    ///   a fanotify mark on a whole mount or file system has no `ino`.
    static func hears(_ facts: String, _ inodes: Set<UInt64>) -> Bool {
        facts.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            guard let kind = words.first, kind == "inotify" || kind == "fanotify" else { return false }
            func number(_ key: String) -> UInt64? {
                words.first { $0.hasPrefix(key) }.flatMap { UInt64($0.dropFirst(key.count), radix: 16) }
            }
            guard let mask = number("mask:"), UInt32(truncatingIfNeeded: mask) & accesses != 0 else {
                return false
            }
            return number("ino:").map(inodes.contains) ?? true
        }
    }

    private static func name(of process: String) -> String {
        let words = RealTree.read("/proc/\(process)/cmdline") ?? []
        let program = words.prefix { $0 != 0 }.split(separator: UInt8(ascii: "/")).last ?? []
        return program.isEmpty ? process : String(decoding: program, as: UTF8.self)
    }
}
