import CLinux
import Glibc

/// Which files other processes have open for writing, by what the kernel lists of them.
///
/// Nothing is opened or locked that they could notice. Processes of other users are not seen.
struct OpenFiles {
    /// Many processes, or thousands of descriptors, must not keep the lab from reading what changes. It is
    /// the lab's own work, since on a busy machine the programs are slow, too.
    private static let limit = Duration.milliseconds(100)

    private let start = Self.work

    /// - Parameter path: without links.
    /// - Returns: `nil` if that could not be determined in time.
    static func isOpenForWriting(_ path: String) -> Bool? { OpenFiles().isOpenForWriting(path) }

    private var isLate: Bool { Self.work - start > Self.limit }

    /// What this thread has used of a processor.
    private static var work: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func isOpenForWriting(_ path: String) -> Bool? {
        let own = getpid()
        // The processes that were started last first: the programs of a race are among them.
        for process in RealTree.names(in: "/proc").compactMap({ pid_t($0) }).sorted().reversed()
        where process != own {
            // Of a thousand descriptors, the mapping is the quicker one to find.
            if hasMapped(path, "/proc/\(process)") || hasOpen(path, "/proc/\(process)") { return true }
            if isLate { return nil }
        }
        return false
    }

    private func hasOpen(_ path: String, _ process: String) -> Bool {
        for number in RealTree.names(in: "\(process)/fd") {
            let isIt = target(of: "\(process)/fd/\(number)") == path
            if isIt, isWritable("\(process)/fdinfo/\(number)") { return true }
            if isLate { return false }
        }
        return false
    }

    private func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4097)
        let count = unsafe readlink(link, &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func isWritable(_ info: String) -> Bool {
        let text = String(decoding: RealTree.read(info) ?? [], as: UTF8.self)
        let flags = text.split(separator: "\n").first { $0.hasPrefix("flags:") }
        let digits = flags?.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0, radix: 8) }
        return digits.map { $0 & O_ACCMODE != O_RDONLY } ?? false
    }

    /// A shared mapping can be written through after its descriptor is closed.
    private func hasMapped(_ path: String, _ process: String) -> Bool {
        let text = String(decoding: RealTree.read("\(process)/maps") ?? [], as: UTF8.self)
        return text.split(separator: "\n").contains { $0.hasSuffix(" \(path)") && $0.contains(" rw-s ") }
    }
}
