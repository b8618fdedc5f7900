import FoundationEssentials
import Glibc

/// A link to a bridge's socket, in the runtime directory that systemd has made for the agent
/// (`RUNTIME_DIRECTORY`, systemd.exec(5)): programs that ask the agent need not know its state directory.
struct SocketLink {
    let path: String
    private let socket: String

    /// `nil` where there is no such directory.
    init?(to socket: String, bridge: String?) {
        guard let directory = ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"],
            directory.hasPrefix("/")
        else { return nil }
        path = "\(directory)/\((bridge ?? "agent").replacing("/", with: "-")).sock"
        self.socket = socket
    }

    /// It replaces the link of a bridge before it in one step. Where it cannot be made, the socket is in the
    /// state directory all the same.
    func make() {
        let new = path + ".new"
        unsafe unlink(new)
        guard unsafe symlink(socket, new) == 0 else { return }
        if unsafe rename(new, path) != 0 { unsafe unlink(new) }
    }

    func remove() { unsafe unlink(path) }
}
