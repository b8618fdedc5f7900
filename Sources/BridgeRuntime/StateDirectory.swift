import FoundationEssentials
import Glibc
import Model

extension BridgeSettings {
    /// The directory of the journal, the lock and the socket: as configured, or else in `$XDG_STATE_HOME`,
    /// named by a hash of both real paths, so that no two bridges share one.
    package func stateDirectory() throws(BridgeError) -> String {
        if let state { return state }
        let containers = try Self.realPath(app) + "\0" + Self.realPath(group)
        let name = Digest(of: Array(containers.utf8)).hex.prefix(16)
        return "\(try Self.stateHome())/widgetbridge/\(name)"
    }

    /// The socket of this bridge's agent.
    package func socketPath() throws(BridgeError) -> String {
        try stateDirectory() + "/agent.sock"
    }

    static func stateHome() throws(BridgeError) -> String {
        try stateHome(in: ProcessInfo.processInfo.environment, ownHome: ownHome)
    }

    /// - Parameter ownHome: the user's home directory, in case the environment has none.
    package static func stateHome(
        in environment: [String: String],
        ownHome: String?
    ) throws(BridgeError) -> String {
        // The XDG specification says to ignore a relative path.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return home }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/state" }
        guard let ownHome, ownHome.hasPrefix("/") else { throw .noHome }
        return ownHome + "/.local/state"
    }

    private static var ownHome: String? {
        guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir else {
            return nil
        }
        return unsafe String(cString: home)
    }

    /// If the container is gone, its path is still resolved as far as possible: its halted agent must be
    /// reachable.
    static func realPath(_ path: String) throws(BridgeError) -> String {
        if let known = resolved(path) { return known }
        let code = errno
        guard code == ENOENT || code == ENOTDIR else { throw .unreadableDirectory(path, errno: code) }
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.popLast(), name != "..", name != "." else { throw .missingDirectory(path) }
        let above = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
        guard let directory = resolved(above) else { throw .missingDirectory(path) }
        return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
