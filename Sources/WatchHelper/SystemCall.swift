// SPDX-License-Identifier: GPL-2.0-only

import CWatchShim
import Glibc

/// A name or a path from the kernel: bytes, not always UTF-8.
typealias Bytes = [UInt8]

/// The error of a system call.
struct SystemError: Error {
    let code: Int32

    static var last: SystemError { SystemError(code: errno) }

    var text: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

/// Identifies a directory independently of its name.
struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// The identity of a path that a person gave; follows links.
    init(path: Bytes) throws(SystemError) {
        var status = stat()
        let result = unsafe path.withCString { unsafe stat($0, &status) }
        guard result == 0 else { throw .last }
        self.init(status)
    }

    init(descriptor: Int32) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        self.init(status)
    }
}

extension [UInt8] {
    /// Passes the bytes to C, with a terminating zero.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let ended = self + [0]
        return unsafe ended.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("an array of at least a zero") }
            return unsafe body(start.assumingMemoryBound(to: CChar.self))
        }
    }

    init(cString: UnsafePointer<CChar>) {
        let length = unsafe strlen(cString)
        self = unsafe Array(UnsafeRawBufferPointer(start: cString, count: length))
    }

    /// Whether this is a temporary file of the bridge: the only hidden names that are reported, and only in
    /// access events.
    var isTemporary: Bool { starts(with: Self.temporaryPrefix) }

    var isHidden: Bool { first == UInt8(ascii: ".") }

    private static let temporaryPrefix = Bytes(".widgetbridge".utf8)
}

/// The monotonic clock, in seconds.
func monotonicNow() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
