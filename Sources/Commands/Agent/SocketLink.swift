import FoundationEssentials
import Glibc

/// A link to a bridge's socket, in the runtime directory that systemd has made for the agent
/// (`RUNTIME_DIRECTORY`, systemd.exec(5)), so that clients need not know the state directory.
struct SocketLink {
    let path: String
    private let socket: String

    /// `nil` if there is no runtime directory.
    init?(to socket: String, bridge: String?) {
        guard let directory = ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"],
            directory.hasPrefix("/")
        else { return nil }
        path = "\(directory)/\((bridge ?? "agent").replacing("/", with: "-")).sock"
        self.socket = socket
    }

    /// Atomically replaces the link of a previous bridge. A failure is ignored, because clients can still use
    /// the socket in the state directory.
    func make() {
        let new = path + ".new"
        unsafe unlink(new)
        guard unsafe symlink(socket, new) == 0 else { return }
        if unsafe rename(new, path) != 0 { unsafe unlink(new) }
    }

    func remove() { unsafe unlink(path) }
}
