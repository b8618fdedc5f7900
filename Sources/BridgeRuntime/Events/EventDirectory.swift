import FileSystem
import Foundation
import Glibc

/// Where a bridge keeps its events: a directory of its own in the state directory, so that the kernel
/// reports changes of the queue alone.
struct EventDirectory: Sendable {
    let state: BridgePaths

    private var file: EventQueueFile { EventQueueFile(state: state.state) }
    private var path: String { file.directory }
    var queue: String { file.path }
    var socket: String { state.socket }

    /// Why this user cannot write the queue.
    var obstacle: BridgeError? { file.obstacle }

    func hasQueue() throws(BridgeError) -> Bool { try file.exists() }

    /// Creates the directory and an empty file, which only this user can read, where they are missing.
    func prepared() throws(BridgeError) -> String {
        if try hasQueue() { return queue }
        let isNew = !state.hasState
        try state.makeState()
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .unwritableState(path, errno: errno)
        }
        // Never opens a file that exists: closing it would release this process's locks on it.
        let file = unsafe open(queue, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
        for directory in [path, state.state] { sync(directory) }
        if isNew { sync(state.state + "/..") }
        return queue
    }

    /// Makes the names in a directory durable, as far as the file system can.
    private func sync(_ directory: String) {
        let opened = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    /// The directory of the queue, or the nearest one above it that exists.
    var nearest: String {
        var path = path
        while path != "/", !FileManager.default.fileExists(atPath: path) {
            path = URL(filePath: path).deletingLastPathComponent().path
        }
        return path
    }

    /// Becomes readable when a file in the directory changes; `nil` if the kernel does not report that.
    static func watch(_ path: String) -> Int32? {
        let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if watch < 0 { return nil }
        guard unsafe inotify_add_watch(watch, path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
            close(watch)
            return nil
        }
        return watch
    }
}
