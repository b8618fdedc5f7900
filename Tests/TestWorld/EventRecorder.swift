import Foundation
import Glibc

/// Hears all events that the kernel tells of some directories and files.
package final class EventRecorder {
    private let descriptor: Int32
    private var names: [Int32: String] = [:]

    private static let words: [(Int32, String)] = [
        (IN_ACCESS, "access"), (IN_MODIFY, "modify"), (IN_ATTRIB, "attributes"),
        (IN_CLOSE_WRITE, "close written"), (IN_CLOSE_NOWRITE, "close"), (IN_OPEN, "open"),
        (IN_MOVED_FROM, "moved away"), (IN_MOVED_TO, "moved here"), (IN_CREATE, "create"),
        (IN_DELETE, "delete"), (IN_DELETE_SELF, "deleted"), (IN_MOVE_SELF, "moved"),
        (IN_Q_OVERFLOW, "overflow"),
    ]

    package init(_ paths: String...) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let all = Self.words.map { UInt32($0.0) }.reduce(0, |)
        for path in paths {
            let watch = unsafe inotify_add_watch(descriptor, path, all)
            precondition(watch >= 0, "cannot watch \(path)")
            names[watch] = URL(filePath: path).lastPathComponent
        }
    }

    deinit { close(descriptor) }

    /// Those since the last call, in order, such as `open app/a.json`.
    package func events() -> [String] {
        var events: [String] = []
        while true {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
                filled = max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
            }
            if bytes.isEmpty { return events }
            events += text(of: bytes)
        }
    }

    private func text(of bytes: [UInt8]) -> [String] {
        var events: [String] = []
        var rest = bytes[...]
        let size = MemoryLayout<inotify_event>.size
        while rest.count >= size {
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(size).prefix(Int(event.len)).prefix { $0 != 0 }
            rest = rest.dropFirst(size + Int(event.len))
            let path = (names[event.wd] ?? "?") + "/" + String(decoding: name, as: UTF8.self)
            events += Self.words.filter { event.mask & UInt32($0.0) != 0 }.map { "\($0.1) \(path)" }
        }
        return events
    }
}
