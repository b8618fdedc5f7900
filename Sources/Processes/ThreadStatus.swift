import Glibc

/// What the kernel says of one thread.
package struct ThreadStatus: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// It runs, or the disk lets it run soon.
        case running
        /// Something else must happen before it runs again.
        case blocked
        /// It sleeps where no signal reaches it: for a disk, or for a child that it lent its memory to.
        case uninterruptible
        case ended
    }

    package let state: State
    /// Its process.
    package let process: Int32
    package let parent: Int32
    /// How many times it stopped running: equal in two looks, it did not run between them.
    package let switches: Int

    /// `nil` if there is no such thread.
    package init?(of thread: Int32) {
        let descriptor = unsafe open("/proc/\(thread)/status", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [CChar](repeating: 0, count: 8_192)
        let count = unsafe Glibc.read(descriptor, &text, text.count - 1)
        guard count > 0 else { return nil }
        // By the C library: this is read hundreds of times a second.
        func value(_ name: String) -> Int? {
            unsafe text.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress, let found = unsafe strstr(start, name) else {
                    return nil
                }
                return unsafe strtol(found + name.utf8.count, nil, 10)
            }
        }
        guard let process = value("\nTgid:\t"), let parent = value("\nPPid:\t") else { return nil }
        self.process = Int32(process)
        self.parent = Int32(parent)
        let given = value("\nvoluntary_ctxt_switches:\t") ?? 0
        switches = given + (value("\nnonvoluntary_ctxt_switches:\t") ?? 0)
        let letter = unsafe text.withUnsafeBufferPointer { buffer -> UInt8 in
            guard let start = buffer.baseAddress, let found = unsafe strstr(start, "\nState:\t") else {
                return 0
            }
            return UInt8(bitPattern: unsafe found[8])
        }
        switch letter {
        case UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "I"): state = .blocked
        case UInt8(ascii: "D"): state = .uninterruptible
        case UInt8(ascii: "Z"), UInt8(ascii: "X"): state = .ended
        default: state = .running
        }
    }

    /// The number of the system call that a thread sleeps in; `nil` if it is in none, or that is unknown.
    package static func systemCall(of thread: Int32) -> Int? {
        let descriptor = unsafe open("/proc/\(thread)/syscall", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(descriptor, &text, text.count)
        return Int(String(decoding: text[..<max(0, count)].prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// The number that the newest process or thread of the system got.
    package static var newest: Int32 {
        let descriptor = unsafe open("/proc/loadavg", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(descriptor, &text, text.count)
        let line = String(decoding: text[..<max(0, count)], as: UTF8.self)
        return line.split { $0 == " " || $0 == "\n" }.last.flatMap { Int32($0) } ?? 0
    }
}
