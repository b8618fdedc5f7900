import Glibc

package enum InotifyLimits {
    /// The most directories that all programs of this user together may watch: by the kernel, and in the
    /// user namespace. `nil` if that is not known.
    package static var watches: Int? {
        ["fs/inotify/max_user_watches", "user/max_inotify_watches"]
            .compactMap { number(at: "/proc/sys/\($0)") }.min()
    }

    private static func number(at path: String) -> Int? {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe read(opened, &bytes, bytes.count)
        return Int(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).prefix { $0.isNumber })
    }
}
