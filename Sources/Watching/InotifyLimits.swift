import Glibc

/// How much a user may watch. Programs share these limits.
package struct InotifyLimits: Sendable, Hashable {
    /// The most directories; `nil` if it is not known.
    package var watches: Int?
    /// The most programs that watch something.
    package var instances: Int?

    package init(watches: Int?, instances: Int?) {
        (self.watches, self.instances) = (watches, instances)
    }

    /// Of the running kernel, and of the user namespace.
    package static var current: InotifyLimits {
        InotifyLimits(
            watches: least(["fs/inotify/max_user_watches", "user/max_inotify_watches"]),
            instances: least(["fs/inotify/max_user_instances", "user/max_inotify_instances"])
        )
    }

    private static func least(_ names: [String]) -> Int? {
        names.compactMap { number(at: "/proc/sys/\($0)") }.min()
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
